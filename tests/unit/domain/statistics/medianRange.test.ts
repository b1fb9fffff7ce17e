import { describe, expect, it } from 'vitest'
import { medianRange } from '../../../../src/domain/statistics/medianRange'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { heavyTailed } from '../devices/syntheticDevice'

const upTo = (n: number): number[] => Array.from({ length: n }, (_, index) => index + 1)

describe('the range of a median', () => {
  it.each([
    // n, low, high, confidence: 1 - 2 P(B < k) by hand, B binomial (n, 1/2)
    [1, 1, 1, 0],
    [3, 1, 3, 0.75],
    [5, 1, 5, 0.9375],
    [6, 1, 6, 0.96875],
    [8, 1, 8, 0.9921875],
    [9, 2, 8, 1 - (2 * 10) / 512],
    [15, 4, 12, 1 - (2 * (1 + 15 + 105 + 455)) / 32_768],
  ])('of %i values lies where the binomial says', (n, low, high, confidence) => {
    const shuffledValues = upTo(n).toSorted((a, b) => ((a * 7) % 11) - ((b * 7) % 11))
    const range = medianRange(shuffledValues)
    expect([range.low, range.high]).toEqual([low, high])
    expect(range.value).toBe((n + 1) / 2)
    expect(range.confidence).toBeCloseTo(confidence, 12)
  })

  it.each([6, 9, 12, 20])('of %i heavy-tailed values contains the true median as often as stated', (n) => {
    const random = seededRandom(n)
    const trials = 4000
    let held = 0
    let said = 0
    for (let trial = 0; trial < trials; trial++) {
      const { low, high, confidence } = medianRange(upTo(n).map(() => heavyTailed(random)))
      if (low <= 0 && high >= 0) held += 1
      said = confidence
    }
    expect(said).toBeGreaterThanOrEqual(0.95)
    // Three standard errors of a share of 4000 trials.
    expect(Math.abs(held / trials - said)).toBeLessThan(3 * Math.sqrt((said * (1 - said)) / trials))
  })
})
