import type { SizeBin } from './surveyDocument'

/** Counts files by size; an addition costs a few operations. */
interface SizeHistogram {
  add(bytes: number): void
  /**
   * From the empty files to the largest that were seen, bins without files between them included.
   */
  bins(): SizeBin[]
}

/** One bin for empty files, then one for each power of two up to 2^53 - 1 bytes. */
const BINS = 54

/** A histogram of nothing yet. Bin k from 1 holds sizes from 2^(k-1) up to (not including) 2^k. */
export function sizeHistogram(): SizeHistogram {
  const files = new Float64Array(BINS)
  const bytesIn = new Float64Array(BINS)
  let last = 0
  return {
    add(bytes) {
      const bin = sizeBinOf(bytes)
      files[bin] = (files[bin] as number) + 1
      bytesIn[bin] = (bytesIn[bin] as number) + bytes
      if (bin > last) last = bin
    },
    bins: () =>
      Array.from({ length: last + 1 }, (_, bin) => ({
        fromBytes: bin === 0 ? 0 : 2 ** (bin - 1),
        toBytes: bin === BINS - 1 ? null : 2 ** bin,
        files: files[bin] as number,
        bytes: bytesIn[bin] as number,
      })),
  }
}

/** The place of a size's bin. */
export function sizeBinOf(bytes: number): number {
  const upper = Math.floor(bytes / 2 ** 32)
  return upper === 0 ? 32 - Math.clz32(bytes) : 64 - Math.clz32(upper)
}
