import type { DriveSpeed, MediaCatalogue, MediumDrive, SpeedProfile } from './medium'

/** Radii of the data area of DVD and BD in millimetres; CD begins at 25. */
const INNER_RADIUS = 24
const OUTER_RADIUS = 58

/** Bytes per second, on average over a part of a disc. */
interface DriveRate {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The drive that a medium of the catalogue needs, and whether it writes that variant at half speed; null where none is needed. */
export function driveOf(
  catalogue: MediaCatalogue,
  mediumId: string,
): { readonly drive: MediumDrive; readonly halfSpeed: boolean } | null {
  const [base, variantId] = mediumId.split(':')
  const description = catalogue.find((one) => one.id === base)
  if (!description) return null
  const variant = description.variants.find((one) => one.id === variantId)
  return { drive: description.drive, halfSpeed: variant?.halfSpeed === true }
}

/** A drive that checks what it writes needs a second turn for it. */
const CHECKING_SHARE = 0.5

/**
 * The share of the labelled speed that a drive has on average over the first `filled` part of a disc: all of it at constant linear
 * velocity; at constant angular velocity as much as the radius has of the rim's, 0.707 for a full disc. Zones lie between the two.
 */
export function meanSpeedShare(profile: SpeedProfile, filled = 1): number {
  if (profile === 'clv') return 1
  const part = Math.min(1, Math.max(0, filled))
  const radius = Math.sqrt(INNER_RADIUS ** 2 + part * (OUTER_RADIUS ** 2 - INNER_RADIUS ** 2))
  const angular = (INNER_RADIUS + radius) / (2 * OUTER_RADIUS)
  return profile === 'cav' ? angular : (1 + angular) / 2
}

/** What a usual drive writes; half of that with defect management. */
export function writeRate(drive: MediumDrive, halfSpeed: boolean, filled = 1): DriveRate {
  const rate = rateOf(drive, drive.write, filled)
  return halfSpeed
    ? {
        value: rate.value * CHECKING_SHARE,
        low: rate.low * CHECKING_SHARE,
        high: rate.high * CHECKING_SHARE,
      }
    : rate
}

export function readRate(drive: MediumDrive, filled = 1): DriveRate {
  return rateOf(drive, drive.read, filled)
}

function rateOf({ oneSpeedBytesPerSecond }: MediumDrive, speed: DriveSpeed, filled: number): DriveRate {
  const each = oneSpeedBytesPerSecond * meanSpeedShare(speed.profile, filled)
  return { value: speed.speed * each, low: speed.lowSpeed * each, high: speed.highSpeed * each }
}
