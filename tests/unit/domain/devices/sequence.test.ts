import { describe, expect, it } from 'vitest'
import { countWarmUp, findSlowdown, steadyFrom } from '../../../../src/domain/devices/sequence'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { heavyTailed } from './syntheticDevice'

function noisy(
  levels: readonly (readonly [count: number, slowness: number])[],
  noise: number,
  seed: number,
): number[] {
  const random = seededRandom(seed)
  return levels.flatMap(([count, slowness]) =>
    Array.from({ length: count }, () => slowness * Math.exp(noise * heavyTailed(random))),
  )
}

describe('findSlowdown', () => {
  it.each([
    [40, 120, 3],
    [100, 60, 1.5],
    [10, 150, 8],
  ])('finds where %i fast samples are followed by %i that are %f times slower', (fast, slow, factor) => {
    for (const seed of [1, 2, 3, 4]) {
      const change = findSlowdown(
        noisy(
          [
            [fast, 1],
            [slow, factor],
          ],
          0.05,
          seed,
        ),
      )
      expect(Math.abs((change?.at ?? -100) - fast)).toBeLessThanOrEqual(2)
      expect((change?.after ?? 0) / (change?.before ?? 1)).toBeCloseTo(factor, 0)
    }
  })

  it('finds none in steady samples with heavy tails, in faster ones, nor in too few', () => {
    for (let seed = 1; seed <= 30; seed++) expect(findSlowdown(noisy([[160, 1]], 0.1, seed))).toBeNull()
    expect(
      findSlowdown(
        noisy(
          [
            [60, 3],
            [60, 1],
          ],
          0.05,
          1,
        ),
      ),
    ).toBeNull()
    expect(findSlowdown([1, 1, 1, 5, 5, 5])).toBeNull()
  })

  it('finds the change among thousands to within a piece', () => {
    const change = findSlowdown(
      noisy(
        [
          [3000, 1],
          [2000, 2],
        ],
        0.05,
        7,
      ),
    )
    expect(Math.abs((change?.at ?? 0) - 3000)).toBeLessThanOrEqual(2 * Math.ceil(5000 / 256))
  })
})

describe('steadyFrom', () => {
  it('is the start of steady samples and the change of those that slow down', () => {
    expect(steadyFrom(noisy([[100, 1]], 0.01, 1))).toBe(0)
    const from = steadyFrom(
      noisy(
        [
          [50, 1],
          [100, 4],
        ],
        0.01,
        2,
      ),
    )
    expect(from).toBeGreaterThanOrEqual(45)
    expect(from).toBeLessThanOrEqual(60)
  })

  it('is null when the rate keeps falling, or for few samples', () => {
    expect(steadyFrom(Array.from({ length: 100 }, (_, k) => 1 + k / 20))).toBeNull()
    expect(steadyFrom([1, 1, 1, 1, 1, 1])).toBeNull()
  })
})

describe('countWarmUp', () => {
  it('counts the slow samples at the start, at most a tenth', () => {
    expect(countWarmUp([5, 3, ...Array.from({ length: 40 }, () => 1)], 0.02)).toBe(2)
    expect(
      countWarmUp(
        Array.from({ length: 40 }, () => 9),
        0.02,
      ),
    ).toBe(4)
    expect(countWarmUp([1, 9, 9, ...Array.from({ length: 40 }, () => 1)], 0.02)).toBe(0)
  })
})
