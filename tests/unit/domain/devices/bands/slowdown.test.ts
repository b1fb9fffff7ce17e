import { describe, expect, it } from 'vitest'
import { slowdowns } from '../../../../../src/domain/devices/bands/slowdown'
import { seededRandom } from '../../../../../src/primitives/seededRandom'
import { heavyTailed } from '../syntheticDevice'

describe('how many times as long', () => {
  it('is exact where nothing is noise', () => {
    const best = [100, 200, 400]
    const [same, double] = slowdowns([best, best.map((ns) => 2 * ns)], best)
    expect(same).toEqual({ value: 1, low: 1, high: 1 })
    expect(double?.value).toBeCloseTo(2, 12)
    expect(double?.low).toBeCloseTo(2, 12)
  })

  it('does not move with one outlier among many', () => {
    const best = [100, 101, 99, 100, 102, 98]
    const others = [1.1, 1.2, 1.3].map((factor) =>
      best.map((ns, round) => ns * factor * (1 + 0.01 * ((round * 7) % 3))),
    )
    const [clean] = slowdowns([others[1] as number[], ...others], best)
    const stalled = (others[1] as number[]).map((ns, round) => (round === 3 ? 40 * ns : ns))
    const [hit] = slowdowns([stalled, ...others], best)
    expect(hit?.value).toBeCloseTo(clean?.value ?? 0, 1)
    expect(hit?.low).toBeGreaterThan(1.15)
  })

  it.each([
    [6, 11],
    [6, 2],
    [3, 11],
  ])('holds the truth 19 times in 20: %i rounds, %i sizes', (rounds, sizes) => {
    const random = seededRandom(rounds * 100 + sizes)
    const truth = 1.2
    const trials = 600
    let held = 0
    for (let trial = 0; trial < trials; trial++) {
      const draw = (factor: number): number[] =>
        Array.from({ length: rounds }, () => factor * Math.exp(0.08 * heavyTailed(random)))
      const best = draw(1)
      for (const { low, high } of slowdowns(
        Array.from({ length: sizes }, () => draw(truth)),
        best,
      )) {
        if (low <= truth && truth <= high) held += 1
      }
    }
    expect(held / trials / sizes).toBeGreaterThan(0.93)
    expect(held / trials / sizes).toBeLessThan(0.995)
  })
})
