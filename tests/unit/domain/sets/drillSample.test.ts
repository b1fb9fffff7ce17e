import { describe, expect, it } from 'vitest'
import { type DrillCandidate, drillSample } from '../../../../src/domain/sets/drill/drillSample'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const on = (path: string, bytes: number, ...volumes: number[]): DrillCandidate => ({ path, bytes, volumes })
const paths = (sample: readonly DrillCandidate[]): string[] => sample.map(({ path }) => path)

describe('the sample of a drill', () => {
  it('has a file of every volume, whatever the limits', () => {
    const random = seededRandom(7)
    for (let round = 0; round < 200; round++) {
      const volumes = 1 + random.below(5)
      const candidates = Array.from({ length: volumes + random.below(30) }, (_, at) =>
        on(`f${at}`, random.below(1000), 1 + (at % volumes)),
      )
      const limits = {
        files: 1 + random.below(10),
        bytes: 1 + random.below(2000),
        seed: random.below(2 ** 32),
      }
      const sample = drillSample(candidates, limits)
      expect(new Set(sample.flatMap((file) => file.volumes)).size).toBe(volumes)
      expect(sample.length).toBeLessThanOrEqual(Math.max(limits.files, volumes))
    }
  })

  it('is the same for the same seed, and another for most others', () => {
    const candidates = Array.from({ length: 50 }, (_, at) => on(`f${at}`, 1, 1))
    const draw = (seed: number): string[] => paths(drillSample(candidates, { files: 5, bytes: 100, seed }))
    expect(draw(3)).toEqual(draw(3))
    expect(new Set([1, 2, 3, 4].map((seed) => draw(seed).toSorted().join())).size).toBeGreaterThan(1)
  })

  it('takes the smallest file of a volume where none fits', () => {
    const candidates = [on('large', 900, 1), on('small', 500, 1), on('first', 90, 2)]
    const sample = drillSample(candidates, { files: 9, bytes: 100, seed: 1 })
    expect(paths(sample).toSorted()).toEqual(['first', 'small'])
  })

  it('counts a file that lies on several volumes for each of them', () => {
    const sample = drillSample([on('split', 5, 1, 2), on('other', 5, 3)], { files: 1, bytes: 100, seed: 1 })
    expect(paths(sample).toSorted()).toEqual(['other', 'split'])
  })

  it('of nothing is empty', () => {
    expect(drillSample([], { files: 9, bytes: 100, seed: 1 })).toEqual([])
  })
})
