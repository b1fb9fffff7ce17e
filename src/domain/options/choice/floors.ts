import type { MachineFacts, MediumFacts } from '../facts'

/** Differences up to these are none. */
export interface Floors {
  readonly buildSeconds: number
  readonly restoreSeconds: number
  readonly ramBytes: number
}

/**
 * Building is done once, and a person who waits a minute does nothing else meanwhile either way.
 */
const BUILD_SECONDS = 60
/**
 * How long a person keeps the attention on what is asked for (R. B. Miller 1968; J. Nielsen,
 * Usability Engineering, 1993).
 */
const RESTORE_SECONDS = 10
/** Free on every machine that runs this program, */
const RAM_BYTES = 1e9
/** and of larger ones so much is free while other programs run. */
const RAM_SHARE = 1 / 8

/**
 * Times and memory over their floors differ from this share on: half of the forecast times are off
 * by more.
 */
export const TIME_SHARE = 0.1

/**
 * Sizes differ from this share on, however well they are known: nobody takes another disk for less.
 */
export const SIZE_SHARE = 0.02

/**
 * Space that is left on a volume is used by nothing else; so much of it the plans leave empty
 * themselves.
 */
const VOLUME_SHARE = 0.05

/** Sizes differ by more than this on a medium; whether they need fewer volumes counts by itself. */
export function sizeFloorOf({ capacityBytes }: Pick<MediumFacts, 'capacityBytes'>): number {
  return (capacityBytes ?? 0) * VOLUME_SHARE
}

/** The floors on a machine, each with its reason in docs/methods/options.md. */
export function floorsOf({ memoryBytes }: Pick<MachineFacts, 'memoryBytes'>): Floors {
  return {
    buildSeconds: BUILD_SECONDS,
    restoreSeconds: RESTORE_SECONDS,
    ramBytes: Math.max(RAM_BYTES, memoryBytes * RAM_SHARE),
  }
}
