import type { TotalRange } from './estimateTotal'

/** Files below this are counted by their sizes: samples, which are drawn by bytes, know too few of them. */
export const SMALL_FILE_BYTES = 2048

/** Whatever is in a file below this, compressed it fits into a block pointer of ZFS (112 bytes): nothing is allocated for it. */
const NOTHING_BYTES = 64

/** How many standard errors a range reaches: two, and a fifth for means of a few files of which most are alike (94 % held without it). */
const REACH = 2.4

/** A sampled file: how many it stands for, and what is asked of it. */
export interface SmallFile {
  readonly bytes: number
  readonly weight: number
  readonly value: number
}

/**
 * A sum over all different files from `NOTHING_BYTES` to below `SMALL_FILE_BYTES`. How many there are of each size is known from
 * counting, by powers of two; their mean is taken from samples (post-stratification), together with one file that is supposed.
 * @param distinctBelow counts different files of at least one byte below a power of two
 * @param supposed what is asked of a file of so many bytes when nothing is known of it
 */
export function smallFilesTotal(
  distinctBelow: (below: number) => { readonly count: number },
  seen: readonly SmallFile[],
  supposed: (bytes: number) => number,
): TotalRange {
  let value = 0
  let variance = 0
  for (let from = NOTHING_BYTES; from < SMALL_FILE_BYTES; from *= 2) {
    const files = distinctBelow(2 * from).count - distinctBelow(from).count
    const some = seen.filter(({ bytes, weight }) => bytes >= from && bytes < 2 * from && weight > 0)
    const prior = supposed(from)
    const weights = some.reduce((sum, one) => sum + one.weight, 0)
    const squares = some.reduce((sum, one) => sum + one.weight ** 2, 0)
    // Files of unequal weights tell as much as so many of equal ones (Kish).
    const count = squares > 0 ? weights ** 2 / squares : 0
    const unseen = files > 0 ? Math.max(0, 1 - count / files) : 0
    const meanOf = (of: (value: number) => number): number => {
      const sum = some.reduce((total, one) => total + one.weight * of(one.value), 0)
      return ((weights > 0 ? sum / weights : 0) * count + unseen * of(prior)) / Math.max(count + unseen, 1)
    }
    const mean = meanOf((one) => one)
    const spread = count === 0 ? prior ** 2 : Math.max(0, meanOf((one) => one * one) - mean * mean)
    value += files * mean
    variance += (unseen * files * files * spread) / (count + 1)
  }
  const half = REACH * Math.sqrt(variance)
  return { value, low: Math.max(0, value - half), high: value + half }
}
