import { availableParallelism } from 'node:os'
import type { SampleLevel } from './codecs/codecSamplesTargets'

/**
 * CPU time of one core, in milliseconds, that a level's forecasts may take after the pass: per file
 * and per record, and solid (one archive of everything; those of groups, whose trials are few, take
 * about a third of it again). Each may overrun its part a little, so they add up to about the 5, 10
 * and 90 seconds that the window and the help state.
 */
export const SECOND_PHASE_MS: Readonly<
  Record<SampleLevel, { readonly codecs: number; readonly solid: number }>
> = {
  fast: { codecs: 2_300, solid: 1_000 },
  normal: { codecs: 5_500, solid: 2_400 },
  thorough: { codecs: 60_000, solid: 26_000 },
}

/** Threads that libuv compresses with. */
const POOL_THREADS = 4
/**
 * How many codecs work at once, one for each core: their part of the budget passes so many times as
 * fast.
 */
export const LANES = Math.max(2, Math.min(POOL_THREADS, availableParallelism()))
