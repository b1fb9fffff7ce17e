import { tQuantile } from '../statistics/tQuantile'

/**
 * Some short files that follow one another: compressed bytes of each by itself, and of the blocks
 * that they share.
 */
export interface FragmentSample {
  readonly bytes: number
  readonly aloneBytes: number
  readonly togetherBytes: number
}

/**
 * The saving of all short files by sharing blocks, from some stretches of them: a ratio estimate
 * over clusters (Cochran, Sampling Techniques, 6.4 and 9A). The 95 % range counts the variation
 * between stretches and the number that was not read. Never more than the bytes. With one stretch
 * that is not everything the range begins at no saving.
 */
export function fragmentSaving(
  samples: readonly FragmentSample[],
  bytes: number,
): { predictedBytes: number; low: number; high: number } {
  const seen = samples.reduce((sum, sample) => sum + sample.bytes, 0)
  if (seen === 0) return { predictedBytes: 0, low: 0, high: bytes }
  const saved = samples.map(({ aloneBytes, togetherBytes }) => aloneBytes - togetherBytes)
  const rate = saved.reduce((sum, one) => sum + one, 0) / seen
  const predictedBytes = Math.min(bytes, Math.max(0, rate * bytes))
  const unseen = Math.max(0, 1 - seen / bytes)
  if (unseen === 0) return { predictedBytes, low: predictedBytes, high: predictedBytes }
  const count = samples.length
  if (count < 2) return { predictedBytes, low: 0, high: Math.min(bytes, 2 * predictedBytes) }
  const squares = samples.reduce(
    (sum, sample, index) => sum + ((saved[index] as number) - rate * sample.bytes) ** 2,
    0,
  )
  const error = (Math.sqrt(((squares * count) / (count - 1)) * unseen) / seen) * bytes
  const reach = tQuantile(count - 1) * error
  return {
    predictedBytes,
    low: Math.max(0, predictedBytes - reach),
    high: Math.min(bytes, predictedBytes + reach),
  }
}
