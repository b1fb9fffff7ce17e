import { compress } from 'lz4-napi'
import { Xxh32 } from './xxh32'

const BLOCK_BYTES = 4 * 1024 * 1024
/** The package puts the length in front of a block. */
const PREFIX = 4
const STORED = 0x80000000

/** Version 1, blocks of 4 MiB that stand alone, a checksum of the content: as the lz4 tool makes frames. */
const HEADER = Buffer.from('04224d186470b9', 'hex')

/** An LZ4 frame (LZ4 frame format 1.6.2) of a stream, a block at a time; the packing itself is done off this thread. */
export async function* lz4Frame(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const checksum = new Xxh32()
  yield HEADER
  let pieces: Uint8Array[] = []
  let waiting = 0
  for await (let piece of input) {
    checksum.update(piece)
    while (waiting + piece.length >= BLOCK_BYTES) {
      const taken = BLOCK_BYTES - waiting
      yield await block(Buffer.concat([...pieces, piece.subarray(0, taken)]))
      pieces = []
      waiting = 0
      piece = piece.subarray(taken)
    }
    if (piece.length > 0) pieces.push(piece)
    waiting += piece.length
  }
  if (waiting > 0) yield await block(Buffer.concat(pieces))
  const end = Buffer.alloc(8)
  end.writeUInt32LE(checksum.digest(), 4)
  yield end
}

async function block(data: Buffer): Promise<Buffer> {
  const packed = (await compress(data)).subarray(PREFIX)
  const head = Buffer.alloc(4)
  const isStored = packed.length >= data.length
  head.writeUInt32LE(isStored ? STORED + data.length : packed.length)
  return Buffer.concat([head, isStored ? data : packed])
}
