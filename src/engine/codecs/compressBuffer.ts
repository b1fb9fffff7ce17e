import {
  constants,
  deflateRaw,
  deflateRawSync,
  inflateRawSync,
  type ZstdOptions,
  zstdCompress,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib'
import {
  compress as lz4Compress,
  compressSync as lz4CompressSync,
  uncompressSync as lz4UncompressSync,
} from 'lz4-napi'
import type { Codec } from './codecRegistry'

/**
 * Codecs that compress a buffer in this process, off the JavaScript thread; LZMA2 is 7-Zip's and
 * goes in batches.
 */
export type BufferCodec = Codec & { readonly family: 'deflate' | 'zstd' | 'lz4' }

/** Bytes that a codec made, and how many it had to look at for that. */
export interface Compressed {
  readonly bytes: number
  readonly bytesRead: number
}

/** LZ4's package puts the length in front of the block. */
const LZ4_PREFIX = 4

/**
 * The bytes that `data` adds to a stream that begins with `history`: compressed data without the
 * container. With an empty history it is the size of a file of these bytes. Deflate is given the
 * history as dictionary; the others compress history and data together and the history alone, and
 * the difference counts: zstd finds more or less in a dictionary than in its own past.
 */
export async function compressAfter(
  codec: BufferCodec,
  history: Uint8Array,
  data: Uint8Array,
): Promise<Compressed> {
  const before = history.length > codec.windowBytes ? history.subarray(-codec.windowBytes) : history
  if (codec.family === 'deflate') {
    return { bytes: await deflatedBytes(data, codec.level, before), bytesRead: data.length }
  }
  if (before.length === 0) return { bytes: await payloadBytes(codec, data), bytesRead: data.length }
  const together = await payloadBytes(codec, Buffer.concat([before, data]))
  const alone = await payloadBytes(codec, before)
  return { bytes: Math.max(0, together - alone), bytesRead: data.length + 2 * before.length }
}

/**
 * For shorter records a trip to the thread pool costs more than compressing: 4 KiB took two to
 * three times as long with it.
 */
const AT_HOME_BYTES = 64 * 1024

/**
 * The stored bytes of one record: deflate in zlib's wrapping (6 bytes, as ZFS's gzip), an LZ4 block
 * with its length in 4 bytes (as ZFS), a zstd frame without checksum.
 */
export async function compressRecord(codec: BufferCodec, record: Uint8Array): Promise<number> {
  const { length } = record
  if (length <= AT_HOME_BYTES) {
    if (codec.family === 'lz4')
      return lz4CompressSync(Buffer.from(record.buffer, record.byteOffset, length)).length
    const chunkSize = outputBound(length)
    if (codec.family === 'deflate')
      return deflateRawSync(record, { level: codec.level, chunkSize }).length + 6
    return zstdCompressSync(record, { chunkSize, params: zstdParams(codec), pledgedSrcSize: length }).length
  }
  if (codec.family === 'deflate') return (await deflatedBytes(record, codec.level, NOTHING)) + 6
  if (codec.family === 'zstd') return (await zstdFrame(record, zstdParams(codec))).length
  return (await lz4Compress(record)).length
}

/** Data as `unpackNow` takes it. */
export async function packed(codec: BufferCodec, data: Uint8Array): Promise<Buffer> {
  if (codec.family === 'zstd') return zstdFrame(data, zstdParams(codec))
  if (codec.family === 'lz4') return lz4Compress(Buffer.from(data.buffer, data.byteOffset, data.length))
  return deflated(data, codec.level, NOTHING)
}

/** The same on the calling thread. */
export function packedNow(codec: BufferCodec, data: Uint8Array): Buffer {
  const { length } = data
  if (codec.family === 'lz4') return lz4CompressSync(Buffer.from(data.buffer, data.byteOffset, length))
  const chunkSize = outputBound(length)
  if (codec.family === 'deflate') return deflateRawSync(data, { level: codec.level, chunkSize })
  return zstdCompressSync(data, { chunkSize, params: zstdParams(codec), pledgedSrcSize: length })
}

/** Unpacks on the calling thread. @param length of what comes out */
export function unpackNow(codec: BufferCodec, from: Buffer, length: number): Uint8Array {
  if (codec.family === 'lz4') return lz4UncompressSync(from)
  const options = { chunkSize: outputBound(length) }
  return codec.family === 'zstd' ? zstdDecompressSync(from, options) : inflateRawSync(from, options)
}

/**
 * The size of a stream by fast zstd with a long window: the covariate of slow codecs with long
 * windows.
 */
export function quickStreamBytes(data: Uint8Array): Promise<number> {
  return zstdBytes(data, { ...PROXY, [constants.ZSTD_c_compressionLevel]: 6 })
}

const NOTHING = new Uint8Array(0)

type ZstdParams = NonNullable<ZstdOptions['params']>

const PROXY: ZstdParams = {
  [constants.ZSTD_c_compressionLevel]: 3,
  [constants.ZSTD_c_windowLog]: 27,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
}

function zstdParams(codec: BufferCodec): ZstdParams {
  const level = { [constants.ZSTD_c_compressionLevel]: codec.level }
  if (codec.id !== 'zstd-19-long') return level
  return {
    ...level,
    [constants.ZSTD_c_windowLog]: 27,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  }
}

async function payloadBytes(codec: BufferCodec, data: Uint8Array): Promise<number> {
  if (codec.family === 'zstd') return zstdBytes(data, zstdParams(codec))
  // A frame stores what does not shrink as it is.
  return Math.min(data.length, (await lz4Compress(data)).length - LZ4_PREFIX)
}

/** One piece of output is enough for anything. */
function outputBound(length: number): number {
  return length + (length >> 8) + 1024
}

/** Most samples come out shorter, in one trip to the thread pool. */
const OUTPUT_PIECE_BYTES = 96 * 1024

/**
 * Pieces of output as long as the data were 4 GB for 300 MB of files: V8 collects garbage after
 * every 64 MB of buffers, which took an eighth of all CPU time.
 */
function outputPiece(length: number): number {
  return Math.min(OUTPUT_PIECE_BYTES, outputBound(length))
}

async function deflatedBytes(data: Uint8Array, level: number, dictionary: Uint8Array): Promise<number> {
  return (await deflated(data, level, dictionary)).length
}

function deflated(data: Uint8Array, level: number, dictionary: Uint8Array): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { level, chunkSize: outputPiece(data.length) }
    deflateRaw(data, dictionary.length > 0 ? { ...options, dictionary } : options, (error, result) => {
      if (error) reject(error)
      else resolve(result)
    })
  })
}

async function zstdBytes(data: Uint8Array, params: ZstdParams): Promise<number> {
  const frame = await zstdFrame(data, params)
  return frame.length - frameHeaderBytes(frame)
}

function zstdFrame(data: Uint8Array, params: ZstdParams): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options: ZstdOptions = {
      chunkSize: outputPiece(data.length),
      params,
      // Else the tables are made for data without end: slower by far, and larger results for small files.
      pledgedSrcSize: data.length,
    }
    zstdCompress(data, options, (error, result) => {
      if (error) reject(error)
      else resolve(result)
    })
  })
}

/** RFC 8878, 3.1.1.1: magic, descriptor, window, dictionary and content size. */
function frameHeaderBytes(frame: Uint8Array): number {
  const descriptor = frame[4] as number
  const single = (descriptor & 0x20) !== 0
  const contentSize = [single ? 1 : 0, 2, 4, 8][descriptor >> 6] as number
  const dictionary = [0, 1, 2, 4][descriptor & 3] as number
  return 5 + (single ? 0 : 1) + dictionary + contentSize
}
