import type { CalibratedSample } from '../statistics/strata'

/**
 * The order in which slow codecs visit the sampled units, so that stopping between two contents
 * leaves a fair sample.
 */
export interface VisitingOrder {
  /** Indices of units, first to visit first; units of equal content one after the other. */
  readonly order: readonly number[]
  /** The probability that a unit is among the first `count`, given where the sampling stopped. */
  probability(unit: number, count: number): number
  /** How many contents are among the first `count`: so many visits they cost. */
  contents(count: number): number
  /** True when the unit at a place of the order has the content of the one before it. */
  isRepeat(place: number): boolean
}

/** Starting a codec costs about as much as compressing this many bytes. */
const START_BYTES = 4096
const GOLDEN = (Math.sqrt(5) - 1) / 2
/**
 * So much of a unit's bytes counts as importance even if a cheap codec makes it vanish: a slow one
 * may disagree.
 */
const LEAST_IMPORTANCE = 0.02

/**
 * Draws for `visitingOrder` instead of independent ones: each is uniform above 0 to 1, and small
 * ones are at even distances (Weyl's sequence with the golden ratio, whose gaps have three lengths
 * at most), so that contents in an order in which neighbours are similar are visited evenly along
 * it. Variances are estimated as if draws were independent, which is on the safe side
 * (docs/methods/constants.md).
 * @param start random, from 0 to below 1
 */
export function evenDraws(start: number): () => number {
  let next = start
  return () => {
    const draw = next
    next = (next + GOLDEN) % 1
    return 1 - draw
  }
}

/**
 * Sequential priority sampling (Duffield, Lund, Thorup, J. ACM 54(6), 2007): every content draws a
 * number, divides it by its importance, and the smallest come first; with the first n visited the
 * (n+1)th number is the threshold, and a unit's probability is `min(1, importance × threshold)`.
 * Importance is what all units of the content contribute to the compressed total by the first
 * covariate, over the square root of what one visit costs (Neyman's rule).
 * @param unit01 a random number above 0 and at most 1 for each content in turn (`evenDraws`,
 *   where neighbours are alike)
 */
export function visitingOrder(sample: CalibratedSample, unit01: () => number): VisitingOrder {
  const contents = new Map<number, { importance: number; draw: number; readonly units: number[] }>()
  const all = sample.units.map((unit, index) => {
    const key = unit.content ?? -1 - index
    const one = contents.get(key) ?? { importance: 0, draw: 0, units: [] }
    contents.set(key, one)
    const size = (unit.covariates[0] ?? unit.bytes) + LEAST_IMPORTANCE * unit.bytes
    one.importance += ((sample.weights[index] as number) * size) / Math.sqrt(unit.bytes + START_BYTES)
    one.units.push(index)
    return one
  })
  for (const one of contents.values()) one.draw = unit01() / one.importance
  const order = [...contents.values()]
    .filter(({ importance }) => importance > 0)
    .toSorted((a, b) => a.draw - b.draw)
    .flatMap(({ units }) => units)
  const isRepeat = (place: number): boolean =>
    place > 0 && place < order.length && all[order[place] as number] === all[order[place - 1] as number]
  const before = new Uint32Array(order.length + 1)
  for (let place = 0; place < order.length; place++)
    before[place + 1] = (before[place] as number) + (isRepeat(place) ? 0 : 1)
  return {
    order,
    isRepeat,
    contents: (count) => before[Math.min(count, order.length)] as number,
    probability(unit, count) {
      const next = order[count]
      if (next === undefined) return 1
      const { importance } = all[unit] as { importance: number }
      return Math.min(1, importance * (all[next] as { draw: number }).draw)
    },
  }
}
