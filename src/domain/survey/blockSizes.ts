/**
 * Sizes from here on have figures in every survey, each a power of two, up to 1 MiB; from 512 B
 * where that is asked for.
 */
const LEAST_USUAL_BYTES = 2048
const MOST_USUAL_BYTES = 1024 * 1024

/** The sizes that every survey counts, the smallest first. */
export function treeSizes(from512: boolean): number[] {
  const sizes: number[] = []
  for (let size = from512 ? 512 : LEAST_USUAL_BYTES; size <= MOST_USUAL_BYTES; size *= 2) sizes.push(size)
  return sizes
}

function isPowerOfTwo(size: number): boolean {
  return Number.isInteger(Math.log2(size))
}

/** The work of counting blocks of these sizes in addition to that of every survey. */
export function blockPasses(sizes: readonly number[]): {
  readonly from512: boolean
  readonly linear: readonly number[]
} {
  const once = [...new Set(sizes)]
  // The oldest window has no toSorted.
  once.sort((a, b) => a - b)
  const isUsual = (size: number): boolean => isPowerOfTwo(size) && size <= MOST_USUAL_BYTES
  return {
    from512: once.some((size) => isUsual(size) && size < LEAST_USUAL_BYTES),
    linear: once.filter((size) => !isUsual(size)),
  }
}
