import { describe, expect, it } from 'vitest'
import { type ChunkCounts, chunkFigures } from '../../../../src/domain/survey/chunkFigures'

const MIB = 1024 * 1024

/** Counts of chunks of equal length, every one of them in the table. */
function counts(chunks: number, unique: number, chunkBytes = MIB): ChunkCounts {
  return {
    chunker: 'restic',
    chunks,
    bytes: chunks * chunkBytes,
    exact: true,
    theta: 1,
    retained: unique,
    sumBytesRetained: unique * chunkBytes,
    sumSquaredBytesRetained: unique * chunkBytes ** 2,
  }
}

describe('figures of a chunker', () => {
  it('do not take a few chunks without repeats for a proof that there are none', () => {
    const few = chunkFigures(counts(52, 52), 0)
    expect(few).toMatchObject({ uniqueBytes: 52 * MIB, high: 52 * MIB })
    // Six releases as tar archives, 52 chunks: restic kept 95.1 % of them, borg 96.6 %.
    expect(few.low / (52 * MIB)).toBeLessThan(0.951)
    expect(chunkFigures(counts(1e6, 1e6), 0).low / (1e6 * MIB)).toBeGreaterThan(0.99999)
  })

  it('are nearly certain where only whole files repeat', () => {
    const half = 500 * MIB
    const { low, uniqueBytes, high } = chunkFigures(counts(1000, 500), half)
    expect([uniqueBytes, high]).toEqual([half, half])
    expect(low / half).toBeGreaterThan(0.97)
  })

  it('include the variation of chunk boundaries, less with more chunks', () => {
    const width = (chunks: number): number => {
      const { low, high } = chunkFigures(counts(chunks, chunks / 2), 0)
      return (high - low) / (chunks * MIB)
    }
    // 1.96 × 2.4 × sqrt(2) × sqrt(0.25 / n) on both sides.
    expect(width(10_000)).toBeCloseTo(2 * 1.96 * 2.4 * Math.SQRT2 * 0.005, 4)
    expect(width(1_000_000)).toBeCloseTo(width(10_000) / 10, 4)
  })

  it('looks at the bytes of chunks, not at their number', () => {
    const small = { ...counts(1000, 1000, 1000), chunks: 1012, retained: 1012, bytes: 1e6 + 12 * MIB }
    const mixed = {
      ...small,
      sumBytesRetained: 1e6 + 12 * MIB,
      sumSquaredBytesRetained: 1000 * 1000 ** 2 + 12 * MIB ** 2,
    }
    const { low, uniqueBytes } = chunkFigures(mixed, 0)
    expect(low / uniqueBytes).toBeLessThan(0.85)
  })

  it('adds the error of a sampled table', () => {
    const sampled = { ...counts(1_000_000, 5_000), exact: false, theta: 0.01 }
    const figures = chunkFigures(sampled, 0)
    expect(figures).toMatchObject({ exact: false, uniqueChunks: 500_000, uniqueBytes: 500_000 * MIB })
    const exactWidth = 2 * 1.96 * 2.4 * Math.sqrt(0.25 / 1e6)
    expect((figures.high - figures.low) / (1e6 * MIB)).toBeGreaterThan(exactWidth * 2)
  })

  it('are the mean of several draws, with a range from how much these differ', () => {
    const draws = [600, 620, 640, 590, 610, 630, 600, 630].map((unique) => counts(1000, unique))
    const [first, ...otherDraws] = draws as [ChunkCounts, ...ChunkCounts[]]
    const { uniqueBytes, low, high } = chunkFigures({ ...first, otherDraws }, 0)
    expect(uniqueBytes).toBe(615 * MIB)
    // Standard deviation 17.7 chunks, one in twenty of 615 unseen, 2.365 of Student's t with 7 degrees of freedom.
    const half = 1.15 * 2.365 * Math.sqrt((17.728 ** 2 + 0.05 * 0.95 * 615) * (1 + 1 / 8))
    expect((high - low) / 2 / MIB).toBeCloseTo(half, 0)
  })

  it('give no figures for an empty source', () => {
    expect(chunkFigures(counts(0, 0), 0)).toMatchObject({ averageSize: 0, uniqueBytes: 0, low: 0, high: 0 })
  })
})
