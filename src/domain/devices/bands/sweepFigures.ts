import { medianRange } from '../../statistics/medianRange'
import { robustDeviation } from '../../statistics/quantiles'
import type { BandCandidate } from './recommend'
import { bandsOf, type SweepPoint } from './sweepPlan'

export const SWEEP_OPERATIONS = ['write', 'read', 'stream'] as const
/** `stream`: a container is read while another is written; its rate is that of the copy. */
export type SweepOperation = (typeof SWEEP_OPERATIONS)[number]

/** One pass over a container. `point` counts in the plan's order, `round` from 0. */
export interface SweepSample {
  readonly point: number
  readonly round: number
  readonly op: SweepOperation
  readonly bytes: number
  readonly ns: number
}

/** Bytes per second: the median of the repeats with its range; no range below three repeats. */
export interface SweepRate {
  readonly value: number
  readonly low: number | null
  readonly high: number | null
  readonly confidence: number | null
  readonly repeats: number
  /** Robust standard deviation of the repeats, absent for one. */
  readonly spread: number | null
}

const FEWEST_FOR_RANGE = 3

/** Null for no samples. */
export function sweepRate(samples: readonly Pick<SweepSample, 'bytes' | 'ns'>[]): SweepRate | null {
  if (samples.length === 0) return null
  const rates = samples.map(({ bytes, ns }) => (bytes * 1e9) / ns)
  const repeats = rates.length
  const { value, low, high, confidence } = medianRange(rates)
  const spread = repeats > 1 ? robustDeviation(rates) : null
  return repeats < FEWEST_FOR_RANGE
    ? { value, low: null, high: null, confidence: null, repeats, spread }
    : { value, low, high, confidence, repeats, spread }
}

/** A rate as a share of the raw file's in the same rounds. */
export interface SweepRatio {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** Paired by round; null where no round has both. */
export function ratioToReference(
  samples: readonly SweepSample[],
  reference: readonly SweepSample[],
): SweepRatio | null {
  const ratios = samples.flatMap((sample) => {
    const other = reference.find(({ round, op }) => round === sample.round && op === sample.op)
    return other ? [other.ns / sample.ns] : []
  })
  if (ratios.length === 0) return null
  const { value, low, high } = medianRange(ratios)
  return { value, low, high }
}

/** The candidates among the points: sparse bundles of one encryption, with the rounds that every one of them went through. */
export function candidatesOf(
  points: readonly SweepPoint[],
  samples: readonly SweepSample[],
  encryption: SweepPoint['encryption'],
  sizes: { readonly fullBytes: number; readonly passBytes: number },
): BandCandidate[] {
  const all = points.flatMap((point, index) => {
    if (point.kind !== 'UDSB' || point.encryption !== encryption || point.bandBytes === null) return []
    return [{ bandBytes: point.bandBytes, rounds: roundTotals(samples, index) }]
  })
  const [first, ...others] = all
  const shared = [...(first?.rounds.keys() ?? [])].filter((round) =>
    others.every(({ rounds }) => rounds.has(round)),
  )
  return all.map(({ bandBytes, rounds }) => ({
    bandBytes,
    bands: bandsOf(sizes.fullBytes, bandBytes),
    bandsInPass: sizes.passBytes / bandBytes,
    roundNs: shared.map((round) => rounds.get(round) as number),
  }))
}

/** Nanoseconds of each round that a point went through whole: written, read and copied once. */
function roundTotals(samples: readonly SweepSample[], point: number): Map<number, number> {
  const byRound = new Map<number, SweepSample[]>()
  for (const sample of samples) {
    if (sample.point === point) byRound.set(sample.round, [...(byRound.get(sample.round) ?? []), sample])
  }
  const whole = [...byRound].filter(([, own]) => own.length === SWEEP_OPERATIONS.length)
  return new Map(whole.map(([round, own]) => [round, own.reduce((sum, { ns }) => sum + ns, 0)]))
}
