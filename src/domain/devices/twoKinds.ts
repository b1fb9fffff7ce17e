import { quantileOf } from '../statistics/quantiles'

/** Samples of two kinds: which share is the slower one, and how many times slower. */
export interface TwoKinds {
  readonly share: number
  readonly factor: number
}

const FEWEST = 20
/** Fewer than this share on one side are outliers, not a kind. */
const LEAST_SHARE = 0.15
/** Kinds that differ by less than this are one. */
const LEAST_FACTOR = 1.1
/**
 * Ashman's D: the distance of the means in units of the spread within. Cutting one normal bulk in
 * two anywhere gives at most about 2.8; two bulks that the eye sees apart have much more.
 */
const LEAST_SEPARATION = 6

/**
 * Finds samples of two kinds, such as two discs of one volume or files on two media: the best cut
 * of their slowness on the scale of logarithms, with the outermost twentieths pulled in so that
 * stalls do not blur it. Null when there is one kind.
 */
export function findTwoKinds(slowness: readonly number[]): TwoKinds | null {
  if (slowness.length < FEWEST) return null
  const sorted = Float64Array.from(slowness, (value) => Math.log(Math.max(value, 1e-9))).toSorted()
  const [low, high] = [quantileOf(sorted, 0.05), quantileOf(sorted, 0.95)]
  const values = sorted.map((value) => Math.min(high, Math.max(low, value)))
  let best: { at: number; separation: number; gap: number } | null = null
  const all = moments(values)
  let [sum, squares] = [0, 0]
  for (let at = 1; at < values.length; at++) {
    const value = values[at - 1] as number
    sum += value
    squares += value * value
    const share = at / values.length
    if (share < LEAST_SHARE || share > 1 - LEAST_SHARE) continue
    const left = { mean: sum / at, variance: squares / at - (sum / at) ** 2 }
    const rest = values.length - at
    const restMean = (all.sum - sum) / rest
    const right = { mean: restMean, variance: (all.squares - squares) / rest - restMean ** 2 }
    const gap = right.mean - left.mean
    const within = Math.max(0, left.variance) + Math.max(0, right.variance)
    const separation = (Math.SQRT2 * gap) / Math.sqrt(Math.max(within, 1e-8))
    if (best === null || separation > best.separation) best = { at, separation, gap }
  }
  if (best === null || best.separation < LEAST_SEPARATION || best.gap < Math.log(LEAST_FACTOR)) return null
  return { share: 1 - best.at / values.length, factor: Math.exp(best.gap) }
}

function moments(values: Float64Array): { sum: number; squares: number } {
  let [sum, squares] = [0, 0]
  for (const value of values) {
    sum += value
    squares += value * value
  }
  return { sum, squares }
}
