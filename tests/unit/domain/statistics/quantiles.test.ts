import { describe, expect, it } from 'vitest'
import {
  distributionOf,
  orderOf,
  quantileOf,
  weightedMedian,
} from '../../../../src/domain/statistics/quantiles'
import { seededRandom } from '../../../../src/primitives/seededRandom'

describe('distributionOf', () => {
  it('has the quantiles of NumPy’s default', () => {
    // numpy.quantile([3, 1, 4, 1, 5, 9, 2, 6], [0.05, 0.25, 0.5, 0.75, 0.95])
    expect(distributionOf([3, 1, 4, 1, 5, 9, 2, 6])).toMatchObject({
      n: 8,
      min: 1,
      q05: 1,
      q25: 1.75,
      median: 3.5,
      q75: 5.25,
      max: 9,
    })
    expect(distributionOf([3, 1, 4, 1, 5, 9, 2, 6])?.q95).toBeCloseTo(7.95, 10)
  })

  it('has no spread for one value and is nothing for none', () => {
    expect(distributionOf([7])).toMatchObject({ n: 1, median: 7, spread: null })
    expect(distributionOf([7, 7])?.spread).toBe(0)
    expect(distributionOf([])).toBeNull()
  })
})

describe('weightedMedian', () => {
  it('is the median of each value written out as often as it weighs', () => {
    const random = seededRandom(2)
    for (let round = 0; round < 200; round++) {
      const values = Float64Array.from({ length: 1 + random.below(9) }, () => random.below(6))
      const weights = Array.from(values, () => random.below(4))
      const written = Array.from(values).flatMap((value, k) => Array<number>(weights[k] ?? 0).fill(value))
      const median = weightedMedian(values, weights, orderOf(values))
      if (written.length === 0) expect(median).toBeNaN()
      else expect(median).toBe(quantileOf(Float64Array.from(written).toSorted(), 0.5))
    }
  })
})
