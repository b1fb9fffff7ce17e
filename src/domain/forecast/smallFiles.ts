import type { Span } from '../../primitives/estimate'

/**
 * Files below this are counted by their sizes: samples, which are drawn by bytes, know too few of
 * them.
 */
export const SMALL_FILE_BYTES = 2048

/**
 * A file below this fits, compressed, into a block pointer of ZFS (112 bytes): nothing is allocated
 * for it.
 */
const NOTHING_BYTES = 64

/**
 * How many standard errors a range reaches: two, and a fifth for means of a few files of which most
 * are alike (94 % held without it).
 */
const REACH = 2.4

/** A sampled file: how many it stands for, and what is asked of it. */
export interface SmallFile {
  readonly bytes: number
  readonly weight: number
  /** Predicted from a fast codec. */
  readonly supposed: number
  /**
   * The result of running the codec in question on it, with the probability of the draw; null if it
   * was not run.
   */
  readonly found: { readonly value: number; readonly probability: number } | null
}

/**
 * A sum over all different files from `NOTHING_BYTES` to below `SMALL_FILE_BYTES`. How many there
 * are of each size is known from counting, by powers of two; their mean is taken from samples
 * (post-stratification), together with one file that is supposed. Of each sample what was supposed
 * counts, and how far that was off where the codec was run (difference estimator).
 * @param distinctBelow counts different files of at least one byte below a power of two
 * @param supposedOf what is asked of a file of so many bytes when nothing is known of it
 */
export function smallFilesTotal(
  distinctBelow: (below: number) => { readonly count: number },
  seen: readonly SmallFile[],
  supposedOf: (bytes: number) => number,
): Span {
  let value = 0
  let variance = 0
  for (let from = NOTHING_BYTES; from < SMALL_FILE_BYTES; from *= 2) {
    const files = distinctBelow(2 * from).count - distinctBelow(from).count
    const sampled = seen.filter(({ bytes, weight }) => bytes >= from && bytes < 2 * from && weight > 0)
    const prior = supposedOf(from)
    const off = suppositionsOff(sampled)
    const weights = sampled.reduce((sum, one) => sum + one.weight, 0)
    const squares = sampled.reduce((sum, one) => sum + one.weight ** 2, 0)
    // Files of unequal weights tell as much as so many of equal ones (Kish).
    const count = squares > 0 ? weights ** 2 / squares : 0
    const unseen = files > 0 ? Math.max(0, 1 - count / files) : 0
    const meanOf = (valueOf: (one: SmallFile) => number, priorValue: number): number => {
      const sum = sampled.reduce((total, one) => total + one.weight * valueOf(one), 0)
      return ((weights > 0 ? sum / weights : 0) * count + unseen * priorValue) / Math.max(count + unseen, 1)
    }
    const likely = ({ supposed, found }: SmallFile): number => found?.value ?? supposed + off.mean
    const mean = meanOf(likely, prior)
    const squared = meanOf((one) => likely(one) ** 2, prior ** 2)
    const spread = count === 0 ? prior ** 2 : Math.max(0, squared - mean * mean)
    value += files * meanOf((one) => one.supposed + off.mean, prior)
    variance += files * files * ((unseen * spread) / (count + 1) + off.variance)
  }
  const half = REACH * Math.sqrt(variance)
  return { value, low: Math.max(0, value - half), high: value + half }
}

/**
 * How far suppositions are off in the mean, and the variance of that where the codec was not run on
 * all.
 */
function suppositionsOff(sampled: readonly SmallFile[]): { mean: number; variance: number } {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const run = sampled.flatMap(({ weight, supposed, found }) =>
    found === null
      ? []
      : [{ stands: weight, weight: weight / found.probability, off: found.value - supposed }],
  )
  const weights = sum(run.map(({ weight }) => weight))
  const squares = sum(run.map(({ weight }) => weight ** 2))
  const count = squares > 0 ? weights ** 2 / squares : 0
  if (count <= 1) return { mean: 0, variance: 0 }
  const mean = sum(run.map(({ weight, off }) => weight * off)) / weights
  const spread = sum(run.map(({ weight, off }) => weight * (off - mean) ** 2)) / weights
  const notRun = 1 - sum(run.map(({ stands }) => stands)) / sum(sampled.map(({ weight }) => weight))
  return { mean, variance: (notRun * spread) / (count - 1) }
}
