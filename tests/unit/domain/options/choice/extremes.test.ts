import { describe, expect, it } from 'vitest'
import { nearExtreme } from '../../../../../src/domain/options/choice/extremes'
import { floorsOf } from '../../../../../src/domain/options/choice/floors'
import { meritsOf } from '../../../../../src/domain/options/choice/merits'
import type { Goal } from '../../../../../src/domain/options/optionsDocument'
import type { OptionRow } from '../../../../../src/domain/options/recipes/option'
import { about, optionUnderTest } from '../optionUnderTest'

const FLOORS = floorsOf({ memoryBytes: 16e9 })

function near(goal: Goal, options: readonly OptionRow[]): string[] {
  const compared = options.map((option) => ({
    option,
    contender: {
      group: 'disk',
      merits: meritsOf(option, FLOORS),
      bytesLow: 0,
      bytesHigh: Number.POSITIVE_INFINITY,
      sizeFloor: 1e12,
      isElsewhere: false,
      reach: 0,
      steps: 0,
    },
  }))
  return nearExtreme(goal, FLOORS, compared).map(({ option }) => option.id)
}

const figures = (figure: 'bytes' | 'buildSeconds' | 'restoreSeconds', values: readonly number[]) =>
  values.map((value) => optionUnderTest(String(value), { [figure]: about(value) }))

describe('the options at a goal’s extreme', () => {
  it('are within 2 % of the least size, whatever stays empty on a disc', () => {
    expect(near('smallest', figures('bytes', [1000e6, 1019e6, 1021e6]))).toEqual(['1000000000', '1019000000'])
  })

  it('are within the floor of the shortest time, which hides no factor over 1.5', () => {
    expect(near('fastestBuild', figures('buildSeconds', [1.9, 2.8, 2.9, 45]))).toEqual(['1.9', '2.8'])
    expect(near('fastestBuild', figures('buildSeconds', [200, 259, 261]))).toEqual(['200', '259'])
    expect(near('fastestBuild', figures('buildSeconds', [2000, 2199, 2201]))).toEqual(['2000', '2199'])
    expect(near('fastestRestore', figures('restoreSeconds', [30, 39.9, 40.1]))).toEqual(['30', '39.9'])
  })

  it('count times that are shown as under a second as equal', () => {
    expect(near('fastestRestore', figures('restoreSeconds', [0.1, 0.9, 1.4, 1.6]))).toEqual([
      '0.1',
      '0.9',
      '1.4',
    ])
  })

  it('count writing as building', () => {
    const written = optionUnderTest('written', { buildSeconds: about(1), writeSeconds: about(100) })
    expect(near('fastestBuild', [written, ...figures('buildSeconds', [50])])).toEqual(['50'])
  })

  it('are the most widely readable ones, and all for goals without an extreme', () => {
    const options = [0.5, 1].map((portability) => optionUnderTest(String(portability), {}, { portability }))
    expect(near('anywhere', options)).toEqual(['1'])
    for (const goal of ['balanced', 'live', 'own'] as const) expect(near(goal, options)).toEqual(['0.5', '1'])
  })
})
