import type { Span } from '../../../primitives/estimate'
import { medianRange } from '../../statistics/medianRange'
import { robustDeviation } from '../../statistics/quantiles'
import type { BandCandidate } from './recommend'
import type { SweepRate, SweepSample } from './sweepDocument'
import { bandsOf, type SweepPoint } from './sweepPlan'

export const SWEEP_OPERATIONS = ['write', 'read', 'stream'] as const

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

/** Paired by round; null where no round has both. */
export function ratioToReference(
  samples: readonly SweepSample[],
  reference: readonly SweepSample[],
): Span | null {
  const ratios = samples.flatMap((sample) => {
    const other = reference.find(({ round, op }) => round === sample.round && op === sample.op)
    return other ? [other.ns / sample.ns] : []
  })
  if (ratios.length === 0) return null
  const { value, low, high } = medianRange(ratios)
  return { value, low, high }
}

/**
 * The candidates among the points: sparse bundles of one encryption, with the rounds that every one
 * of them went through.
 */
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
