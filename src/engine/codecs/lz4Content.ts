import { uncompress } from 'lz4-napi'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { LZ4_BLOCK_BYTES, LZ4_HEADER } from './lz4Frame'

const STORED = 0x80000000

/**
 * The content of an LZ4 frame as `lz4Frame` makes it, a block at a time. The frame's checksum is
 * not looked at: whoever asks proves the content by its digest.
 * @throws AppError `verification-failed` for a damaged frame or one of another kind
 */
export async function* lz4Content(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let waiting = Buffer.alloc(0)
  let isBegun = false
  for await (const piece of input) {
    waiting = Buffer.concat([waiting, piece])
    if (!isBegun) {
      if (waiting.length < LZ4_HEADER.length) continue
      if (!waiting.subarray(0, LZ4_HEADER.length).equals(LZ4_HEADER))
        throw damaged('it is no LZ4 frame of this kind')
      waiting = waiting.subarray(LZ4_HEADER.length)
      isBegun = true
    }
    while (waiting.length >= 4) {
      const head = waiting.readUInt32LE(0)
      if (head === 0) return
      const length = head & ~STORED
      if (length > LZ4_BLOCK_BYTES) throw damaged('a block is too long')
      if (waiting.length < 4 + length) break
      yield await content(waiting.subarray(4, 4 + length), head >= STORED)
      waiting = waiting.subarray(4 + length)
    }
  }
  throw damaged('it ends early')
}

async function content(block: Buffer, isStored: boolean): Promise<Uint8Array> {
  if (isStored) return Buffer.from(block)
  // The package wants the length in front, and is content with more.
  const most = Buffer.alloc(4)
  most.writeUInt32LE(LZ4_BLOCK_BYTES)
  try {
    return await uncompress(Buffer.concat([most, block]))
  } catch (thrown) {
    throw damaged(thrown instanceof Error ? thrown.message : String(thrown))
  }
}

function damaged(because: string): AppError {
  return new AppError('verification-failed', said`cannot decompress it: ${because}`)
}
