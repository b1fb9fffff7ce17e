import type { OpticalMedium } from '../../../contract/dto/measure'
import type { DiscKind, Drive, DriveMedium } from '../../../contract/dto/run'

/** Who made a drive and what it is called, as xorriso or dvd+rw-mediainfo reports it. */
export function driveName(output: string): Pick<Drive, 'vendor' | 'model'> {
  const found =
    /^Drive type +: vendor '(.*?)' product '(.*?)' revision/m.exec(output) ??
    /^INQUIRY: +\[(.*?)\]\[(.*?)\]/m.exec(output)
  return { vendor: textOf(found?.[1]), model: textOf(found?.[2]) }
}

/** Drives that xorriso lists with `-device_links`. */
export function listedDevices(output: string): string[] {
  return [...output.matchAll(/^\d+ +-dev +'(.+?)' +[-rw]+ +:/gm)].map(([, device]) => device as string)
}

/** The disc that a report is about; null where there is none. */
export function driveMedium(found: OpticalMedium): DriveMedium | null {
  const { profile, state } = found
  if (profile === '' || state === 'absent') return null
  const kind = kindOf(profile)
  const oneSpeed = ONE_SPEED.find(([pattern]) => pattern.test(profile))?.[1]
  return {
    kind,
    name: profile,
    blank: state === 'blank',
    rewritable: REWRITABLE.has(kind),
    capacitySectors: state === 'closed' ? 0 : found.freeSectors,
    usedSectors: found.usedSectors,
    speeds: oneSpeed ? found.writeBytesPerSecond.map((rate) => inSpeeds(rate, oneSpeed)).toReversed() : [],
  }
}

/**
 * Names of profiles, by MMC and by the programs; the longer name first where one begins another.
 */
const KINDS: readonly (readonly [RegExp, DiscKind])[] = [
  [/^stdio file/, 'file'],
  [/^CD-ROM/, 'cd-rom'],
  [/^CD-RW/, 'cd-rw'],
  [/^CD-R/, 'cd-r'],
  [/^DVD-ROM/, 'dvd-rom'],
  [/^DVD-RAM/, 'dvd-ram'],
  [/^DVD-RW/, 'dvd-rw'],
  [/^DVD-R (?:dual|double|DL)/i, 'dvd-r-dl'],
  [/^DVD-R/, 'dvd-r'],
  [/^DVD\+RW[/ ]?(?:DL|dual|double)/i, 'dvd+rw-dl'],
  [/^DVD\+RW/, 'dvd+rw'],
  [/^DVD\+R[/ ]?(?:DL|dual|double)/i, 'dvd+r-dl'],
  [/^DVD\+R/, 'dvd+r'],
  [/^BD-ROM/, 'bd-rom'],
  [/^BD-RE/, 'bd-re'],
  [/^BD-R/, 'bd-r'],
]

function kindOf(profile: string): DiscKind {
  return KINDS.find(([pattern]) => pattern.test(profile))?.[1] ?? 'unknown'
}

const REWRITABLE: ReadonlySet<DiscKind> = new Set([
  'cd-rw',
  'dvd-rw',
  'dvd-ram',
  'dvd+rw',
  'dvd+rw-dl',
  'bd-re',
  'file',
])

/** Bytes per second that drives report as 1x, as in libburn. */
const ONE_SPEED: readonly (readonly [RegExp, number])[] = [
  [/^CD/, 176_400],
  [/^DVD/, 1_385_000],
  [/^BD/, 4_495_625],
]

/** Labels have one digit after the point. */
function inSpeeds(bytesPerSecond: number, oneSpeed: number): number {
  return Math.max(0.1, Math.round((bytesPerSecond / oneSpeed) * 10) / 10)
}

function textOf(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}
