import { describe, expect, it } from 'vitest'
import { floorsOf, sizeFloorOf } from '../../../../../src/domain/options/choice/floors'
import { type Contender, isClearlyLess, paretoFront } from '../../../../../src/domain/options/choice/front'
import { MERITS, type Merits } from '../../../../../src/domain/options/choice/merits'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

const NEUTRAL: Merits = {
  bytes: 1e9,
  volumes: 1,
  buildSeconds: 600,
  restoreSeconds: 600,
  ramBytes: 4e9,
  portability: 0.5,
}
const FLOORS = floorsOf({ memoryBytes: 16e9 })

/** An option whose size is known to 3 %, unpacked, without further steps. */
function contender(some: Partial<Merits>, more: Partial<Contender> = {}): Contender {
  const merits = { ...NEUTRAL, ...some }
  const [bytesLow, bytesHigh] = [merits.bytes * 0.97, merits.bytes * 1.03]
  return {
    group: 'disk',
    merits,
    bytesLow,
    bytesHigh,
    sizeFloor: 0,
    isElsewhere: false,
    reach: 2,
    steps: 2,
    ...more,
  }
}

function feltOf(merit: 'buildSeconds' | 'restoreSeconds' | 'ramBytes', value: number): number {
  return Math.max(FLOORS[merit], 0.1 * value)
}

/** Pair by pair: no worse in any merit, and clearly better in one. */
function isDominated(own: Contender, all: readonly Contender[]): boolean {
  return all.some((other) => {
    if (other.group !== own.group || MERITS.some((merit) => other.merits[merit] > own.merits[merit]))
      return false
    return MERITS.some((merit) => {
      if (merit === 'portability') return other.merits[merit] < own.merits[merit]
      if (merit === 'bytes') return own.merits.bytes > other.bytesHigh || other.merits.bytes < own.bytesLow
      if (merit === 'volumes') return other.merits.volumes < own.merits.volumes
      return own.merits[merit] - other.merits[merit] > feltOf(merit, own.merits[merit])
    })
  })
}

describe('the front', () => {
  it('leaves out every option that another dominates, on 60 random sets with ties', () => {
    const random = seededRandom(61)
    for (let round = 0; round < 60; round++) {
      const all = Array.from({ length: 1 + random.below(80) }, () =>
        contender(
          {
            bytes: 1e6 * (1 + random.below(20)),
            volumes: 1 + random.below(3),
            buildSeconds: 60 * (1 + random.below(round < 30 ? 4 : 100)),
            restoreSeconds: 10 * (1 + 0.004 * random.below(3)),
            ramBytes: 1e9 * (2 + random.below(5)),
            portability: random.below(3) / 2,
          },
          { group: `medium-${random.below(3)}`, steps: random.below(4) },
        ),
      )
      const found = paretoFront(all, FLOORS)
      for (const group of new Set(all.map((each) => each.group)))
        expect(found.some((each, index) => each === null && all[index]?.group === group)).toBe(true)
      found.forEach((each, index) => {
        const own = all[index] as Contender
        if (each === null) {
          expect(isDominated(own, all)).toBe(false)
          return
        }
        // What an option yields to is on the front itself, and on the same medium.
        expect(found[each.by]).toBeNull()
        expect(all[each.by]?.group).toBe(own.group)
      })
    }
  })

  it('says in what and by how much a dominating option is better', () => {
    const all = [contender({ bytes: 0.9e9 }), contender({ bytes: 0.5e9, restoreSeconds: 300 }), contender({})]
    expect(paretoFront(all, FLOORS)).toEqual([
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

  it('compares no two media', () => {
    expect(paretoFront([contender({}), contender({ bytes: 1e8 }, { group: 'bd-r-25' })], FLOORS)).toEqual([
      null,
      null,
    ])
    expect(paretoFront([], FLOORS)).toEqual([])
  })

  it('leaves the simpler of two options whose sizes lie within the forecast’s error', () => {
    const simple = contender({ bytes: 1.025e9 }, { steps: 3 })
    const slightlySmaller = contender({}, { steps: 4 })
    expect(paretoFront([slightlySmaller, simple], FLOORS)).toEqual([{ by: 1, figures: [] }, null])
    const clearlySmaller = contender({ bytes: 0.9e9 }, { steps: 4 })
    expect(paretoFront([clearlySmaller, simple], FLOORS)).toEqual([null, expect.objectContaining({ by: 0 })])
  })

  it('leaves a size that is exact where a forecast may come out as large', () => {
    const exact = contender({ bytes: 1.025e9 }, { bytesLow: 1.025e9, bytesHigh: 1.025e9, steps: 0 })
    expect(paretoFront([contender({}), exact], FLOORS)).toEqual([{ by: 1, figures: [] }, null])
  })

  it('does not count space on a volume that nothing else uses', () => {
    const onDisc = { group: 'bd-r-25', sizeFloor: 1.25e9 }
    const simple = contender({ bytes: 2e9 }, { ...onDisc, steps: 0 })
    const packed = contender({ bytes: 1.25e9 }, onDisc)
    expect(paretoFront([packed, simple], FLOORS)).toEqual([expect.objectContaining({ by: 1 }), null])
    const fewer = contender({ bytes: 1.25e9 }, onDisc)
    const more = contender({ bytes: 2e9, volumes: 2 }, { ...onDisc, steps: 0 })
    expect(paretoFront([fewer, more], FLOORS)[0]).toBeNull()
  })

  it('leaves the more widely readable of two options that are otherwise as good', () => {
    const rare = contender({})
    const wide = contender({ bytes: 1.005e9, portability: 0.2 })
    expect(paretoFront([rare, wide], FLOORS)).toEqual([
      { by: 1, figures: [{ figure: 'portability', ratio: 0.4 }] },
      null,
    ])
  })

  it.each([
    ['buildSeconds', 59, 2 * 60 + 600],
    ['restoreSeconds', 9, 2 * 60 + 600],
    ['ramBytes', 1.9e9, 3e9],
  ] as const)('does not count a difference in %s below its floor', (merit, unfelt, felt) => {
    const simple = (more: number): Contender => contender({ [merit]: NEUTRAL[merit] + more }, { steps: 0 })
    const other = contender({})
    expect(paretoFront([simple(unfelt), other], FLOORS)).toEqual([null, expect.objectContaining({ by: 0 })])
    expect(paretoFront([simple(felt), other], FLOORS)[1]).toBeNull()
  })

  it('does not prefer an option that must be unpacked to one that mounts', () => {
    const unpacked = contender({}, { reach: 2, steps: 2 })
    const mounted = contender({}, { reach: 1, steps: 3 })
    expect(paretoFront([unpacked, mounted], FLOORS)).toEqual([{ by: 1, figures: [] }, null])
  })
})

describe('an option', () => {
  const exact = (bytes: number) => contender({ bytes }, { bytesLow: bytes, bytesHigh: bytes })

  it.each([
    ['bytes', exact(990e6), exact(1e9), false],
    ['bytes', exact(970e6), exact(1e9), true],
    ['volumes', contender({ volumes: 1.2 }), contender({ volumes: 1.4 }), false],
    ['volumes', contender({ volumes: 1.4 }), contender({ volumes: 1.6 }), true],
  ] as const)('is clearly better in %s only by more than is felt (case %#)', (merit, one, other, isLess) => {
    expect(isClearlyLess(merit, one, other, FLOORS)).toBe(isLess)
  })

  it('has a size floor of a twentieth of its volume', () => {
    expect([sizeFloorOf({ capacityBytes: 1000 }), sizeFloorOf({ capacityBytes: null })]).toEqual([50, 0])
  })

  it.each([
    ['built on another system', { isElsewhere: true }],
    ['used less directly', { reach: 3 }],
  ])('dominates nothing that is as it should be here while it is %s', (_, more) => {
    expect(paretoFront([contender({}), contender({ bytes: 1e6 }, more)], FLOORS)).toEqual([null, null])
    expect(paretoFront([contender({}, more), contender({ bytes: 1e6 }, more)], FLOORS)[0]?.by).toBe(1)
  })

  const simple = contender({ bytes: 1.2e9 }, { bytesLow: 1.2e9, bytesHigh: 1.2e9, steps: 0 })
  const yielding = contender({ bytes: 1e9 }, { bytesLow: 0.9e9, bytesHigh: 1.3e9 })
  const slow = contender({ bytes: 1.05e9, restoreSeconds: 900 }, { bytesLow: 1.04e9, bytesHigh: 1.06e9 })

  it('names an option on the front where what dominates it yields to that one', () => {
    const found = paretoFront([simple, yielding, slow], FLOORS)
    expect(found.map((each) => each?.by ?? null)).toEqual([null, 0, 0])
  })

  it('rather names one on the front that is as good itself', () => {
    const readable = { ...slow, merits: { ...slow.merits, restoreSeconds: 920, portability: 0.1 } }
    const found = paretoFront([simple, yielding, slow, readable], FLOORS)
    expect(found.map((each) => each?.by ?? null)).toEqual([null, 0, 3, null])
  })
})
