import type { SampleLevel } from './codecSamplesTargets'

/** CPU time of one core, in milliseconds, that a level's forecasts may take after the pass: per file and per record, and solid. */
export const SECOND_PHASE_MS: Readonly<
  Record<SampleLevel, { readonly codecs: number; readonly solid: number }>
> = {
  fast: { codecs: 3_000, solid: 2_000 },
  normal: { codecs: 10_000, solid: 5_000 },
  thorough: { codecs: 60_000, solid: 30_000 },
}
