import { basename } from 'node:path'
import { promisify } from 'node:util'
import { constants, createGzip, createZstdCompress, type ZstdOptions, zstdCompress } from 'node:zlib'
import { textBytes } from '../files/fileSystem'
import { lz4Frame } from './lz4Frame'
import { through } from './through'
import { zstdFrameOf } from './zstdFrame'

export type FileCodec = { readonly kind: 'gzip' | 'zstd'; readonly level: number } | { readonly kind: 'lz4' }

/**
 * The compressed stream of a file, as the tool of the codec makes it.
 * @param input whose pieces are not needed any more when the next is asked for
 */
export function compressed(
  codec: FileCodec,
  input: AsyncIterable<Uint8Array>,
  path: string,
  bytes: number,
): AsyncIterable<Uint8Array> {
  switch (codec.kind) {
    case 'lz4':
      return lz4Frame(input, bytes)
    case 'gzip':
      return gzipMember(input, codec.level, path)
    case 'zstd':
      return through(createZstdCompress(zstdFileOptions(codec.level, bytes)), input)
  }
}

/** The same of a short file, whole. `data` is not needed any more once the promise is kept. */
export async function compressedWhole(codec: FileCodec, data: Buffer, path: string): Promise<Uint8Array> {
  if (codec.kind === 'zstd') {
    // All of it in one piece, also where it does not shrink (ZSTD_COMPRESSBOUND in zstd.h, and the frame's checksum).
    const chunkSize = data.length + (data.length >> 8) + 1024
    return zstdWhole(data, { ...zstdFileOptions(codec.level, data.length), chunkSize })
  }
  const pieces: Uint8Array[] = []
  for await (const piece of compressed(codec, once(data), path, data.length)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const zstdWhole = promisify<Buffer, ZstdOptions, Buffer>(zstdCompress)

async function* once(data: Buffer): AsyncGenerator<Buffer, void, void> {
  if (data.length > 0) yield data
}

/** The size of output pieces, so that few are written. */
const CHUNK_BYTES = 128 * 1024

/**
 * As `zstd --single-thread -<level>` works: a checksum, the size in the header. No workers: with
 * one, zstd may take less than it is given, which Node's streams take for the end; 90 MB failed so
 * at level 3, or came out short (Node 24.21).
 */
function zstdFileOptions(level: number, bytes: number): ZstdOptions {
  return {
    chunkSize: CHUNK_BYTES,
    pledgedSrcSize: bytes,
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  }
}

/**
 * A tar stream as `zstd -<level> --long=<log> --single-thread` compresses it from its standard
 * input.
 * @param stored what follows in the same frame and is not compressed
 */
export function compressedTar(
  input: AsyncIterable<Uint8Array>,
  level: number,
  windowLog: number,
  stored: AsyncIterable<Uint8Array> | null = null,
): AsyncIterable<Uint8Array> {
  const params = {
    [constants.ZSTD_c_compressionLevel]: level,
    [constants.ZSTD_c_checksumFlag]: 1,
    [constants.ZSTD_c_windowLog]: windowLog,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  }
  if (stored) return zstdFrameOf(input, stored, params)
  return through(createZstdCompress({ params, chunkSize: CHUNK_BYTES }), input)
}

/** The name is in the header, as gzip puts it there; the time does not. */
async function* gzipMember(
  input: AsyncIterable<Uint8Array>,
  level: number,
  path: string,
): AsyncGenerator<Uint8Array, void, void> {
  let head: Buffer | null = Buffer.alloc(0)
  for await (const piece of through(createGzip({ level }), input)) {
    if (head === null) {
      yield piece
      continue
    }
    head = Buffer.concat([head, piece])
    if (head.length < HEADER_BYTES) continue
    head[FLAGS_AT] = (head[FLAGS_AT] as number) | HAS_NAME
    yield head.subarray(0, HEADER_BYTES)
    yield Buffer.concat([textBytes(basename(path)), Buffer.of(0)])
    yield head.subarray(HEADER_BYTES)
    head = null
  }
}

/** RFC 1952, 2.3. */
const HEADER_BYTES = 10
const FLAGS_AT = 3
const HAS_NAME = 8
