import type { CacheMode, CacheProof } from './measurement'

/** One thing that speaks for or against the device having answered itself. */
type Evidence = Readonly<CacheProof['evidence'][number]>

export interface CacheFacts {
  readonly obtained: CacheMode
  /** The files lie in memory, whatever is asked for. */
  readonly isMemory: boolean
  /**
   * Bytes asked for, and bytes that the device itself counted meanwhile; null where nothing counts.
   */
  readonly readBytes: number
  readonly writtenBytes: number
  readonly deviceReadBytes: number | null
  readonly deviceWrittenBytes: number | null
  /**
   * Bytes of our files found in the page cache after reading, of how many looked at; null where the
   * system does not tell.
   */
  readonly residentBytes: number | null
  readonly checkedBytes: number
  /** The fitted or median rate of reading, null if nothing was read. */
  readonly readBytesPerSecond: number | null
  /** The rate of a second, buffered read of the same data, which the cache answers. */
  readonly cachedBytesPerSecond: number | null
  readonly linkBytesPerSecond: number | null
  /** Samples faster than the device can be, of how many. */
  readonly suspects: number
  readonly samples: number
}

/**
 * Readahead and shared pages leave a few resident; more than this share of what was read is the
 * cache at work.
 */
const RESIDENT_LIMIT = 0.01
/**
 * The device must have counted this share of what was asked for: compression below the file system
 * lowers it too.
 */
const COUNTED_LIMIT = 0.9
/** Where nothing counts, a read this near to the cache's own rate is not believed. */
const CACHED_SHARE = 0.8
const SUSPECT_LIMIT = 0.05

/**
 * The device counted this much more than was asked for: others used it meanwhile, and its count
 * proves little.
 */
const OTHERS_SHARE = 1.25
const OTHERS_LEAST_BYTES = 16e6

/** True when the device moved clearly more than was asked of it. */
export function othersWorked(askedBytes: number, countedBytes: number): boolean {
  return countedBytes > askedBytes * OTHERS_SHARE + OTHERS_LEAST_BYTES
}

/**
 * Judges if figures can be the device's own. Counters of the device decide where there are some and
 * nobody else uses it; else, and for all that was buffered, reading must also be clearly slower
 * than from the cache (not always, because a fast drive may be nearly as fast as memory). Any
 * evidence against is enough.
 */
export function judgeCache(facts: CacheFacts): { plausible: boolean; evidence: Evidence[] } {
  const evidence: Evidence[] = []
  const see = (code: Evidence['code'], holds: boolean, figure: number | null, limit: number | null): void => {
    evidence.push({ code, holds, figure, limit })
  }
  if (facts.isMemory) see('memoryFileSystem', false, null, null)
  const { readBytes, residentBytes, checkedBytes, deviceReadBytes, deviceWrittenBytes, writtenBytes } = facts
  // What a buffered read leaves in the cache says nothing of where it came from.
  if (residentBytes !== null && checkedBytes > 0 && facts.obtained === 'uncached') {
    const limit = Math.max(RESIDENT_LIMIT * checkedBytes, 64 * 1024)
    see('resident', residentBytes <= limit, residentBytes, limit)
  }
  if (deviceReadBytes !== null && readBytes > 0) {
    const limit = COUNTED_LIMIT * readBytes
    see('deviceReads', deviceReadBytes >= limit, deviceReadBytes, limit)
  }
  if (deviceWrittenBytes !== null && writtenBytes > 0) {
    const limit = COUNTED_LIMIT * writtenBytes
    see('deviceWrites', deviceWrittenBytes >= limit, deviceWrittenBytes, limit)
  }
  const isReadCounted = deviceReadBytes !== null && !othersWorked(readBytes, deviceReadBytes)
  const isWriteCounted = deviceWrittenBytes !== null && !othersWorked(writtenBytes, deviceWrittenBytes)
  const needsRate = !isReadCounted || facts.obtained === 'buffered'
  if (needsRate && facts.cachedBytesPerSecond !== null && facts.readBytesPerSecond !== null) {
    const limit = CACHED_SHARE * facts.cachedBytesPerSecond
    see('cachedRate', facts.readBytesPerSecond < limit, facts.readBytesPerSecond, limit)
  }
  if (facts.linkBytesPerSecond !== null && facts.readBytesPerSecond !== null) {
    see(
      'linkRate',
      facts.readBytesPerSecond <= facts.linkBytesPerSecond,
      facts.readBytesPerSecond,
      facts.linkBytesPerSecond,
    )
  }
  const tooManySuspects = facts.samples > 0 && facts.suspects / facts.samples > SUSPECT_LIMIT
  const isProved = evidence.length > 0 && evidence.every(({ holds }) => holds)
  // Buffered writes may still be in memory when the clock stops, so nothing that was buffered is the device's own figure
  // unless the device itself counted it.
  const isCounted = (readBytes === 0 || isReadCounted) && (writtenBytes === 0 || isWriteCounted)
  return {
    plausible: isProved && !tooManySuspects && (facts.obtained === 'uncached' || isCounted),
    evidence,
  }
}
