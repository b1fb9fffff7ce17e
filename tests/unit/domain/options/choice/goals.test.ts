import { describe, expect, it } from 'vitest'
import { floorsOf } from '../../../../../src/domain/options/choice/floors'
import { PRESETS, scoreOf, weightsOf } from '../../../../../src/domain/options/choice/goals'
import { meritsOf } from '../../../../../src/domain/options/choice/merits'
import type { OptionRow } from '../../../../../src/domain/options/choice/option'
import { GOALS } from '../../../../../src/domain/options/optionsDocument'
import { readingWays } from '../../../../../src/domain/options/recipes/readingWays'
import { about, optionUnderTest, readerOf } from '../optionUnderTest'

const MACHINE = { system: 'linux' } as const
const FLOORS = floorsOf({ memoryBytes: 8e9 })

/** What is used in one way on Linux. */
function usedBy(task: 'open' | 'mount' | 'unpack', own = true): Partial<OptionRow> {
  const access = { open: 'inPlace', mount: 'mount', unpack: 'extract' } as const
  return { access: access[task], ways: readingWays([readerOf(task, ['linux'], own)]) }
}

const small = optionUnderTest('small', { bytes: about(2e8), buildSeconds: about(4000), ramBytes: about(2e9) })
const quick = optionUnderTest('quick', { buildSeconds: about(4) })
const back = optionUnderTest('back', { restoreSeconds: about(2) })
const plain = optionUnderTest(
  'plain',
  { bytes: about(2e9), buildSeconds: about(20) },
  { portability: 1, ...usedBy('open') },
)
const mounted = optionUnderTest('mounted', { bytes: about(4e8) }, { ...usedBy('mount'), portability: 0.4 })
const ALL = [small, quick, back, plain, mounted]

function best(goal: (typeof GOALS)[number], own: Parameters<typeof weightsOf>[1] = null): string {
  const weights = weightsOf(goal, own)
  const score = (option: OptionRow): number =>
    scoreOf(goal, weights, meritsOf(option, FLOORS), option, MACHINE)
  return ALL.reduce((one, other) => (score(other) < score(one) ? other : one)).id
}

describe('goals', () => {
  it('choose what their words say', () => {
    expect(best('smallest')).toBe('small')
    expect(best('fastestBuild')).toBe('quick')
    expect(best('fastestRestore')).toBe('back')
    expect(best('anywhere')).toBe('plain')
    expect(best('live')).toBe('mounted')
  })

  it('take what access costs into account where they are for using an archive as it is', () => {
    const access = (goal: (typeof GOALS)[number]): number[] => {
      const scores = (['open', 'mount', 'unpack'] as const).map((task) => {
        const option = optionUnderTest('one', {}, usedBy(task))
        return scoreOf(goal, weightsOf(goal, null), meritsOf(option, FLOORS), option, MACHINE)
      })
      return scores.map((score) => score - (scores[0] as number))
    }
    expect(access('anywhere')).toEqual([0, expect.closeTo(0.5, 9), expect.closeTo(1, 9)])
    expect(access('live')).toEqual([0, expect.closeTo(0.5, 9), expect.closeTo(100, 9)])
    expect(access('smallest')).toEqual([0, 0, 0])
  })

  it('balance as equal weights of a person do, whatever they are', () => {
    const equal = (weight: number) => ({
      bytes: weight,
      volumes: weight,
      buildSeconds: weight,
      restoreSeconds: weight,
      ramBytes: weight,
      portability: weight,
    })
    const order = (goal: 'balanced' | 'own', weight: number): string[] => {
      const weights = weightsOf(goal, equal(weight))
      const score = (option: OptionRow): number =>
        scoreOf(goal, weights, meritsOf(option, FLOORS), option, MACHINE)
      return ALL.toSorted((one, other) => score(one) - score(other)).map(({ id }) => id)
    }
    expect(new Set(Object.values(weightsOf('balanced', null))).size).toBe(1)
    for (const weight of [0.1, 0.5, 1]) expect(order('own', weight)).toEqual(order('balanced', 0))
  })

  it('take live access for what it is on this machine', () => {
    const score = (option: OptionRow): number =>
      scoreOf('live', weightsOf('live', null), meritsOf(option, FLOORS), option, MACHINE)
    const appleOnly = optionUnderTest(
      'one',
      {},
      { access: 'mount', ways: readingWays([readerOf('mount', ['macos'], true)]) },
    )
    const bySystem = optionUnderTest('one', {}, usedBy('mount'))
    const byProgram = optionUnderTest('one', {}, usedBy('mount', false))
    expect(score(appleOnly) - score(bySystem)).toBeCloseTo(99.5, 9)
    expect(score(byProgram) - score(bySystem)).toBeCloseTo(1, 9)
  })

  it('weigh as the person says', () => {
    const none = { bytes: 0, volumes: 0, buildSeconds: 0, restoreSeconds: 0, ramBytes: 0, portability: 0 }
    expect(best('own', { ...none, bytes: 1 })).toBe('small')
    expect(best('own', { ...none, restoreSeconds: 0.2 })).toBe('back')
    expect(weightsOf('own', null)).toEqual(weightsOf('balanced', null))
    expect(PRESETS).toEqual(GOALS.filter((goal) => goal !== 'own'))
  })

  it('give half the size the same gain wherever it is, and nothing below what anybody sees', () => {
    const weights = weightsOf('smallest', null)
    const at = (bytes: number): number => {
      const option = optionUnderTest('one', { bytes: about(bytes) })
      return scoreOf('smallest', weights, meritsOf(option, FLOORS), option, MACHINE)
    }
    expect(at(4e9) - at(2e9)).toBeCloseTo(at(4e8) - at(2e8), 10)
    const lean = optionUnderTest('lean', { ramBytes: about(1e5), useRamBytes: about(1e5) })
    const leaner = optionUnderTest('leaner', { ramBytes: about(1e3), useRamBytes: about(1e3) })
    expect(meritsOf(leaner, FLOORS)).toEqual(meritsOf(lean, FLOORS))
  })
})
