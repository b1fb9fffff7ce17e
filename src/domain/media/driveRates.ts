import type { Span } from '../../primitives/estimate'
import type { DriveSpeed, MediaCatalogue, MediumDrive } from './medium'
import { meanSpeedShare, type SpeedCurve, speedCurve } from './speedCurve'

/** The rates of a usual drive with one medium of the catalogue. */
export interface DriveOfMedium {
  readonly drive: MediumDrive
  /** The drive checks what it writes (defect management). */
  readonly halfSpeed: boolean
  readonly layers: number
}

/** The drive that a medium of the catalogue needs; null where none is needed. */
export function driveOf(catalogue: MediaCatalogue, mediumId: string): DriveOfMedium | null {
  const [base, variantId] = mediumId.split(':')
  const description = catalogue.find((one) => one.id === base)
  if (!description) return null
  const variant = description.variants.find((one) => one.id === variantId)
  return {
    drive: description.drive,
    halfSpeed: variant?.halfSpeed === true,
    layers: description.layers ?? 1,
  }
}

/** A drive that checks what it writes needs a second turn for it. */
const CHECKING_SHARE = 0.5
/**
 * Formatting a blank with a spare area, before it is written: one to two minutes (dvd+rw-tools).
 */
const FORMATTING = { value: 90, low: 60, high: 120 } as const

/**
 * Bytes per second that a usual drive writes on average over a whole disc, half of that with defect
 * management; the range is that of usual drives and blanks.
 */
export function writeRate({ drive, halfSpeed }: DriveOfMedium): Span {
  return rateOf(drive, drive.write, halfSpeed ? CHECKING_SHARE : 1)
}

export function readRate({ drive }: Pick<DriveOfMedium, 'drive'>): Span {
  return rateOf(drive, drive.read, 1)
}

/**
 * Seconds of each disc apart from its bytes: lead-in, calibration, closing, changing it, and
 * formatting where it has a spare area.
 */
export function discSeconds({ drive: { volumeSeconds }, halfSpeed }: DriveOfMedium): Span {
  if (!halfSpeed) return volumeSeconds
  return {
    value: volumeSeconds.value + FORMATTING.value,
    low: volumeSeconds.low + FORMATTING.low,
    high: volumeSeconds.high + FORMATTING.high,
  }
}

/**
 * The rate along a disc of a capacity, in its drive.
 * @param speed the label, such as 6 for 6x; a usual one where it is not given
 */
export function discCurve(
  { drive, halfSpeed, layers }: DriveOfMedium,
  direction: 'write' | 'read',
  capacityBytes: number,
  speed = drive[direction].speed,
): SpeedCurve {
  const checked = direction === 'write' && halfSpeed ? CHECKING_SHARE : 1
  const labelled = speed * drive.oneSpeedBytesPerSecond * checked
  return speedCurve({ profile: drive[direction].profile, labelled, capacityBytes, layers })
}

function rateOf(
  { oneSpeedBytesPerSecond }: MediumDrive,
  { profile, speed, lowSpeed, highSpeed }: DriveSpeed,
  share: number,
): Span {
  const each = oneSpeedBytesPerSecond * meanSpeedShare(profile) * share
  return { value: speed * each, low: lowSpeed * each, high: highSpeed * each }
}
