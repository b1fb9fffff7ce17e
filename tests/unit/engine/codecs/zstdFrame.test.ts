import { execFileSync } from 'node:child_process'
import { constants, zstdDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { zstdFrameOf } from '../../../../src/engine/codecs/zstdFrame'
import { seededRandom } from '../../../../src/primitives/seededRandom'

async function* inPieces(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

function noise(bytes: number): Uint8Array {
  const content = new Uint8Array(bytes)
  seededRandom(3).fillBytes(content)
  return content
}

describe('a Zstandard frame of two streams', () => {
  test.each([
    [0, 0, 20],
    [0, 1, 20],
    [0, 131_072, 20],
    [1, 0, 20],
    [300_000, 131_073, 20],
    [300_000, 262_144, 27],
    [5000, 5000, 10],
    [3_000_000, 1_000_000, 17],
  ])('of %d and %d bytes, window 2^%d, is read whole', async (packed, stored, windowLog) => {
    const first = Buffer.from('text '.repeat(Math.ceil(packed / 5))).subarray(0, packed)
    const last = noise(stored)
    const params = {
      [constants.ZSTD_c_compressionLevel]: 19,
      [constants.ZSTD_c_windowLog]: windowLog,
    }
    const pieces: Uint8Array[] = []
    for await (const piece of zstdFrameOf(inPieces(first, 70_000), inPieces(last, 100_000), params))
      pieces.push(Buffer.from(piece))
    const frame = Buffer.concat(pieces)
    const whole = Buffer.concat([first, last])
    expect(zstdDecompressSync(frame).equals(whole)).toBe(true)
    const byTool = execFileSync('zstd', ['-dc'], { input: frame, maxBuffer: 1 << 24 })
    expect(byTool.equals(whole)).toBe(true)
    expect(frame.length).toBeLessThan(stored + packed / 10 + 200)
    expect(frame.length).toBeGreaterThanOrEqual(stored)
  })
})
