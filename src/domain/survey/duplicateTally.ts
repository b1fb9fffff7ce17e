import { type DigestNumbers, digestNumbers } from './digestNumbers'
import type { DuplicateTotals } from './surveyDocument'

/**
 * Different contents of at least one byte below a length: their number, and their bytes counted
 * once.
 */
export interface DistinctContents {
  readonly count: number
  readonly bytes: number
}

/**
 * Counts files with equal digests, in a byte or two of memory for each different digest, in
 * addition to its number.
 */
export interface DuplicateTally {
  /**
   * `digest` has from `at` 16 bytes of a good hash of the whole content; they are copied. Equal
   * ones are taken for equal content.
   */
  add(digest: Uint8Array, bytes: number, at?: number): void
  figures(): DuplicateTotals
  /** Exact up to equal digests of different contents. `below`: a power of two, up to 2^52. */
  distinctBelow(below: number): DistinctContents
}

/** A tally of nothing yet. @param digests may be others' as well */
export function duplicateTally(digests: DigestNumbers = digestNumbers()): DuplicateTally {
  /** By the digest's number. 0: not seen, 1: once, 2: again. */
  let seen = new Uint8Array(1024)
  let groups = 0
  let files = 0
  let saved = 0
  /** By floor(log2) of the length. */
  const distinctCounts = new Float64Array(53)
  const distinctBytes = new Float64Array(53)

  return {
    add(digest, bytes, at = 0) {
      const number = digests.numberOf(digest, at)
      if (number >= seen.length) {
        const old = seen
        seen = new Uint8Array(2 * number)
        seen.set(old)
      }
      if (seen[number] === 0) {
        seen[number] = 1
        if (bytes > 0) {
          const doublings = doublingsOf(bytes)
          distinctCounts[doublings] = (distinctCounts[doublings] as number) + 1
          distinctBytes[doublings] = (distinctBytes[doublings] as number) + bytes
        }
        return
      }
      if (seen[number] === 1) {
        seen[number] = 2
        groups += 1
        files += 1
      }
      files += 1
      saved += bytes
    },
    figures: () => ({ groups, files, bytes: saved }),
    distinctBelow: (below) => {
      const end = doublingsOf(below)
      const sum = (of: Float64Array) => of.subarray(0, end).reduce((total, one) => total + one, 0)
      return { count: sum(distinctCounts), bytes: sum(distinctBytes) }
    },
  }
}

/** The greatest k with 2^k <= number, which is at least 1. */
function doublingsOf(number: number): number {
  const high = Math.floor(number / 2 ** 32)
  return Math.min(52, high > 0 ? 63 - Math.clz32(high) : 31 - Math.clz32(number))
}
