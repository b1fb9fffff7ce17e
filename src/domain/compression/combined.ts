import { estimateTotal, type Observation, type TotalRange } from './estimateTotal'
import type { CalibratedSample, SampledUnit } from './strata'

/** What deduplication leaves of one sampled unit: each of its records counts one over its copies in the whole source. */
export interface UniquePart {
  readonly bytes: number
  readonly records: number
}

/** A total that is known from counting, with its range if the count was a sample itself. */
export interface KnownTotal {
  readonly value: number
  readonly low: number
  readonly high: number
}

/**
 * The unique part of a unit from its records' copies: shared by all copies of a content, so that over the whole source every
 * content adds up to one (the multiplicity estimator of Birnbaum and Sirken). Records whose copies are not known (0) are left out.
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
 * How much of a unit is unique in records larger than itself: its own share, raised evenly for all units until the whole
 * agrees with what the pass counted (a large record repeats less often than its parts).
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

/**
 * The total over the unique parts of everything of what was seen of some units' unique parts. What the pass counted of unique
 * bytes (or records) is known, so only the ratio to it is estimated.
 * @param unique for each unit of the sample, in the measure of `known`
 */
export function uniqueTotal(
  sample: CalibratedSample,
  unique: readonly number[],
  known: KnownTotal,
  observations: readonly Observation[],
  systematicShare: number,
): TotalRange {
  let expanded = 0
  unique.forEach((one, index) => {
    expanded += (sample.weights[index] as number) * one
  })
  if (expanded === 0) return { value: 0, low: 0, high: 0 }
  const scale = known.value / expanded
  const units = sample.units.map((unit, index): SampledUnit => {
    const share = unit.bytes > 0 ? (unique[index] as number) / unit.bytes : 0
    return {
      ...unit,
      bytes: unique[index] as number,
      covariates: unit.covariates.map((covariate) => covariate * share),
    }
  })
  const weights = sample.weights.map((weight) => weight * scale)
  const total = estimateTotal({ units, weights, groups: sample.groups }, observations, systematicShare)
  if (known.value <= 0) return total
  const below = (total.value * (known.value - known.low)) / known.value
  const above = (total.value * (known.high - known.value)) / known.value
  return {
    value: total.value,
    low: Math.max(0, total.value - Math.hypot(total.value - total.low, below)),
    high: total.value + Math.hypot(total.high - total.value, above),
  }
}
