import { gzipSync, zstdCompressSync } from 'node:zlib'
import { compressSync } from 'lz4-napi'
import { describe, expect, it } from 'vitest'
import { compressibleContent } from '../../../../src/engine/devices/compressibleContent'

const MIB = 2 ** 20

describe('compressible content', () => {
  const content = compressibleContent()
  const bytes = (length: number, seed: number): Buffer =>
    Buffer.concat([...content.pieces(length, seed, MIB)])

  it('is as long as wanted, the same for the same seed and another for another', () => {
    expect(bytes(1, 5)).toHaveLength(1)
    expect(bytes(3 * MIB + 17, 5)).toHaveLength(3 * MIB + 17)
    expect(bytes(40 * MIB, 5).subarray(0, 100)).toEqual(bytes(100, 5))
    expect(bytes(100, 6)).not.toEqual(bytes(100, 5))
  })

  it('shrinks to a third or so, by every codec, and no further where more of it is seen', () => {
    const data = bytes(8 * MIB, 9)
    const shares = [gzipSync(data), zstdCompressSync(data), compressSync(data)].map(
      ({ length }) => length / data.length,
    )
    for (const share of shares) expect(share).toBeGreaterThan(0.2)
    for (const share of shares) expect(share).toBeLessThan(0.7)
  })
})
