import type { Span } from '../../primitives/estimate'
import { type Covariate, estimateTotal, type Observation } from '../statistics/estimateTotal'
import type { CalibratedSample, SampledUnit } from '../statistics/strata'

/**
 * The unique part of one sampled unit: each of its records counts one over its copies in the whole
 * source.
 */
export interface UniquePart {
  readonly bytes: number
  readonly records: number
}

/**
 * The unique part of a unit from its records' copies: shared by all copies of a content, so that
 * over the whole source every content adds up to one (the multiplicity estimator of Birnbaum and
 * Sirken). Records whose copies are not known (0) are left out.
 * @param copies in the order of the records, each of `recordSize` bytes but for the last
 */
export function uniquePart(copies: ArrayLike<number>, recordSize: number, unitBytes: number): UniquePart {
  let bytes = 0
  let records = 0
  for (let index = 0; index < copies.length; index++) {
    const count = copies[index] as number
    if (count === 0) continue
    bytes += Math.min(recordSize, unitBytes - index * recordSize) / count
    records += 1 / count
  }
  return { bytes, records }
}

/**
 * How much of a unit is unique in records larger than itself: its own share, raised evenly for all
 * units until the whole agrees with what the pass counted (a large record repeats less often than
 * its parts).
 * @param shares of the units' own bytes that are unique, `bytes` those bytes, both for each unit
 */
export function raisedShares(
  shares: readonly number[],
  bytes: readonly number[],
  weights: readonly number[],
  uniqueBytes: number,
): number[] {
  let all = 0
  let unique = 0
  shares.forEach((share, index) => {
    const stands = (weights[index] as number) * (bytes[index] as number)
    all += stands
    unique += stands * share
  })
  const raise = all > unique ? Math.max(0, Math.min(1, (uniqueBytes - unique) / (all - unique))) : 0
  return shares.map((share) => share + raise * (1 - share))
}

/** One measure of the unique parts of everything, which agrees with what the pass counted. */
export interface UniqueMeasure {
  /**
   * For each unit of the sample, its expected size with each cheap codec as predictor; the most
   * certain first.
   */
  readonly expected: readonly (readonly number[])[]
  /** Predictions for the unique parts of some more units, the phase with most units first. */
  readonly covariates?: readonly Covariate[]
  readonly observations: readonly Observation[]
  readonly systematicShare: number
}

/**
 * A sample whose weights make its unique bytes and records those that the pass counted: calibration
 * on two known totals (Deville and Särndal, JASA 1992). On the bytes alone where both cannot be
 * had.
 */
export function calibratedOnUnique(
  sample: CalibratedSample,
  parts: readonly UniquePart[],
  known: { readonly bytes: number; readonly records: number },
): CalibratedSample {
  const sums = { bytes: 0, records: 0, bb: 0, br: 0, rr: 0 }
  parts.forEach(({ bytes, records }, index) => {
    const weight = sample.weights[index] as number
    const per = weight / Math.max(1, (sample.units[index] as SampledUnit).bytes)
    sums.bytes += weight * bytes
    sums.records += weight * records
    sums.bb += per * bytes * bytes
    sums.br += per * bytes * records
    sums.rr += per * records * records
  })
  const lack = { bytes: known.bytes - sums.bytes, records: known.records - sums.records }
  const determinant = sums.bb * sums.rr - sums.br * sums.br
  const forBytes = (lack.bytes * sums.rr - lack.records * sums.br) / determinant
  const forRecords = (lack.records * sums.bb - lack.bytes * sums.br) / determinant
  const factors = parts.map(
    ({ bytes, records }, index) =>
      1 + (forBytes * bytes + forRecords * records) / Math.max(1, (sample.units[index] as SampledUnit).bytes),
  )
  const isPossible =
    determinant > 1e-9 * sums.bb * sums.rr &&
    factors.every((factor) => factor > LEAST_FACTOR && factor < 1 / LEAST_FACTOR)
  const scale = sums.bytes > 0 ? known.bytes / sums.bytes : 0
  return {
    units: sample.units.map((unit, index): SampledUnit => {
      const { bytes, records } = parts[index] as UniquePart
      return isPossible ? { ...unit, bytes, records } : { ...unit, bytes }
    }),
    weights: sample.weights.map(
      (weight, index) => weight * (isPossible ? (factors[index] as number) : scale),
    ),
    groups: sample.groups,
  }
}

/**
 * Weights may be changed by a factor of five at most: then the two totals contradict the sample.
 */
const LEAST_FACTOR = 0.2

/**
 * The total over the unique parts of everything, of what was seen of some units' unique parts.
 * @param sample from `calibratedOnUnique`
 * @param known the unique bytes with their range, whose share of error the total has too
 */
export function uniqueTotal(sample: CalibratedSample, measure: UniqueMeasure, known: Span): Span {
  const units = sample.units.map(
    (unit, index): SampledUnit => ({ ...unit, covariates: measure.expected[index] as readonly number[] }),
  )
  const { observations, systematicShare, covariates } = measure
  const total = estimateTotal({ ...sample, units }, observations, systematicShare, covariates)
  if (known.value <= 0) return total
  const below = (total.value * (known.value - known.low)) / known.value
  const above = (total.value * (known.high - known.value)) / known.value
  return spanAbout(total.value, [total.value - total.low, below], [total.high - total.value, above])
}

/**
 * A size with independent errors to both sides, each added up in quadrature; no size is below zero.
 */
export function spanAbout(value: number, below: readonly number[], above: readonly number[]): Span {
  return { value, low: Math.max(0, value - Math.hypot(...below)), high: value + Math.hypot(...above) }
}

/**
 * Codecs store what does not shrink, with frames of less than this share (gzip: 18 bytes a record,
 * of 2 KiB or more).
 */
const STORED_SHARE = 1 / 64

/**
 * A forecast of compressed distinct records, never above what storing all of them uncompressed
 * takes.
 */
export function storedAtMost({ value, low, high }: Span, unique: Span): Span {
  const most = unique.high * (1 + STORED_SHARE)
  return { value: Math.min(value, most), low: Math.min(low, most), high: Math.min(high, most) }
}
