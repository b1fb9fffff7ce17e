import { constants, createZstdCompress } from 'node:zlib'
import { through } from './through'

/** RFC 8878, 3.1.1.2: no block is longer, and none is longer than the window. */
const BLOCK_BYTES = 128 * 1024
const CHUNK_BYTES = 128 * 1024
const HEADER_BYTES = 3

/**
 * One Zstandard frame (RFC 8878) of two streams: the first compressed, the second in raw blocks. It
 * has no checksum, which would be of both.
 */
export async function* zstdFrameOf(
  compressed: AsyncIterable<Uint8Array>,
  raw: AsyncIterable<Uint8Array>,
  params: Readonly<Record<number, number>>,
): AsyncGenerator<Uint8Array, void, void> {
  const windowLog = params[constants.ZSTD_c_windowLog] ?? 17
  const open = { ...params, [constants.ZSTD_c_checksumFlag]: 0 }
  // With a flush at the end instead of an end the frame stays open: what follows are further blocks of it.
  const stream = createZstdCompress({
    params: open,
    chunkSize: CHUNK_BYTES,
    finishFlush: constants.ZSTD_e_flush,
  })
  let isBegun = false
  for await (const piece of through(stream, compressed)) {
    isBegun = true
    yield piece
  }
  if (!isBegun) yield frameHeader(windowLog)
  const block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, 2 ** windowLog))
  let filled = 0
  for await (const piece of raw) {
    for (let at = 0; at < piece.length; ) {
      if (filled === block.length) {
        yield* rawBlock(block, false)
        filled = 0
      }
      const part = piece.subarray(at, at + block.length - filled)
      block.set(part, filled)
      filled += part.length
      at += part.length
    }
  }
  yield* rawBlock(block.subarray(0, filled), true)
}

/** RFC 8878, 3.1.1.1: the magic number, no flags, and the window. */
function frameHeader(windowLog: number): Uint8Array {
  return Buffer.of(0x28, 0xb5, 0x2f, 0xfd, 0, (windowLog - 10) << 3)
}

/** RFC 8878, 3.1.1.2: whether it is the last one, type 0 and the length. */
function* rawBlock(content: Buffer, isLast: boolean): Generator<Uint8Array> {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUIntLE((content.length << 3) | Number(isLast), 0, HEADER_BYTES)
  yield Buffer.concat([header, content])
}
