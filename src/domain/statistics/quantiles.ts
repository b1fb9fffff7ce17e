import { z } from 'zod'
import { countSchema } from '../scalars'

/**
 * Quantiles of what was seen. `spread` is a robust standard deviation, absent (null) for a single
 * value.
 */
export const distributionSchema = z.object({
  n: countSchema,
  min: z.number(),
  q05: z.number(),
  q25: z.number(),
  median: z.number(),
  q75: z.number(),
  q95: z.number(),
  max: z.number(),
  spread: z.number().nullable(),
})
export type Distribution = z.infer<typeof distributionSchema>

/**
 * Makes the median absolute deviation of normally distributed values their standard deviation:
 * 1 / Φ⁻¹(3/4).
 */
export const MAD_TO_DEVIATION = 1.4826

/**
 * The quantile of values in rising order, linearly interpolated between neighbours (definition 7 of
 * Hyndman and Fan 1996, that of R and NumPy). `sorted` must not be empty.
 */
export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  const place = share * (sorted.length - 1)
  const below = Math.floor(place)
  const low = sorted[below] as number
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number
  return low + (high - low) * (place - below)
}

/** @returns NaN for no values */
export function medianOf(values: Iterable<number>): number {
  const sorted = Float64Array.from(values).toSorted()
  return sorted.length === 0 ? Number.NaN : quantileOf(sorted, 0.5)
}

/**
 * 1.4826 × the median absolute deviation from the median: a standard deviation that outliers do not
 * move.
 */
export function robustDeviation(values: readonly number[]): number {
  const middle = medianOf(values)
  return MAD_TO_DEVIATION * medianOf(values.map((value) => Math.abs(value - middle)))
}

/** Null for no values. */
export function distributionOf(values: readonly number[]): Distribution | null {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).toSorted()
  return {
    n: sorted.length,
    min: sorted[0] as number,
    q05: quantileOf(sorted, 0.05),
    q25: quantileOf(sorted, 0.25),
    median: quantileOf(sorted, 0.5),
    q75: quantileOf(sorted, 0.75),
    q95: quantileOf(sorted, 0.95),
    max: sorted.at(-1) as number,
    spread: sorted.length === 1 ? null : robustDeviation(values),
  }
}

/**
 * The weighted median: the first value, in rising order, at which half of the weight is reached;
 * the mean of two values where it is reached exactly between them. `order` sorts the values;
 * weights of 0 count as absent.
 * @returns NaN when all weights are 0
 */
export function weightedMedian(
  values: ArrayLike<number>,
  weights: ArrayLike<number>,
  order: ArrayLike<number>,
): number {
  let total = 0
  for (let k = 0; k < order.length; k++) total += weights[order[k] as number] as number
  if (total === 0) return Number.NaN
  let reached = 0
  for (let k = 0; k < order.length; k++) {
    const index = order[k] as number
    reached += weights[index] as number
    if (reached * 2 > total) return values[index] as number
    if (reached * 2 === total) {
      let next = k + 1
      while ((weights[order[next] as number] as number) === 0) next += 1
      return ((values[index] as number) + (values[order[next] as number] as number)) / 2
    }
  }
  return Number.NaN
}

/** The indices of the values in their rising order. */
export function orderOf(values: Float64Array): Uint32Array {
  const order = Uint32Array.from(values, (_, index) => index)
  return order.toSorted((a, b) => (values[a] as number) - (values[b] as number))
}
