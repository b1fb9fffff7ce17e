import type { PlanDocument } from '../../../contract/dto/plan'
import { shellQuote } from '../../tools/shellQuote'
import { xorrisoCommitOptions } from '../../tools/xorriso'
import type { SizedVolume } from '../volume/plannedVolume'
import { volumeCase } from './buildScript'
import type { BurnedImage } from './burnedImages'

/**
 * A POSIX sh script that burns one image with xorriso. The device is always asked for: burning on a
 * drive that nobody named is never a default.
 */
export function burnXorrisoScript(volumes: readonly BurnedImage[]): string {
  return `${scriptHead(volumes, 'burn-xorriso.sh', 'xorriso', '')}
exec xorriso -as cdrecord -v "dev=$device" \${speed:+"speed=$speed"} blank=as_needed stream_recording=on padsize=0 "$image"
`
}

/**
 * The same with growisofs. It refuses anything but a block device, because growisofs given a
 * regular file as root may unmount /proc; `--dry-run` shows what growisofs would do.
 */
export function burnGrowisofsScript(medium: PlanDocument['medium'], volumes: readonly BurnedImage[]): string {
  const spare = medium.id.endsWith(':spare-none') ? ' -use-the-force-luke=spare:none' : ''
  const dryRun = `
dry=
if [ "\${1:-}" = --dry-run ]; then dry=-dry-run; shift; fi`
  return `${scriptHead(volumes, 'burn-growisofs.sh', 'growisofs', dryRun)}
if [ -z "$dry" ] && [ ! -b "$device" ]; then
  printf '%s\\n' "not a block device: $device" >&2
  exit 2
fi
exec growisofs $dry${spare} -dvd-compat \${speed:+"-speed=$speed"} -Z "$device=$image"
`
}

/** Between two lines that a person reads. */
const PROGRESS_SECONDS = 0.5

/**
 * Makes an image while it is burned, with no copy on a disk: xorriso, a large buffer where one is
 * installed, xorriso. The size is compared with the plan before the disc is touched, since a source
 * may have changed.
 */
export function burnOnTheFlyScript(
  { options }: PlanDocument['mastering'],
  volumes: readonly SizedVolume[],
): string {
  const quoted = (words: readonly string[]): string => words.map(shellQuote).join(' ')
  const cases = volumes.map(
    ({ index, places, sectors }) =>
      `  ${volumeCase(index, places.number)}) list=${places.list} sectors=${sectors} ;;`,
  )
  return `${scriptStart('burn-on-the-fly.sh', 'Makes and burns one volume of this plan at once, without an image on the hard disk,', 'xorriso', '', cases)}
command -v xorriso > /dev/null || { echo "cannot find xorriso" >&2; exit 5; }
planned=$(xorriso ${quoted(options)} -outdev stdio:/dev/null -options_from_file "$list" \\
  -print_size -rollback_end 2>&1 | sed -n 's/^Image size *: *\\([0-9]*\\)s$/\\1/p')
if [ "$planned" != "$sectors" ]; then
  echo "cannot burn volume $2: it has not the planned size, so a source has changed" >&2
  exit 1
fi
buffered() {
  if command -v stowage > /dev/null; then stowage pipe --quiet --buffer 256MiB --start 90%
  elif command -v mbuffer > /dev/null; then mbuffer -q -m 256M -P 90
  else cat
  fi
}
# A shell tells only how the last program of a pipe ended: the others say on number 4 when they fail.
exec 5>&1
failed=$(
  {
    { xorriso ${quoted(options)} -outdev stdio:/dev/fd/3 -options_from_file "$list" \\
        ${quoted(xorrisoCommitOptions(PROGRESS_SECONDS))} 3>&1 >&2 || echo making it >&4; } |
      { buffered || echo the buffer >&4; } |
      { xorriso -as cdrecord -v "dev=$device" \${speed:+"speed=$speed"} stream_recording=on padsize=0 - >&5 ||
          echo burning it >&4; }
  } 4>&1 >&5
)
if [ -n "$failed" ]; then
  printf '%s\\n' "cannot burn volume $2: failed: $failed" >&2
  exit 1
fi
`
}

function scriptHead(volumes: readonly BurnedImage[], name: string, program: string, options: string): string {
  const cases = volumes.map(
    ({ index, places }) => `  ${volumeCase(index, places.number)}) image=${places.image} ;;`,
  )
  return `${scriptStart(name, 'Burns one image of this plan', program, options, cases)}
[ -f "$image" ] || { echo "$image does not exist: build it first" >&2; exit 2; }
command -v ${program} > /dev/null || { echo "cannot find ${program}" >&2; exit 5; }
`
}

/**
 * The arguments of a burn script: a device that is always asked for, a volume and perhaps a speed.
 */
function scriptStart(
  name: string,
  what: string,
  program: string,
  options: string,
  cases: readonly string[],
): string {
  const usage = `sh ${name} ${options === '' ? '' : '[--dry-run] '}DEVICE VOLUME [SPEED]`
  return `#!/bin/sh
# ${what} with ${program}. Usage: ${usage}
# For example: sh ${name} /dev/sr0 1 4
set -eu${options}
if [ "$#" -lt 2 ] || [ "$#" -gt 3 ]; then
  echo "usage: ${usage}" >&2
  exit 2
fi
device=$1
speed=\${3:-}
here=$(dirname -- "$0"; echo /)
case $speed in
  *[!0-9.]*) printf '%s\\n' "not a speed: $speed" >&2; exit 2 ;;
esac
case $2 in
${cases.join('\n')}
  *) printf '%s\\n' "no volume $2 in this plan" >&2; exit 2 ;;
esac
CDPATH= cd -- "\${here%??}"`
}
