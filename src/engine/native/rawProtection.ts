import type { AppErrorCode } from '../../primitives/appError'
import type { NativeWork } from './nativeWork'

/** Why something cannot be read, by its place in the list. */
export interface RawUnread {
  readonly index: number
  readonly code: AppErrorCode
  readonly cause: string
}

interface CountedWork<T> extends NativeWork<T> {
  bytesDone(): number
}

/** The outcome of a pass over the files of a set. */
export interface RawProtection {
  readonly cancelled: boolean
  readonly failure: RawUnread | null
  /** 32 bytes for each file: MD5 of it and of its first 16 KiB. */
  readonly files: Uint8Array
  /** 20 bytes for each block, in the order of the files: MD5, CRC-32. */
  readonly blocks: Uint8Array
  /**
   * Writes packets of recovery blocks to an open file, one for each head of 68 bytes, and `frame`
   * before and after them.
   */
  writeRecovery(
    output: number,
    heads: Uint8Array,
    frame: Uint8Array,
  ): CountedWork<{
    readonly cancelled: boolean
    readonly error: Pick<RawUnread, 'code' | 'cause'> | null
  }>
}

/** The addon's part for recovery blocks of PAR2. */
export interface RawProtecting {
  protectFiles(
    paths: readonly Uint8Array[],
    offsets: Float64Array,
    lengths: Float64Array,
    firstBlocks: Float64Array,
    blockBytes: number,
    exponents: Uint16Array,
    threads: number,
  ): CountedWork<RawProtection>
  md5Ranges(
    paths: readonly Uint8Array[],
    offsets: Float64Array,
    lengths: Float64Array,
  ): CountedWork<{
    readonly cancelled: boolean
    readonly failure: RawUnread | null
    /** 16 bytes for each range. */
    readonly md5: Uint8Array
  }>
  repairBlocks(
    paths: readonly Uint8Array[],
    offsets: Float64Array,
    lengths: Float64Array,
    blocks: RawRepair,
    output: Uint8Array,
    memoryBytes: number,
    threads: number,
  ): CountedWork<{
    readonly cancelled: boolean
    /** False: there are too few recovery blocks. */
    readonly solvable: boolean
    /** A block that could not be read, by its place in the columns. */
    readonly failure: RawUnread | null
    readonly error: Pick<RawUnread, 'code' | 'cause'> | null
    /** 20 bytes for each lost block as it was calculated: MD5, CRC-32. */
    readonly blocks: Uint8Array
  }>
}

/** A sum of multiples of files. */
export interface RawCombination {
  /** An open file; null for a sum that is only hashed. */
  readonly file: number | null
  readonly bytes: number
  /** One for each input. */
  readonly factors: Uint8Array
}

/** The addon's part for parity across images. */
export interface RawCombining {
  combineFiles(
    paths: readonly Uint8Array[],
    offsets: Float64Array,
    lengths: Float64Array,
    outputs: readonly RawCombination[],
  ): CountedWork<{
    readonly cancelled: boolean
    readonly failure: RawUnread | null
    readonly outputFailure: RawUnread | null
    /** 32 bytes for each input, then for each output. */
    readonly sha256: Uint8Array
  }>
}

/** The blocks of a set that are there: input blocks, and from `inputs` on recovery blocks. */
export interface RawRepair {
  readonly blockBytes: number
  /** Indices of input blocks, exponents of recovery blocks. */
  readonly numbers: Float64Array
  readonly inputs: number
  /** The indices of lost blocks, and how many bytes of each belong to its file. */
  readonly lost: Float64Array
  readonly lostBytes: Float64Array
}
