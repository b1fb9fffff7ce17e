import { describe, expect, it } from 'vitest'
import { NO_DIFFERENCE, paretoFront } from '../../../../src/domain/options/front'
import { MERITS, type Merits } from '../../../../src/domain/options/option'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const NEUTRAL: Merits = {
  bytes: 1e9,
  volumes: 1,
  buildSeconds: 10,
  restoreSeconds: 10,
  ramBytes: 1e8,
  portability: 0.5,
}
const merits = (some: Partial<Merits>): Merits => ({ ...NEUTRAL, ...some })

/** By the definition, pair by pair. */
function slowly(all: readonly Merits[], groups: readonly string[]): boolean[] {
  return all.map((own, index) =>
    all.every((other, at) => {
      if (groups[at] !== groups[index] || MERITS.some((merit) => other[merit] > own[merit])) return true
      return !MERITS.some((merit) =>
        merit === 'portability' ? other[merit] < own[merit] : other[merit] < own[merit] * (1 - NO_DIFFERENCE),
      )
    }),
  )
}

describe('the front', () => {
  it('is what a comparison of all pairs gives, on 60 random sets with ties', () => {
    const random = seededRandom(61)
    for (let round = 0; round < 60; round++) {
      const all = Array.from({ length: 1 + random.below(80) }, () =>
        merits({
          bytes: 1e6 * (1 + random.below(20)),
          volumes: 1 + random.below(3),
          buildSeconds: 1 + random.below(round < 30 ? 4 : 100),
          restoreSeconds: 10 * (1 + 0.004 * random.below(3)),
          ramBytes: 1e6 * (1 + random.below(5)),
          portability: random.below(3) / 2,
        }),
      )
      const groups = all.map(() => `medium-${random.below(3)}`)
      const found = paretoFront(all, groups)
      expect(found.map((each) => each === null)).toEqual(slowly(all, groups))
      // What beats something is on the Pareto front itself, and on the same medium.
      found.forEach((each, index) => {
        if (each === null) return
        expect(found[each.by]).toBeNull()
        expect(groups[each.by]).toBe(groups[index])
        expect(each.figures.length).toBeGreaterThan(0)
      })
    }
  })

  it('says by how much the best of those that beat it does', () => {
    const all = [merits({ bytes: 0.9e9 }), merits({ bytes: 0.5e9, restoreSeconds: 5 }), merits({})]
    expect(paretoFront(all, ['d', 'd', 'd'])).toEqual([
      {
        by: 1,
        figures: [
          { figure: 'bytes', ratio: 5 / 9 },
          { figure: 'restoreSeconds', ratio: 0.5 },
        ],
      },
      null,
      {
        by: 1,
        figures: [
          { figure: 'bytes', ratio: 0.5 },
          { figure: 'restoreSeconds', ratio: 0.5 },
        ],
      },
    ])
  })

  it('calls less than half a per cent no difference, and compares no two media', () => {
    expect(paretoFront([merits({}), merits({ bytes: 1e9 * 0.996 })], ['d', 'd'])).toEqual([null, null])
    expect(paretoFront([merits({}), merits({ bytes: 1e8 })], ['disk', 'bd-r-25'])).toEqual([null, null])
    expect(paretoFront([], [])).toEqual([])
  })
})
