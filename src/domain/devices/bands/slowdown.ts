import type { Span } from '../../../primitives/estimate'
import { MAD_TO_DEVIATION, medianOf } from '../../statistics/quantiles'
import { tQuantile } from '../../statistics/tQuantile'

/** The standard error of a median of normal values is this times that of their mean: √(π/2). */
const MEDIAN_ERROR = Math.sqrt(Math.PI / 2)

/**
 * How many times as long each took as the best, round by round, so that what changed meanwhile
 * changed for both. Each has few rounds, but all are timed on the same device: the noise is taken
 * from all of them together (1.4826 times the median absolute deviation of the logarithms of all
 * ratios from their own median), and the range is Student's on the scale of logarithms. Extremes of
 * so few ratios would move with every outlier.
 * @param times nanoseconds by round, as many for each; at least two rounds
 */
export function slowdowns(times: readonly (readonly number[])[], best: readonly number[]): Span[] {
  const rounds = best.length
  const logs = times.map((own) => own.map((ns, round) => Math.log(ns / (best[round] as number))))
  const middles = logs.map(medianOf)
  // The best differs from itself by nothing, which says nothing of the noise.
  const away = logs.flatMap((own, index) =>
    own.every((log) => log === 0) ? [] : own.map((log) => Math.abs(log - (middles[index] as number))),
  )
  const noise = away.length === 0 ? 0 : MAD_TO_DEVIATION * smallSample(rounds) * medianOf(away)
  // All ratios share the best's rounds: however many there are, they know little more than two series do.
  const freedom = 2 * (rounds - 1)
  const reach = (tQuantile(freedom) * MEDIAN_ERROR * noise) / Math.sqrt(rounds)
  return middles.map((middle) => ({
    value: Math.exp(middle),
    low: Math.exp(middle - reach),
    high: Math.exp(middle + reach),
  }))
}

/**
 * Factors for few values, of which the median takes one for itself (Croux and Rousseeuw 1992);
 * n / (n - 0.8) from ten on.
 */
const SMALL_SAMPLES = [1.196, 1.196, 1.196, 1.495, 1.363, 1.206, 1.2, 1.14, 1.129, 1.107]

function smallSample(n: number): number {
  return SMALL_SAMPLES[n] ?? n / (n - 0.8)
}
