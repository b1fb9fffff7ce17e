import { execFileSync } from 'node:child_process'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressed, compressedTar } from '../../../../src/engine/codecs/compressStream'
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

describe('what is read through one buffer', () => {
  const lengths = [0, 1, 4 * MIB - 1, 4 * MIB, 4 * MIB + 1, 9 * MIB + 5]

  /** Random and plain bytes in turn, so that some blocks shrink and some do not. */
  function content(length: number): Buffer {
    const bytes = Buffer.alloc(length, 'plain ')
    seededRandom(length).fillBytes(bytes.subarray(0, Math.min(length, 5 * MIB)))
    return bytes
  }

  async function* throughBuffer(bytes: Buffer): AsyncGenerator<Uint8Array> {
    const buffer = Buffer.alloc(100_000)
    for (let at = 0; at < bytes.length; at += buffer.length) {
      const length = bytes.copy(buffer, 0, at)
      yield buffer.subarray(0, length)
    }
  }

  it.each(lengths)('comes out of LZ4 as the lz4 tool reads it: %i bytes', async (length) => {
    const bytes = content(length)
    const packed = await all(compressed({ kind: 'lz4' }, throughBuffer(bytes), 'a.bin', length))
    const back = execFileSync('lz4', ['-d', '-c'], { input: packed, maxBuffer: 2 ** 30 })
    expect(back.equals(bytes)).toBe(true)
  })

  it.each(lengths)('comes out of zstd and gzip whole: %i bytes', async (length) => {
    const bytes = content(length)
    const zstd = await all(compressed({ kind: 'zstd', level: 3 }, throughBuffer(bytes), 'a.bin', length))
    expect(zstdDecompressSync(zstd).equals(bytes)).toBe(true)
    const gzip = await all(compressed({ kind: 'gzip', level: 1 }, throughBuffer(bytes), 'a.bin', length))
    expect(gunzipSync(gzip).equals(bytes)).toBe(true)
  })

  it('fails as its source fails, and ends the source when nobody wants more', async () => {
    let isEnded = false
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      try {
        yield* throughBuffer(content(MIB))
        throw new Error('the source broke')
      } finally {
        isEnded = true
      }
    }
    const zstd = { kind: 'zstd', level: 3 } as const
    await expect(all(compressed(zstd, broken(), 'a.bin', 2 * MIB))).rejects.toThrow('the source broke')
    isEnded = false
    const stopped = async (): Promise<void> => {
      for await (const piece of compressed(zstd, broken(), 'a.bin', 2 * MIB))
        throw new Error(`enough after ${piece.length > 0 ? 'some' : 'no'} bytes`)
    }
    await expect(stopped()).rejects.toThrow('enough after some bytes')
    expect(isEnded).toBe(true)
  })
})
