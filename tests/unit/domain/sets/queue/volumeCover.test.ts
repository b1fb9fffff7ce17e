import { describe, expect, test } from 'vitest'
import { lightestCover, type Way } from '../../../../../src/domain/sets/queue/volumeCover'
import { type SeededRandom, seededRandom } from '../../../../../src/primitives/seededRandom'

type Demands = readonly (readonly Way[])[]

/** Tries every subset. */
function leastByTrying(demands: Demands, weights: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let subset = 0; subset < 2 ** weights.length; subset++) {
    const has = (at: number): boolean => (subset & (1 << at)) !== 0
    if (!demands.every((ways) => ways.some((way) => way.every(has)))) continue
    least = Math.min(
      least,
      weights.reduce((sum, weight, at) => sum + (has(at) ? weight : 0), 0),
    )
  }
  return least
}

function randomDemands(random: SeededRandom, volumes: number): Demands {
  return Array.from({ length: 1 + random.below(14) }, () =>
    Array.from({ length: 1 + random.below(4) }, () => [
      ...new Set(Array.from({ length: 1 + random.below(3) }, () => random.below(volumes))),
    ]),
  )
}

function weigh(chosen: Iterable<number>, weights: readonly number[]): number {
  return [...chosen].reduce((sum, at) => sum + (weights[at] ?? 0), 0)
}

describe('the lightest cover', () => {
  test('weighs as little as the best of all subsets, and meets every demand', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const random = seededRandom(seed)
      const weights = Array.from(
        { length: 2 + random.below(9) },
        () => 1 + random.below(seed % 2 === 0 ? 1 : 9),
      )
      const demands = randomDemands(random, weights.length)
      const { chosen, isLeast, least } = lightestCover({ demands, weightOf: (at) => weights[at] ?? 0 })
      const found = weigh(chosen, weights)
      expect(
        demands.every((ways) => ways.some((way) => way.every((at) => chosen.has(at)))),
        `seed ${seed}`,
      ).toBe(true)
      expect({ isLeast, least, found }, `seed ${seed}`).toEqual({
        isLeast: true,
        least: leastByTrying(demands, weights),
        found: least,
      })
    }
  })

  test('takes what is there already for nothing', () => {
    const demands = [[[0], [1]], [[2, 3]]]
    const cover = lightestCover({ demands, weightOf: () => 1, base: new Set([1, 3]) })
    expect([...cover.chosen]).toEqual([1, 2, 3])
    expect(cover).toMatchObject({ isLeast: true, least: 1 })
  })

  test('ends a search that takes too long with a bound that holds', () => {
    const random = seededRandom(7)
    const demands = Array.from({ length: 400 }, () =>
      [...new Set(Array.from({ length: 3 }, () => random.below(120)))].map((at) => [at]),
    )
    const { chosen, isLeast, least } = lightestCover({ demands, weightOf: () => 1 })
    expect(isLeast).toBe(false)
    expect(demands.every((ways) => ways.some(([at = -1]) => chosen.has(at)))).toBe(true)
    expect(least).toBeLessThanOrEqual(chosen.size)
    expect(least).toBeGreaterThan(chosen.size / 3)
  })

  test('finds nothing to take where nothing is demanded', () => {
    expect(lightestCover({ demands: [], weightOf: () => 1 })).toEqual({
      chosen: new Set(),
      isLeast: true,
      least: 0,
    })
  })
})
