import { describe, expect, it } from 'vitest'
import { type BlockLevelCounts, blockFigures } from '../../../../src/domain/survey/blockFigures'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const exactLevel: BlockLevelCounts = {
  blockSize: 4096,
  blocks: 10,
  bytes: 40_000,
  zeroBlocks: 2,
  zeroBytes: 8_192,
  exact: true,
  theta: 1,
  retained: 7,
  sumBytesRetained: 27_712,
  sumSquaredBytesRetained: 0,
}

describe('block figures', () => {
  it('are the counts themselves when the table is exact', () => {
    expect(blockFigures(exactLevel)).toEqual({
      blockSize: 4096,
      blocks: 10,
      uniqueBlocks: 7,
      uniqueBytes: 27_712,
      zeroBlocks: 2,
      zeroBytes: 8_192,
      exact: true,
      low: 27_712,
      high: 27_712,
    })
  })

  it('stay between the bytes kept and all bytes', () => {
    const level = {
      ...exactLevel,
      exact: false,
      theta: 0.5,
      retained: 7,
      sumBytesRetained: 28_000,
      sumSquaredBytesRetained: 7 * 4000 ** 2,
    }
    expect(blockFigures(level)).toMatchObject({
      uniqueBlocks: 10,
      uniqueBytes: 40_000,
      low: 28_000,
      high: 40_000,
    })
  })

  it('contain the true value as often as stated, without bias', () => {
    const random = seededRandom(7)
    const sizes = Array.from({ length: 20_000 }, () =>
      random.below(5) === 0 ? 1 + random.below(4096) : 4096,
    )
    const truth = sizes.reduce((sum, size) => sum + size, 0)
    const trials = 400
    let covered = 0
    let sum = 0
    for (let trial = 0; trial < trials; trial++) {
      const theta = 2 ** -(1 + (trial % 5))
      let [retained, bytes, squares] = [0, 0, 0]
      for (const size of sizes) {
        if (random.unit() >= theta) continue
        retained += 1
        bytes += size
        squares += size * size
      }
      const figures = blockFigures({
        ...exactLevel,
        blocks: 60_000,
        bytes: 3 * truth,
        exact: false,
        theta,
        retained,
        sumBytesRetained: bytes,
        sumSquaredBytesRetained: squares,
      })
      if (figures.low <= truth && truth <= figures.high) covered += 1
      sum += figures.uniqueBytes
    }
    // Three standard errors of a share of 95 % in 400 trials are 3.3 %.
    expect(covered / trials).toBeGreaterThan(0.917)
    expect(covered / trials).toBeLessThan(0.983)
    expect(Math.abs(sum / trials / truth - 1)).toBeLessThan(0.003)
  })
})
