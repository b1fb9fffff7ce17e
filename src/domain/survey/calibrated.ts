/**
 * Sums over a level's sample without the blocks that are all zeros and full, which are counted
 * apart: of each block its bytes s (what it adds to the unique ones) and s × c with c its copies
 * (what it adds to all).
 */
export interface CalibrationSums {
  /** Unique bytes of what is counted apart. */
  readonly apartUniqueBytes: number
  /** Bytes of all other blocks, repeated ones included: known exactly. */
  readonly bytes: number
  readonly sumUnique: number
  readonly sumSquaredUnique: number
  readonly sumAll: number
  readonly sumUniqueTimesAll: number
  readonly sumSquaredAll: number
}

/**
 * A sample that misses the known bytes by more than so many standard errors has missed blocks with
 * very many copies.
 */
const MOST_ERRORS_OFF = 3
/**
 * Below this gain over the plain estimate, the sample's own bytes say nearly nothing of the unique
 * ones.
 */
const WORTHWHILE = 0.8

/**
 * The regression estimator of the unique bytes: the sample's estimate of all bytes is off by a
 * known amount, and that of the unique bytes is off with it. With b = sum of s × sc / sum of (sc)²,
 * it is U + b (bytes - B), and its variance is (1 - theta) / theta² × sum of (s - b sc)² (Cochran,
 * Sampling Techniques, chapter 7, for Poisson sampling through the origin). Of data with few copies
 * it knows ten times as much as the plain estimate.
 *
 * A block of very many copies would ruin it. In the sample it makes b vanish and so the gain;
 * missed, it shows in the known bytes. Both give null, as does a gain of less than a fifth: then
 * the plain estimate is used.
 * @param plainError the standard error of the plain estimate
 */
export function calibrated(
  sums: CalibrationSums,
  theta: number,
  plainError: number,
): { uniqueBytes: number; error: number } | null {
  const { sumUniqueTimesAll, sumSquaredAll, sumSquaredUnique } = sums
  if (sumSquaredAll <= 0) return null
  const spread = Math.sqrt(1 - theta) / theta
  const missing = sums.bytes - sums.sumAll / theta
  if (Math.abs(missing) > MOST_ERRORS_OFF * spread * Math.sqrt(sumSquaredAll)) return null
  const slope = sumUniqueTimesAll / sumSquaredAll
  const error = spread * Math.sqrt(Math.max(0, sumSquaredUnique - slope * sumUniqueTimesAll))
  if (error > WORTHWHILE * plainError) return null
  return { uniqueBytes: sums.apartUniqueBytes + sums.sumUnique / theta + slope * missing, error }
}
