import { describe, expect, it } from 'vitest'
import { type SmallFile, smallFilesTotal } from '../../../../src/domain/forecast/smallFiles'
import { seededRandom } from '../../../../src/primitives/seededRandom'

/** What is asked of a file: whether it takes a sector, which the longer ones do more often. */
function stored(bytes: number, luck: number): number {
  return bytes < 64 ? 0 : luck < Math.min(1, bytes / 400) ? 1 : 0
}

describe('sums over short files', () => {
  it('contain the true value as often as stated for samples drawn by bytes', () => {
    const random = seededRandom(9)
    const files = Array.from({ length: 6000 }, () => {
      const bytes = 1 + Math.floor(6000 * random.unit() ** 3)
      return { bytes, value: stored(bytes, random.unit()) }
    })
    const short = files.filter(({ bytes }) => bytes < 2048)
    const truth = short.reduce((sum, { value }) => sum + value, 0)
    const distinctBelow = (below: number) => ({
      count: files.filter(({ bytes }) => bytes < below).length,
    })
    let held = 0
    let mean = 0
    for (let trial = 0; trial < 200; trial++) {
      const seen = files.flatMap(({ bytes, value }): SmallFile[] => {
        const probability = bytes / 8000
        return random.unit() < probability
          ? [{ bytes, supposed: 0, found: { value, probability: 1 }, weight: 1 / probability }]
          : []
      })
      const { value, low, high } = smallFilesTotal(distinctBelow, seen, () => 0.5)
      held += low <= truth && truth <= high ? 1 : 0
      mean += value / 200
      expect(high - low).toBeLessThan(truth)
    }
    expect(held).toBeGreaterThanOrEqual(190)
    expect(Math.abs(mean / truth - 1)).toBeLessThan(0.05)
  })

  it('contain the true value where some sizes are only estimated', () => {
    const random = seededRandom(12)
    const files = Array.from({ length: 3000 }, () => {
      const packed = 300 + 500 * random.unit()
      // Supposed a little too short, as a cheap codec is, and the more so the longer: some would take one sector, and take two.
      const value = Math.ceil((packed + 6 + packed / 40) / 512)
      return { bytes: 1000, value, supposed: Math.ceil(packed / 512), probability: packed / 4000 }
    })
    const truth = files.reduce((sum, { value }) => sum + value, 0)
    const distinctBelow = (below: number) => ({ count: below > 1000 ? files.length : 0 })
    let held = 0
    let mean = 0
    for (let trial = 0; trial < 200; trial++) {
      const seen = files.map((one) => {
        const { bytes, supposed, probability } = one
        return { bytes, supposed, weight: 1, found: random.unit() < probability ? one : null }
      })
      const { value, low, high } = smallFilesTotal(distinctBelow, seen, () => 1)
      held += low <= truth && truth <= high ? 1 : 0
      mean += value / 200
      expect(high / low - 1).toBeLessThan(0.04)
    }
    expect(held).toBeGreaterThanOrEqual(190)
    expect(Math.abs(mean / truth - 1)).toBeLessThan(0.002)
  })

  it('are exact where every file was seen or nothing is to be allocated', () => {
    const distinctBelow = (below: number) => ({ count: below > 100 ? 4 : below > 10 ? 3 : 0 })
    const one = { bytes: 100, weight: 2, supposed: 1, found: null }
    expect(smallFilesTotal(distinctBelow, [one], () => 1)).toEqual({ value: 1, low: 1, high: 1 })
    expect(
      smallFilesTotal(
        () => ({ count: 3 }),
        [],
        () => 1,
      ),
    ).toEqual({ value: 0, low: 0, high: 0 })
  })
})
