import type { PlanDocument } from '../../../contract/dto/plan'
import { shellQuote } from '../../tools/shellQuote'
import { xorrisoCommitOptions } from '../../tools/xorriso'
import type { SizedVolume } from '../volume/plannedVolume'

/** Between two lines that a person reads. */
const PROGRESS_SECONDS = 0.5

const quoted = (words: readonly string[]): string => words.map(shellQuote).join(' ')

/**
 * A POSIX sh script that makes the images of a plan with xorriso alone: all of them, or the volumes
 * named. It gives the same bytes as `stowage build`, because both use the same lists and options.
 */
export function buildScript({ options }: PlanDocument['mastering'], volumes: readonly SizedVolume[]): string {
  const all = volumes.map(({ index }) => index).join(' ')
  const cases = volumes.map(
    ({ index, places, sectors }) =>
      `    ${volumeCase(index, places.number)}) image=${places.image} list=${places.list} sectors=${sectors} ;;`,
  )
  return `#!/bin/sh
# Builds the images of this plan with xorriso. Usage: sh build.sh [VOLUME...]
set -eu
LC_ALL=C.UTF-8
export LC_ALL
here=$(dirname -- "$0"; echo /)
CDPATH= cd -- "\${here%??}"
command -v xorriso > /dev/null || { echo "cannot find xorriso" >&2; exit 5; }
[ "$#" -gt 0 ] || set -- ${all}
mkdir -p images
for volume in "$@"; do
  case $volume in
${cases.join('\n')}
    *) printf '%s\\n' "no volume $volume in this plan" >&2; exit 2 ;;
  esac
  bytes=$((sectors * 2048))
  if [ -e "$image" ]; then
    if [ "$(($(wc -c < "$image")))" -eq "$bytes" ]; then echo "$image is there already"; continue; fi
    echo "$image is there already, but has another size; remove it to build it again" >&2
    exit 2
  fi
  rm -f "$image.partial"
  xorriso ${quoted(options)} \\
    -outdev "stdio:$image.partial" -options_from_file "$list" \\
    ${quoted(xorrisoCommitOptions(PROGRESS_SECONDS))} || {
    status=$?
    rm -f "$image.partial"
    echo "cannot build $image: xorriso ended with code $status" >&2
    exit 1
  }
  if [ "$(($(wc -c < "$image.partial")))" -ne "$bytes" ]; then
    rm -f "$image.partial"
    echo "cannot build $image: it has not the planned size, so a source has changed" >&2
    exit 1
  fi
  mv "$image.partial" "$image"
  echo "$image is built"
done
`
}

/** A pattern for `case`: the number with and without leading zeros. */
export function volumeCase(index: number, number: string): string {
  return number === String(index) ? number : `${index}|${number}`
}
