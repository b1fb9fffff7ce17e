/**
 * The median and the interval between two order statistics that holds the true median with at least 95 %, whatever the
 * distribution: the number of samples below it is binomial with one half (Conover, Practical Nonparametric Statistics).
 * With fewer than six samples no such interval exists, and it is all of them.
 */
export function medianWithInterval(samples: readonly number[]): {
  median: number
  low: number
  high: number
  confidence: number
} {
  const sorted = samples.toSorted((a, b) => a - b)
  const n = sorted.length
  const half = n >> 1
  const upper = sorted[half] as number
  const median = n % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2
  let term = 0.5 ** n
  let tail = term
  let cut = 0
  for (let next = 1; next < half; next++) {
    term *= (n - next + 1) / next
    if (2 * (tail + term) > 0.05) break
    tail += term
    cut = next
  }
  return { median, low: sorted[cut] as number, high: sorted[n - 1 - cut] as number, confidence: 1 - 2 * tail }
}
