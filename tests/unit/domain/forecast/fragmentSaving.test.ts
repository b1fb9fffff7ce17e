import { describe, expect, it } from 'vitest'
import { type FragmentSample, fragmentSaving } from '../../../../src/domain/forecast/fragmentSaving'
import { seededRandom } from '../../../../src/primitives/seededRandom'

/** Stretches of files that save a tenth of their bytes, give or take. */
function stretches(count: number, seed: number): FragmentSample[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => {
    const bytes = 200_000 + random.below(100_000)
    const aloneBytes = Math.round(bytes * (0.3 + 0.1 * random.unit()))
    return { bytes, aloneBytes, togetherBytes: Math.round(aloneBytes - bytes * (0.05 + 0.1 * random.unit())) }
  })
}

describe('what short files save when they share blocks', () => {
  it('is exact where all of them were looked at', () => {
    const samples = stretches(5, 1)
    const bytes = samples.reduce((sum, sample) => sum + sample.bytes, 0)
    const saved = samples.reduce((sum, sample) => sum + sample.aloneBytes - sample.togetherBytes, 0)
    const { predictedBytes, low, high } = fragmentSaving(samples, bytes)
    expect(predictedBytes).toBeCloseTo(saved, 3)
    expect([low, high]).toEqual([predictedBytes, predictedBytes])
  })

  it('has ranges that contain the saving of all fragments as often as stated, and are not too wide', () => {
    let held = 0
    let width = 0
    const trials = 300
    for (let seed = 0; seed < trials; seed++) {
      const all = stretches(120, seed + 1000)
      const saved = all.reduce((sum, sample) => sum + sample.aloneBytes - sample.togetherBytes, 0)
      const bytes = all.reduce((sum, sample) => sum + sample.bytes, 0)
      const { low, high } = fragmentSaving(all.slice(0, 20), bytes)
      if (low <= saved && saved <= high) held++
      width += (high - low) / 2 / saved / trials
    }
    expect(held / trials).toBeGreaterThan(0.92)
    expect(width).toBeLessThan(0.15)
  })

  it('has a wide range with few files', () => {
    const [one] = stretches(1, 7) as [FragmentSample]
    expect(fragmentSaving([], 1000)).toEqual({ predictedBytes: 0, low: 0, high: 1000 })
    const { predictedBytes, low, high } = fragmentSaving([one], one.bytes * 10)
    expect(low).toBe(0)
    expect(high).toBeGreaterThan(predictedBytes)
    // Blocks that hold their files worse than each by itself are not made: nothing is lost.
    expect(fragmentSaving([{ bytes: 100, aloneBytes: 50, togetherBytes: 60 }], 100).predictedBytes).toBe(0)
  })
})
