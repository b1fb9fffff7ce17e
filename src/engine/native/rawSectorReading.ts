import type { AppErrorCode } from '../../primitives/appError'

/**
 * Bytes of the range `index` that cannot be read; `offset` is in the file. A null cause: the file
 * ended before.
 */
export interface UnreadablePart {
  readonly index: number
  readonly offset: number
  readonly length: number
  readonly cause: string | null
}

/**
 * Where the bytes came from: direct reads, buffered reads after the file was dropped from the
 * cache, or perhaps the cache.
 */
export interface ReadingWays {
  readonly uncachedBytes: number
  readonly droppedBytes: number
  readonly cachedBytes: number
  /** Why the last file that could not be read directly could not; null if all could. */
  readonly refusal: string | null
}

export interface RawSectorReading {
  readSectors(
    paths: Uint8Array[],
    offsets: Float64Array,
    lengths: Float64Array,
    /** Then they are one message: the first sector that cannot be read ends it. */
    asWhole: boolean,
  ): {
    bytesDone(): number
    cancel(): void
    readonly finished: Promise<{
      readonly cancelled: boolean
      /** 32 bytes for each range; zeros for those that are not whole. */
      readonly sha256: Uint8Array
      /** The digest of all ranges, where they were read as a whole and can be read. */
      readonly whole: Uint8Array
      readonly unreadable: readonly UnreadablePart[]
      readonly errors: readonly { index: number; code: AppErrorCode; cause: string }[]
      readonly ways: ReadingWays
    }>
  }
}
