import { describe, expect, it } from 'vitest'
import { NO_SUMS, type Sums, sampledBytes } from '../../../../src/domain/fleet/sampledBytes'
import { type SeededRandom, seededRandom } from '../../../../src/primitives/seededRandom'

const SEEDS = 200

/** What is kept of contents of such lengths at the share 2^-shift, by random hashes. */
function kept(lengths: readonly number[], shift: number, random: SeededRandom): Sums {
  let [contents, bytes, squares] = [0n, 0n, 0n]
  for (const length of lengths) {
    if (random.unit() * 2 ** shift >= 1) continue
    contents += 1n
    bytes += BigInt(length)
    squares += BigInt(length) ** 2n
  }
  return { contents, bytes, squares }
}

describe('bytes of a share', () => {
  it.each([
    ['few blocks of one size', 4096, false, 200, 6],
    ['many blocks of one size', 4096, false, 20_000, 6],
    ['half of all chunks', 1 << 20, true, 300, 1],
    ['few chunks', 65_536, true, 500, 6],
    ['many chunks', 8192, true, 20_000, 5],
  ] as const)(
    'of %s have the true value in their range in 95 of 100 draws or more',
    (_, size, isChunked, number, shift) => {
      const random = seededRandom(number + shift)
      let [within, width] = [0, 0]
      for (let seed = 0; seed < SEEDS; seed++) {
        const lengths = Array.from({ length: number }, () =>
          isChunked ? Math.ceil(size * (0.25 - 0.75 * Math.log(1 - random.unit()))) : size,
        )
        const truth = lengths.reduce((sum, length) => sum + length, 0)
        const { low, high, bytes, provenance } = sampledBytes(kept(lengths, shift, random), shift, {
          typicalBytes: size,
          most: 2 * truth,
        })
        expect(provenance).toBe('measured')
        expect(low).toBeLessThanOrEqual(bytes)
        expect(high).toBeGreaterThanOrEqual(bytes)
        width += (high - low) / truth
        if (low <= truth && truth <= high) within += 1
      }
      expect(within).toBeGreaterThanOrEqual(0.95 * SEEDS)
      // Wider ranges would tell less than the contents that were kept.
      expect(width / SEEDS).toBeLessThan(9 / Math.sqrt(number / 2 ** shift))
    },
  )

  it('are exact, without a range, where all were kept', () => {
    const sums = { contents: 3n, bytes: 12_000n, squares: 5n }
    const figure = { bytes: 12_000, low: 12_000, high: 12_000, provenance: 'exact', kept: 3 }
    expect(sampledBytes(sums, 0, { typicalBytes: 4096, most: 12_000 })).toEqual(figure)
  })

  it('have an upper end where none was kept, and none beyond the bytes of the files', () => {
    const none = sampledBytes(NO_SUMS, 10, { typicalBytes: 4096, most: 1e12 })
    expect(none).toMatchObject({ bytes: 0, low: 0, kept: 0 })
    // 95 % of all draws of three contents or more would have kept one.
    expect(none.high).toBeGreaterThan(3 * 4096 * 1024)
    expect(none.high).toBeLessThan(8 * 4096 * 1024)
    expect(sampledBytes(NO_SUMS, 10, { typicalBytes: 4096, most: 5000 }).high).toBe(5000)
    const some = { contents: 1n, bytes: 4096n, squares: 4096n ** 2n }
    expect(sampledBytes(some, 10, { typicalBytes: 4096, most: 10_000 })).toMatchObject({
      bytes: 10_000,
      low: 4096,
      high: 10_000,
    })
  })
})
