import { MERITS } from '../optionsDocument'
import { type Floors, SIZE_SHARE } from './floors'
import type { OptionRow } from './option'

export { MERITS }
export type Merit = (typeof MERITS)[number]

/** The merits of an option, each so that less is better and none below its floor. */
export type Merits = Readonly<Record<Merit, number>>

/** True where the range of the size decides whether an option takes a volume more. */
export function isVolumeAtStake({
  bytes,
  volumes,
}: Pick<OptionRow['estimate'], 'bytes' | 'volumes'>): boolean {
  return bytes.high > bytes.value * (1 + SIZE_SHARE) && Math.round(volumes.high) > Math.round(volumes.value)
}

export function meritsOf(
  { estimate, portability }: Pick<OptionRow, 'estimate' | 'portability'>,
  floors: Floors,
  sizeFloor = 0,
): Merits {
  const { bytes, volumes, buildSeconds, writeSeconds, restoreSeconds, ramBytes, useRamBytes } = estimate
  return {
    bytes: Math.max(1, sizeFloor, bytes.value),
    volumes: Math.max(1, isVolumeAtStake(estimate) ? volumes.high : volumes.value),
    buildSeconds: Math.max(floors.buildSeconds, buildSeconds.value + writeSeconds.value),
    restoreSeconds: Math.max(floors.restoreSeconds, restoreSeconds.value),
    ramBytes: Math.max(floors.ramBytes, ramBytes.value, useRamBytes.value),
    portability: 1 - portability,
  }
}
