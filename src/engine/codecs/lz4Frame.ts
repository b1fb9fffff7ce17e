import { compress } from 'lz4-napi'
import { Xxh32 } from './xxh32'

/** The longest block before it is packed. */
export const LZ4_BLOCK_BYTES = 4 * 1024 * 1024
/** The package puts the length in front of a block. */
const PREFIX = 4
const STORED = 0x80000000

/**
 * Version 1, blocks of 4 MiB that stand alone, a checksum of the content: as the lz4 tool makes
 * frames.
 */
export const LZ4_HEADER = Buffer.from('04224d186470b9', 'hex')

/**
 * An LZ4 frame (LZ4 frame format 1.6.2) of a stream, a block at a time; the packing itself is done
 * off this thread.
 * @param bytes at most so many come
 */
export async function* lz4Frame(
  input: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array, void, void> {
  const checksum = new Xxh32()
  yield LZ4_HEADER
  const buffer = Buffer.allocUnsafeSlow(Math.min(LZ4_BLOCK_BYTES, bytes))
  let filled = 0
  for await (const piece of input) {
    checksum.update(piece)
    for (let at = 0; at < piece.length; ) {
      if (filled === buffer.length) {
        yield* await block(buffer)
        filled = 0
      }
      const part = piece.subarray(at, at + buffer.length - filled)
      buffer.set(part, filled)
      filled += part.length
      at += part.length
    }
  }
  if (filled > 0) yield* await block(buffer.subarray(0, filled))
  const end = Buffer.alloc(8)
  end.writeUInt32LE(checksum.digest(), 4)
  yield end
}

/** A block's head and what it holds, which is the data itself where that is shorter. */
async function block(data: Buffer): Promise<Buffer[]> {
  const packed = (await compress(data)).subarray(PREFIX)
  const head = Buffer.alloc(4)
  const isStored = packed.length >= data.length
  head.writeUInt32LE(isStored ? STORED + data.length : packed.length)
  return [head, isStored ? Buffer.from(data) : packed]
}
