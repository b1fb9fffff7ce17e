import type { CalibratedSample } from './strata'

/** The order in which dear codecs visit the sampled units, so that stopping after any number leaves a fair sample. */
export interface VisitingOrder {
  /** Indices of units, first to visit first. */
  readonly order: readonly number[]
  /** The probability that a unit is among the first `count`, given where the sampling stopped. */
  probability(unit: number, count: number): number
}

/** Starting a codec costs about as much as compressing this many bytes. */
const START_BYTES = 4096
/** So much of a unit's bytes counts as importance even if a cheap codec makes it vanish: a dear one may disagree. */
const LEAST_IMPORTANCE = 0.02

/**
 * Sequential priority sampling (Duffield, Lund, Thorup, J. ACM 54(6), 2007): every unit draws a number, divides it by its
 * importance, and the smallest come first; with the first n visited the (n+1)th number is the threshold, and a unit's
 * probability is min(1, importance × threshold). Importance is what a unit contributes to the compressed total by
 * the first covariate, over the square root of what visiting it costs (Neyman's rule).
 * @param unit01 a random number above 0 and at most 1 for each unit in turn
 */
export function visitingOrder(sample: CalibratedSample, unit01: () => number): VisitingOrder {
  const importance = sample.units.map((unit, index) => {
    const size = (unit.covariates[0] ?? unit.bytes) + LEAST_IMPORTANCE * unit.bytes
    return ((sample.weights[index] as number) * size) / Math.sqrt(unit.bytes + START_BYTES)
  })
  const draws = importance.map((one) => (one > 0 ? unit01() / one : Number.POSITIVE_INFINITY))
  const order = draws
    .map((_, index) => index)
    .filter((index) => (importance[index] as number) > 0)
    .toSorted((a, b) => (draws[a] as number) - (draws[b] as number))
  return {
    order,
    probability(unit, count) {
      const next = order[count]
      if (next === undefined) return 1
      return Math.min(1, (importance[unit] as number) * (draws[next] as number))
    },
  }
}
