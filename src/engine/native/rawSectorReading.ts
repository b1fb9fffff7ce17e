import type { AppErrorCode } from '../../primitives/appError'

/** Bytes of the range `index` that cannot be read; `offset` is in the file. A null cause: the file ended before. */
export interface UnreadablePart {
  readonly index: number
  readonly offset: number
  readonly length: number
  readonly cause: string | null
}

/** From where the bytes came: past the system's cache, through it after it was emptied of the file, or perhaps from it. */
export interface ReadingWays {
  readonly uncachedBytes: number
  readonly droppedBytes: number
  readonly cachedBytes: number
  /** Why the last file that could not be read past the cache could not; null if all could. */
  readonly refusal: string | null
}

export interface RawSectorReading {
  readSectors(
    paths: Uint8Array[],
    offsets: Float64Array,
    lengths: Float64Array,
  ): {
    bytesDone(): number
    cancel(): void
    readonly finished: Promise<{
      readonly cancelled: boolean
      /** 32 bytes for each range; zeros for those that are not whole. */
      readonly sha256: Uint8Array
      readonly unreadable: readonly UnreadablePart[]
      readonly errors: readonly { index: number; code: AppErrorCode; cause: string }[]
      readonly ways: ReadingWays
    }>
  }
  readWhole(path: Uint8Array, length: number, offsets: Float64Array, lengths: Float64Array): RawWholeReading
}

/** What was read; `code` is null when all was. Digests are 32 bytes each, those of the ranges up to where reading failed. */
interface RawWholeReading {
  bytesDone(): number
  cancel(): void
  readonly finished: Promise<{
    readonly cancelled: boolean
    readonly code: AppErrorCode | null
    readonly cause: string | null
    readonly isShort: boolean
    readonly uncached: boolean
    readonly sha256: Uint8Array
    readonly ranges: Uint8Array
  }>
}
