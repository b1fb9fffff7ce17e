import type { MachineFacts } from './facts'

/** Differences up to these are none. */
export interface Floors {
  readonly buildSeconds: number
  readonly restoreSeconds: number
  readonly ramBytes: number
}

/** Building is done once, and a person who waits a minute does nothing else meanwhile either way. */
const BUILD_SECONDS = 60
/** How long a person keeps the attention on what is asked for (R. B. Miller 1968; J. Nielsen, Usability Engineering, 1993). */
const RESTORE_SECONDS = 10
/** Free on every machine that runs this program, */
const RAM_BYTES = 1e9
/** and of larger ones so much is free while other programs run. */
const RAM_SHARE = 1 / 8

/** Times and memory over their floors differ from this share on: half of the forecast times are off by more. */
export const TIME_SHARE = 0.1

/** Sizes differ from this share on, however well they are known. */
export const SIZE_SHARE = 0.005

/** The floors on a machine, each with its reason in docs/methods/options.md. */
export function floorsOf({ memoryBytes }: Pick<MachineFacts, 'memoryBytes'>): Floors {
  return {
    buildSeconds: BUILD_SECONDS,
    restoreSeconds: RESTORE_SECONDS,
    ramBytes: Math.max(RAM_BYTES, memoryBytes * RAM_SHARE),
  }
}
