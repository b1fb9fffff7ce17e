import { createHash } from 'node:crypto'
import { nameBytes } from '../../../domain/sets/nameBytes'
import { pathToBytes } from '../../../primitives/pathText'
import { shellQuote } from '../../tools/shellQuote'
import type { PartEntry, PlannedVolume } from '../plannedVolume'

/** A part and the volume that holds it. */
interface PlacedPart {
  readonly part: PartEntry
  readonly volumeLabel: string
}

/** The longest name that file systems in use can hold. */
const LONGEST_NAME_BYTES = 255
const UNFINISHED = '.joining'

/**
 * A POSIX sh script that joins split files from volumes given in one call or in several, and proves each by SHA-256.
 * How far a file has been joined is shown by the length of `NAME.joining` (where that name would be too long, of a file
 * beside it with a short one), so that nothing is lost between calls. A file that cannot be joined does not keep the others
 * from it. Exit status: 0 all are joined; 3 volumes are still missing; 1 something could not be read or written; 6 a
 * checksum differs; of several the one named last here.
 * @param volumes all that have parts, in any order
 * @returns null when no file is split
 */
export function rejoinScript(volumes: readonly Pick<PlannedVolume, 'label' | 'entries'>[]): string | null {
  const wholes = new Map<string, PlacedPart[]>()
  for (const { label, entries } of volumes) {
    for (const part of entries) {
      if (part.kind !== 'part') continue
      const known = wholes.get(part.wholePath)
      if (known) known.push({ part, volumeLabel: label })
      else wholes.set(part.wholePath, [{ part, volumeLabel: label }])
    }
  }
  if (wholes.size === 0) return null
  return [SCRIPT_HEAD, ...[...wholes.values()].map(wholeLines), SCRIPT_TAIL].join('\n')
}

function wholeLines(unordered: readonly PlacedPart[]): string {
  const parts = unordered.toSorted((a, b) => a.part.part - b.part.part)
  const { wholePath, wholeBytes, wholeSha256 } = (parts[0] as PlacedPart).part
  return [
    `begin ${shellQuote(wholePath)} ${shellQuote(unfinishedPath(wholePath))}`,
    ...parts.map(
      ({ part, volumeLabel }) =>
        `part ${shellQuote(part.path)} ${part.offset} ${part.bytes} ${shellQuote(volumeLabel)} "$@"`,
    ),
    `finish ${wholeBytes} ${wholeSha256}`,
  ].join('\n')
}

/** Where a file is joined before it is whole: the same in every call, in the folder of the file. */
export function unfinishedPath(wholePath: string): string {
  const slash = wholePath.lastIndexOf('/') + 1
  const name = wholePath.slice(slash)
  if (nameBytes(name) + UNFINISHED.length <= LONGEST_NAME_BYTES) return wholePath + UNFINISHED
  const short = createHash('sha256').update(pathToBytes(wholePath)).digest('hex').slice(0, 32)
  return wholePath.slice(0, slash) + short + UNFINISHED
}

const SCRIPT_HEAD = `#!/bin/sh
# Joins the files that were too large for one volume.
# Usage: sh REJOIN.sh TARGET-FOLDER VOLUME-FOLDER...
# Exit status: 0 all joined, 3 volumes are still missing, 1 something could not be read or written, 6 a checksum differs
set -u
LC_ALL=C
export LC_ALL
if [ "$#" -lt 2 ]; then
  echo "usage: sh REJOIN.sh TARGET-FOLDER VOLUME-FOLDER..." >&2
  exit 2
fi
if command -v sha256sum > /dev/null; then
  digest() { sha256sum; }
elif command -v shasum > /dev/null; then
  digest() { shasum -a 256; }
else
  echo "cannot find sha256sum or shasum" >&2
  exit 5
fi
case $1 in
  /*) target=$1 ;;
  *) target=./$1 ;;
esac
shift
status=0

# failed STATUS: the worst one is the script's
failed() {
  case $1$status in
    6? | 13 | ?0) status=$1 ;;
  esac
}

# begin NAME UNFINISHED-NAME
begin() {
  whole=$target/$1
  joining=$target/$2
  waiting=
  if [ -e "$whole" ]; then
    ended=yes
    printf '%s\\n' "there already: $whole"
    return 0
  fi
  ended=no
  if mkdir -p "\${whole%/*}" && { [ -e "$joining" ] || printf '' > "$joining"; } && have=$(length "$joining"); then
    return 0
  fi
  cannot "write $joining"
}

# cannot WHAT: nothing more is done with this file
cannot() {
  printf '%s\\n' "cannot $1" >&2
  failed 1
  ended=yes
}

length() {
  counted=$(wc -c < "$1") && echo $(($counted))
}

# part NAME OFFSET BYTES VOLUME FOLDER...
part() {
  [ "$ended" = no ] && [ -z "$waiting" ] && [ "$have" -le "$2" ] || return 0
  if [ "$have" -ne "$2" ]; then
    waiting="it has an unexpected length; delete $joining and begin again"
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
    if [ -f "$folder/$name" ] && [ "$(length "$folder/$name")" = "$bytes" ]; then
      if cat "$folder/$name" >> "$joining" && [ "$(length "$joining")" = $((have + bytes)) ]; then
        have=$((have + bytes))
        waiting=
      else
        # Only whole parts stay, so that another call can go on.
        dd if=/dev/null of="$joining" bs=1 seek="$have" count=0 2> /dev/null
        cannot "copy $folder/$name to $joining"
      fi
      return 0
    fi
  done
}

# finish BYTES SHA256
finish() {
  [ "$ended" = no ] || return 0
  if [ "$have" -ne "$1" ]; then
    printf '%s\\n' "not complete: $whole (\${waiting:-it has an unexpected length; delete $joining and begin again})" >&2
    failed 3
    return 0
  fi
  if ! sum=$(digest < "$joining"); then
    cannot "read $joining"
    return 0
  fi
  if [ "\${sum%% *}" != "$2" ]; then
    printf '%s\\n' "joined, but the checksum differs: $joining" >&2
    failed 6
    return 0
  fi
  if mv "$joining" "$whole"; then
    printf '%s\\n' "joined: $whole"
  else
    cannot "rename $joining"
  fi
}
`

const SCRIPT_TAIL = 'exit "$status"\n'
