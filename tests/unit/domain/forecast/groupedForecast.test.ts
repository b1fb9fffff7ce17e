import { describe, expect, it } from 'vitest'
import {
  archiveOverhead,
  forecastGrouped,
  type SmallArchives,
  smallArchivesFactor,
} from '../../../../src/domain/forecast/groupedForecast'
import { seededRandom } from '../../../../src/primitives/seededRandom'

describe('the lists of an archive', () => {
  // Seen with 7-Zip 26.03, -mx=9 -ms=on without times and attributes.
  it.each([
    [1, 20, 124],
    [1, 38, 160],
    [2, 38, 172],
    [2, 88, 192],
    [5, 84, 221],
    [10, 347, 295],
    [30, 1037, 572],
    [100, 1813, 1678],
    [100, 3811, 1346],
  ])('of %i files with %i characters take about %i bytes', (files, characters, actual) => {
    const forecast = archiveOverhead(files, characters)
    expect(Math.abs(forecast / actual - 1)).toBeLessThan(0.16)
  })
})

/** Trials of archives that the fast codec makes `quick` times as large as was forecast, the other `codec` times. */
function small(quick: readonly number[], codec: readonly (number | null)[], triedShare = 0.1): SmallArchives {
  const trials = quick.map((factor, index) => {
    const one = codec[index] ?? null
    const codecBytes = one === null ? null : 100 * one
    return { times: 1, forecastBytes: 100, quickBytes: 100 * factor, codecBytes }
  })
  return { forecastBytes: 1000, trials, triedShare }
}

describe('trials of small archives', () => {
  it('give the mean ratio, by what the two codecs differ where both were tried', () => {
    const factor = smallArchivesFactor(small([2, 4, 3, 3], [1, 2, null, null]))
    expect(factor.value).toBeCloseTo(1.5)
    expect(factor.error).toBeGreaterThan(0)
    expect(smallArchivesFactor(small([2, 2], [1, 1], 1)).error).toBe(0)
    expect(smallArchivesFactor(small([2, 2], [1, 1])).error).toBeGreaterThan(0.03)
  })

  it('are drawn by what is forecast of them, so that small and large ones count alike', () => {
    const one = { times: 1, forecastBytes: 10, quickBytes: 30, codecBytes: 30 }
    const other = { times: 1, forecastBytes: 1000, quickBytes: 1000, codecBytes: 1000 }
    const { value } = smallArchivesFactor({ forecastBytes: 5000, trials: [one, other], triedShare: 0.1 })
    expect(value).toBeCloseTo(2)
  })

  it('give no figure without packed archives, and no range with one', () => {
    expect(smallArchivesFactor(small([], []))).toEqual({ value: 1, error: null })
    expect(smallArchivesFactor(small([2], [1]))).toEqual({ value: 1, error: null })
    // One that was drawn twice counts twice, and is one.
    const [once, twice] = [1, 2].map((times) => {
      const { trials, ...rest } = small([1, 2], [1, 2])
      return smallArchivesFactor({
        ...rest,
        trials: trials.map((one, at) => Object.assign(one, at === 1 ? { times } : {})),
      })
    })
    expect([once?.value, twice?.value]).toEqual([1.5, 5 / 3])
    expect(twice?.error).toBeGreaterThan(0.2)
    expect(smallArchivesFactor(small([2], [1], 1))).toEqual({ value: 1, error: 0 })
  })

  it('contain the true value as often as stated', () => {
    const random = seededRandom(4)
    const ratio = (): number => 1.2 + 0.5 * (random.unit() - random.unit())
    let held = 0
    for (let trial = 0; trial < 400; trial++) {
      const truths = Array.from({ length: 2000 }, () => ratio())
      const truth = truths.reduce((sum, one) => sum + one, 0) * 100
      const drawn = Array.from({ length: 60 }, () => truths[random.below(2000)] as number)
      const quick = drawn.map((one) => one * (1.3 + 0.1 * (random.unit() - random.unit())))
      const packed = drawn.map((one, index) => (index < 12 ? one : null))
      const { low, high } = forecastGrouped(
        { predictedBytes: 0, low: 0, high: 0 },
        { ...small(quick, packed, 0.03), forecastBytes: 200_000 },
        0,
      )
      held += low <= truth && truth <= high ? 1 : 0
      expect((high - low) / 2 / truth).toBeLessThan(0.12)
    }
    expect(held / 400).toBeGreaterThanOrEqual(0.94)
  })
})

describe('forecasts of many archives', () => {
  const large = { predictedBytes: 10_000, low: 9_000, high: 12_000 }

  it('leave large archives to the model, in its range', () => {
    const found = forecastGrouped(large, { forecastBytes: 0, trials: [], triedShare: 0 }, 0)
    expect(found).toEqual(large)
  })

  it('take the small ones from their trials', () => {
    const trials = small([1, 1, 1], [0.5, 0.5, 0.5])
    expect(forecastGrouped(large, trials, 0).predictedBytes).toBe(10_500)
    const unsure = forecastGrouped(large, small([1], [1]), 0)
    expect(unsure.high - unsure.low).toBeGreaterThan(3_300)
  })
})
