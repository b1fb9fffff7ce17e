import { MERITS } from '../optionsDocument'
import type { OptionRow } from '../recipes/option'
import type { Floors } from './floors'

export { MERITS }
export type Merit = (typeof MERITS)[number]

/** The merits of an option, each so that less is better and none below its floor. */
export type Merits = Readonly<Record<Merit, number>>

export function meritsOf(
  { estimate, portability }: Pick<OptionRow, 'estimate' | 'portability'>,
  floors: Floors,
  sizeFloor = 0,
): Merits {
  const { bytes, volumes, buildSeconds, writeSeconds, restoreSeconds, ramBytes, useRamBytes } = estimate
  return {
    bytes: Math.max(1, sizeFloor, bytes.value),
    volumes: Math.max(1, volumes.value),
    buildSeconds: Math.max(floors.buildSeconds, buildSeconds.value + writeSeconds.value),
    restoreSeconds: Math.max(floors.restoreSeconds, restoreSeconds.value),
    ramBytes: Math.max(floors.ramBytes, ramBytes.value, useRamBytes.value),
    portability: 1 - portability,
  }
}
