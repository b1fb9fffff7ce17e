import { zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressed, compressedTar } from '../../../../src/engine/builders/compressStream'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const MIB = 1024 * 1024
/** More than what zstd would hand to a worker at once. */
const data = Buffer.alloc(40 * MIB)
seededRandom(3).fillBytes(data.subarray(0, 24 * MIB))

async function* pieces(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < data.length; at += MIB) yield data.subarray(at, at + MIB)
}

async function all(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

describe('a long stream', () => {
  it('comes out of zstd whole', async () => {
    const packed = await all(compressed({ kind: 'zstd', level: 3 }, pieces(), 'long.bin', data.length))
    expect(zstdDecompressSync(packed).equals(data)).toBe(true)
  })

  it('comes out of a long window whole', async () => {
    const packed = await all(compressedTar(pieces(), 3, 20))
    expect(zstdDecompressSync(packed).equals(data)).toBe(true)
  })
})
