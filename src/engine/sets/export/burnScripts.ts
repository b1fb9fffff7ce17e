import type { PlanDocument } from '../../../contract/dto/plan'
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

/**
 * The arguments of a burn script: a device that is always asked for, a volume and perhaps a speed.
 */
function scriptHead(volumes: readonly BurnedImage[], name: string, program: string, options: string): string {
  const cases = volumes.map(
    ({ index, places }) => `  ${volumeCase(index, places.number)}) image=${places.image} ;;`,
  )
  const usage = `sh ${name} ${options === '' ? '' : '[--dry-run] '}DEVICE VOLUME [SPEED]`
  return `#!/bin/sh
# Burns one image of this plan with ${program}. Usage: ${usage}
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
CDPATH= cd -- "\${here%??}"
[ -f "$image" ] || { echo "$image does not exist: build it first" >&2; exit 2; }
command -v ${program} > /dev/null || { echo "cannot find ${program}" >&2; exit 5; }
`
}

/** A pattern for `case`: the number with and without leading zeros. */
function volumeCase(index: number, number: string): string {
  return number === String(index) ? number : `${index}|${number}`
}
