/** A median with the range that holds the true one. */
interface MedianRange {
  readonly value: number
  readonly low: number
  readonly high: number
  /**
   * The confidence of the range: at least 0.95 where there are six values or more; with fewer that
   * of their extremes.
   */
  readonly confidence: number
}

const WANTED = 0.95

/**
 * The median and an interval for it from order statistics, which asks nothing of the values'
 * distribution but that they are independent: between the k-th smallest and the k-th largest of n
 * the true median lies with 1 - 2 P(B < k), B binomial with n and 1/2 (for example Conover,
 * Practical Nonparametric Statistics, 3.2). The narrowest interval of at least 95 % is taken.
 * @param values at least one
 */
export function medianRange(values: readonly number[]): MedianRange {
  const sorted = values.toSorted((a, b) => a - b)
  const n = sorted.length
  let taken = 1
  while (taken * 2 < n && coverage(n, taken + 1) >= WANTED) taken += 1
  const middle = (n - 1) / 2
  return {
    value: ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2,
    low: sorted[taken - 1] as number,
    high: sorted[n - taken] as number,
    confidence: coverage(n, taken),
  }
}

/** How likely the true median lies between the k-th smallest and the k-th largest of n values. */
function coverage(n: number, k: number): number {
  let below = 0
  let ways = 1
  for (let at = 0; at < k; at++) {
    below += ways
    ways = (ways * (n - at)) / (at + 1)
  }
  return Math.max(0, 1 - below * 2 ** (1 - n))
}
