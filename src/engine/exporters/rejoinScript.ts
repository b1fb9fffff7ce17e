import type { PlanEntry } from '../../contract/dto/plan'
import { shellQuote } from './shellQuote'

export type PartEntry = Extract<PlanEntry, { kind: 'part' }>

/** A part and the volume on which it stands. */
export interface PlacedPart {
  readonly part: PartEntry
  readonly volumeLabel: string
}

/**
 * A POSIX sh script that joins split files from volumes given in one call or in several, and proves each by SHA-256.
 * How far a file has been joined is told by the length of `NAME.joining`, so that nothing is lost between calls.
 * @param parts all parts of all split files, in any order
 */
export function rejoinScript(parts: readonly PlacedPart[]): string {
  const wholes = new Map<string, PlacedPart[]>()
  for (const placed of parts) {
    const known = wholes.get(placed.part.wholePath)
    if (known) known.push(placed)
    else wholes.set(placed.part.wholePath, [placed])
  }
  return [SCRIPT_HEAD, ...[...wholes.values()].map(wholeLines), SCRIPT_TAIL].join('\n')
}

function wholeLines(unordered: readonly PlacedPart[]): string {
  const parts = unordered.toSorted((a, b) => a.part.part - b.part.part)
  const { wholePath, wholeBytes, wholeSha256 } = (parts[0] as PlacedPart).part
  return [
    `begin ${shellQuote(wholePath)}`,
    ...parts.map(
      ({ part, volumeLabel }) =>
        `part ${shellQuote(part.path)} ${part.offset} ${part.bytes} ${shellQuote(volumeLabel)} "$@"`,
    ),
    `finish ${wholeBytes} ${wholeSha256}`,
  ].join('\n')
}

const SCRIPT_HEAD = `#!/bin/sh
# Joins the files that were too large for one volume.
# Usage: sh REJOIN.sh TARGET-FOLDER VOLUME-FOLDER...
set -eu
LC_ALL=C
export LC_ALL
if [ "$#" -lt 2 ]; then
  echo "usage: sh REJOIN.sh TARGET-FOLDER VOLUME-FOLDER..." >&2
  exit 2
fi
case $1 in
  /*) target=$1 ;;
  *) target=./$1 ;;
esac
shift
status=0

# begin NAME
begin() {
  whole=$target/$1
  waiting=
  if [ -e "$whole" ]; then
    already=yes
    printf '%s\\n' "there already: $whole"
    return 0
  fi
  already=no
  mkdir -p "\${whole%/*}"
  [ -e "$whole.joining" ] || : > "$whole.joining"
  have=$(length "$whole.joining")
}

length() {
  echo $(($(wc -c < "$1")))
}

# part NAME OFFSET BYTES VOLUME FOLDER...
part() {
  [ "$already" = no ] && [ -z "$waiting" ] && [ "$have" -le "$2" ] || return 0
  if [ "$have" -ne "$2" ]; then
    waiting="it has an unexpected length; delete $whole.joining and begin again"
    return 0
  fi
  name=$1
  bytes=$3
  waiting="the next part is on volume $4"
  shift 4
  for folder in "$@"; do
    case $folder in
      /*) ;;
      *) folder=./$folder ;;
    esac
    if [ -f "$folder/$name" ] && [ "$(length "$folder/$name")" -eq "$bytes" ]; then
      cat "$folder/$name" >> "$whole.joining"
      have=$(length "$whole.joining")
      waiting=
      return 0
    fi
  done
}

# finish BYTES SHA256
finish() {
  [ "$already" = no ] || return 0
  if [ "$have" -ne "$1" ]; then
    printf '%s\\n' "not complete: $whole (\${waiting:-it has an unexpected length; delete $whole.joining and begin again})" >&2
    [ "$status" -ne 0 ] || status=3
    return 0
  fi
  sum=$(sha256sum < "$whole.joining")
  if [ "\${sum%% *}" != "$2" ]; then
    printf '%s\\n' "joined, but the checksum differs: $whole.joining" >&2
    status=6
    return 0
  fi
  mv "$whole.joining" "$whole"
  printf '%s\\n' "joined: $whole"
}
`

const SCRIPT_TAIL = 'exit "$status"\n'
