import { describe, expect, it } from 'vitest'
import { visitingOrder } from '../../../../../src/domain/forecast/secondPhase'
import type { Progress } from '../../../../../src/engine/forecast/codecs/codecSamplesFigures'
import { nextTarget } from '../../../../../src/engine/forecast/codecs/codecSamplesSlices'
import { targetKey, targetsOf } from '../../../../../src/engine/forecast/codecs/codecSamplesTargets'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

const UNITS = 200
const random = seededRandom(7)
const units = Array.from({ length: UNITS }, () => ({
  stratum: 'text/2',
  bytes: 65_536,
  probability: 1,
  covariates: [20_000, 25_000],
}))
const visiting = visitingOrder({ units, weights: units.map(() => 1), groups: units.map(() => 0) }, () =>
  random.unit(),
)
const BUDGET = { budgetMs: 6000, firstMs: 3000 }

/** Every target with so many visits, which took a second each. */
function afterVisits(count: number, isNarrow: boolean): Progress[] {
  return targetsOf('normal', true).map((target) => ({
    target,
    measured: Array.from({ length: count }, () => ({
      compressedBytes: 20_000,
      bytesRead: 65_536,
      records: [],
    })),
    spentMs: 1000,
    packMs: 1000,
    bytesRead: count * 65_536,
    busy: false,
    isNarrow,
  }))
}

function next(targets: readonly Progress[], spentMs: number, budget = BUDGET): Progress | null {
  const byKey = new Map(targets.map((one) => [targetKey(one.target), one]))
  return nextTarget(targets, byKey, visiting, spentMs, budget)
}

describe('the codec that is given more samples next', () => {
  it('is none once every range is narrow, whatever is left of the budget', () => {
    expect(next(afterVisits(30, true), 100)).toBeNull()
  })

  it('is the only one whose range is still wide', () => {
    const targets = afterVisits(30, true)
    const wide = targets.find(({ target }) => targetKey(target) === 'zstd-19') as Progress
    wide.isNarrow = false
    expect(next(targets, 100)).toBe(wide)
  })

  it('is none past the budget, however wide ranges are', () => {
    expect(next(afterVisits(30, false), 7000)).toBeNull()
  })

  it('is one of those behind the covariates, however long preparing has taken and what it counts for by now', () => {
    const [first, other] = [afterVisits(8, false), afterVisits(0, false)]
    const targets = first.map((one, at) => (one.target.isFirst ? one : (other[at] as Progress)))
    for (const spentMs of [6500, 7000, 9000]) {
      const found = next(targets, spentMs, { ...BUDGET, firstMs: 10_000 })
      expect(found?.target.isFirst, String(spentMs)).toBe(false)
    }
  })

  it('has enough visits for a range before anything ends it', () => {
    expect(next(afterVisits(2, true), 7000)?.measured.length).toBe(2)
  })
})
