import { describe, expect, it } from 'vitest'
import { lowerBoundVolumes } from '../../../../../src/domain/sets/packing/lowerBound'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

/** Fewest bins by trying everything. */
function fewestBins(sizes: readonly number[], capacity: number): number {
  let best = sizes.length
  const bins: number[] = []
  const place = (k: number): void => {
    if (bins.length >= best) return
    if (k === sizes.length) {
      best = bins.length
      return
    }
    const size = sizes[k] ?? 0
    for (let bin = 0; bin <= bins.length; bin++) {
      const held = bins[bin] ?? 0
      if (held + size > capacity) continue
      const isNew = bin === bins.length
      bins[bin] = held + size
      place(k + 1)
      if (isNew) bins.pop()
      else bins[bin] = held
      if (isNew) break
    }
  }
  place(0)
  return best
}

/** L2 by its definition: the maximum over every threshold. */
function slowBound(sizes: readonly number[], capacity: number): number {
  const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0)
  let best = Math.ceil(sum(sizes) / capacity)
  for (let t = 0; t <= capacity / 2; t++) {
    const j1 = sizes.filter((s) => s > capacity - t)
    const j2 = sizes.filter((s) => s > capacity / 2 && s <= capacity - t)
    const j3 = sizes.filter((s) => s >= t && s <= capacity / 2)
    const over = sum(j3) - (j2.length * capacity - sum(j2))
    best = Math.max(best, j1.length + j2.length + Math.max(0, Math.ceil(over / capacity)))
  }
  return best
}

describe('the lower bound', () => {
  it('is 0 for nothing', () => {
    expect(lowerBoundVolumes(new Float64Array(0), 0, 100)).toBe(0)
  })

  it('sees that large things never share a volume', () => {
    expect(lowerBoundVolumes(Float64Array.of(51, 51, 51, 51), 0, 100)).toBe(4)
    expect(lowerBoundVolumes(Float64Array.of(60, 60, 45, 45), 0, 100)).toBe(3)
  })

  it('counts what may be divided by its sum alone', () => {
    expect(lowerBoundVolumes(Float64Array.of(60), 240, 100)).toBe(3)
  })

  it('sees how many things above a third or a quarter of a volume share one', () => {
    expect(lowerBoundVolumes(Float64Array.of(34, 34, 34), 0, 100)).toBe(2)
    expect(lowerBoundVolumes(Float64Array.of(26, 26, 26, 26), 0, 100)).toBe(2)
    expect(lowerBoundVolumes(Float64Array.of(25, 25, 25, 25), 0, 100)).toBe(1)
    expect(lowerBoundVolumes(Float64Array.of(55, 45, 52, 48, 51, 50), 0, 100)).toBe(4)
  })

  it('counts equal shares that fill volumes exactly, however they are rounded', () => {
    expect(lowerBoundVolumes(Float64Array.of(60, 60, 60, 60, 60, 60), 0, 180)).toBe(2)
  })

  it('counts a thing above a third of a volume that no other is left for', () => {
    const sizes = Float64Array.of(6, 15, 24, 24, 24, 24, 24, 24, 24, 34, 38, 55)
    expect(lowerBoundVolumes(sizes, 0, 57)).toBe(7)
  })

  it('is at least L2 of Martello and Toth, and never above the true number', () => {
    const random = seededRandom(5)
    for (let trial = 0; trial < 400; trial++) {
      const capacity = 20 + random.below(60)
      const sizes = Array.from({ length: 1 + random.below(9) }, () => 1 + random.below(capacity))
      const bound = lowerBoundVolumes(Float64Array.from(sizes), 0, capacity)
      expect(bound).toBeGreaterThanOrEqual(slowBound(sizes, capacity))
      expect(bound).toBeLessThanOrEqual(fewestBins(sizes, capacity))
    }
  })
})
