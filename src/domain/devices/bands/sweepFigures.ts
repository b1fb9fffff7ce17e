import type { Span } from '../../../primitives/estimate'
import { bandsAtFullSize } from '../../images/kinds'
import { medianRange } from '../../statistics/medianRange'
import { robustDeviation } from '../../statistics/quantiles'
import type { ContainerFacts } from '../bandKind'
import type { Sample } from '../sampleCollector'
import type { BandCandidate } from './recommend'
import {
  type BandSweepPoint,
  SWEEP_OPERATIONS,
  type SweepOperation,
  type SweepPointFacts,
  type SweepRate,
  type SweepSample,
} from './sweepDocument'
import type { SweepPlan } from './sweepPlan'

const FEWEST_FOR_RANGE = 3
/** Writing, reading, and the two sides of copying. */
const SAMPLES_OF_PASS = 4

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
  points: readonly ContainerFacts[],
  samples: readonly SweepSample[],
  encryption: ContainerFacts['encryption'],
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
    bands: bandsAtFullSize(sizes.fullBytes, bandBytes),
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

export function pointFacts(
  { kind, encryption, bandBytes }: ContainerFacts,
  fullBytes: number,
): SweepPointFacts {
  return {
    kind,
    encryption,
    bandSize: bandBytes,
    bands: bandBytes === null ? null : bandsAtFullSize(fullBytes, bandBytes),
  }
}

/** The figures of every point so far, the reference first. */
export function pointFigures(
  plan: SweepPlan,
  samples: readonly SweepSample[],
  fullBytes: number,
): BandSweepPoint[] {
  const of = (point: number, op: SweepOperation): SweepSample[] =>
    samples.filter((sample) => sample.point === point && sample.op === op)
  return plan.points.map((point, index) => {
    const rate = (op: SweepOperation) => sweepRate(of(index, op))
    const ratio = (op: SweepOperation) => ratioToReference(of(index, op), of(0, op))
    return {
      ...pointFacts(point, fullBytes),
      bandsInPass: point.bandBytes === null ? null : plan.passBytes / point.bandBytes,
      write: rate('write'),
      read: rate('read'),
      stream: rate('stream'),
      ofReference: { write: ratio('write'), read: ratio('read'), stream: ratio('stream') },
    }
  })
}

/** Rounds that every point went through. */
export function wholeRounds(plan: SweepPlan, samples: readonly SweepSample[]): number {
  const perRound = new Map<number, number>()
  for (const { round } of samples) perRound.set(round, (perRound.get(round) ?? 0) + 1)
  return [...perRound.values()].filter((count) => count === SWEEP_OPERATIONS.length * plan.points.length)
    .length
}

/**
 * The passes of a sweep among the samples of its measurement: of those that are whole, without the
 * warm-up. A copy takes as long as the slower of its two sides.
 */
export function sweepSamples(timed: readonly Sample[]): SweepSample[] {
  const passes = new Map<string, Sample[]>()
  for (const sample of timed) {
    if (sample.repeat < 0) continue
    const key = `${sample.repeat} ${sample.test}`
    passes.set(key, [...(passes.get(key) ?? []), sample])
  }
  return [...passes.values()].flatMap((pass) => {
    const ns = (op: Sample['op']): number => pass.find((sample) => sample.op === op)?.ns ?? 0
    const times = {
      write: ns('write'),
      read: ns('read'),
      stream: Math.max(ns('streamRead'), ns('streamWrite')),
    }
    const [first] = pass
    if (first === undefined || pass.length < SAMPLES_OF_PASS) return []
    const { test: point, repeat: round, bytes } = first
    return SWEEP_OPERATIONS.map((op) => ({ point, round, op, bytes, ns: Math.max(1, times[op]) }))
  })
}
