import type { Span } from '../../../primitives/estimate'
import { type TimedSize, theilSen } from '../../statistics/theilSen'
import { tQuantile } from '../../statistics/tQuantile'

/**
 * Files that were read one after the other as they follow in the plan; opening, reading and closing
 * are in `ns`.
 */
export type ReadRun = readonly TimedSize[]

/** The time of a file of this source, and of a byte; seconds. */
export interface ReadProfile {
  readonly fileSeconds: Span
  readonly secondsPerByte: Span
}

/**
 * A source is not read twice at the same rate: a part of each figure that its range holds on top of
 * what the sample varies. Assumed; runs that the source decided were within 3 % of what the sample
 * let expect, on one busy machine (tests/bench/speed/starvation.ts).
 */
const DRIFT = 0.08

/**
 * The cost of a file and of a byte from a sample of a source. Theil and Sen's line separates the
 * two; then both are scaled so that the sample's files together cost what they took, since rare
 * slow files count in a sum and not in a median. The range is that of the scale between runs (a
 * ratio estimator with the runs as clusters, Student's t) with `DRIFT`. Null without a byte that
 * was read.
 */
export function readProfile(runs: readonly ReadRun[]): ReadProfile | null {
  const samples = runs.flat()
  if (!samples.some(({ bytes }) => bytes > 0)) return null
  const { latencyNs, nsPerByte } = lineOf(samples)
  const expected = ({ bytes }: TimedSize): number => latencyNs + nsPerByte * bytes
  const sums = runs.map((run) => ({
    took: run.reduce((sum, { ns }) => sum + ns, 0),
    model: run.reduce((sum, sample) => sum + expected(sample), 0),
  }))
  const model = sums.reduce((sum, run) => sum + run.model, 0)
  const scale = sums.reduce((sum, run) => sum + run.took, 0) / model
  const n = sums.length
  const squares = sums.reduce((sum, run) => sum + (run.took - scale * run.model) ** 2, 0)
  const error = n < 2 ? 1 : Math.sqrt((squares * n) / (n - 1)) / (scale * model)
  const part = Math.hypot(DRIFT, n < 2 ? 1 : tQuantile(n - 1) * error)
  const ranged = (ns: number): Span => {
    const value = (ns * scale) / 1e9
    return { value, low: value / (1 + part), high: value * (1 + part) }
  }
  return { fileSeconds: ranged(latencyNs), secondsPerByte: ranged(nsPerByte) }
}

/** Neither cost can be below zero: what is left then goes by the other alone. */
function lineOf(samples: readonly TimedSize[]): { latencyNs: number; nsPerByte: number } {
  const total = (of: (sample: TimedSize) => number): number =>
    samples.reduce((sum, sample) => sum + of(sample), 0)
  const perByte = total(({ ns }) => ns) / total(({ bytes }) => bytes)
  if (new Set(samples.map(({ bytes }) => bytes)).size < 2) return { latencyNs: 0, nsPerByte: perByte }
  const { latencyNs, nsPerByte } = theilSen(samples, { resamples: 0 })
  if (latencyNs <= 0) return { latencyNs: 0, nsPerByte: perByte }
  if (nsPerByte <= 0) return { latencyNs: total(({ ns }) => ns) / samples.length, nsPerByte: 0 }
  return { latencyNs, nsPerByte }
}
