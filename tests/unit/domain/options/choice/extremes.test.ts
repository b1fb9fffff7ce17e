import { describe, expect, it } from 'vitest'
import { nearExtreme } from '../../../../../src/domain/options/choice/extremes'
import { floorsOf } from '../../../../../src/domain/options/choice/floors'
import { meritsOf } from '../../../../../src/domain/options/choice/merits'
import type { OptionRow } from '../../../../../src/domain/options/choice/option'
import type { Goal } from '../../../../../src/domain/options/optionsDocument'
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
  it('are as small as is shown, whatever stays empty on a disc', () => {
    expect(near('smallest', figures('bytes', [1120e6, 1100e6, 1104e6, 1106e6]))).toEqual([
      '1100000000',
      '1104000000',
    ])
  })

  it('are the smallest for certain where a volume more is at stake', () => {
    const spread = (low: number, value: number, high: number) => ({ ...about(value), low, high })
    const options = [
      optionUnderTest('1 or 2', { bytes: spread(500e6, 636e6, 760e6), volumes: spread(1, 1, 2) }),
      optionUnderTest('1', { bytes: spread(630e6, 640e6, 650e6), volumes: spread(1, 1, 1) }),
    ]
    expect(near('smallest', options)).toEqual(['1'])
    const [unsure, sure] = options.map((option) => meritsOf(option, FLOORS).volumes)
    expect([unsure, sure]).toEqual([2, 1])
  })

  it('have as many volumes as are likely where whole files alone make the range', () => {
    const exactly = { ...about(1e9), low: 1e9, high: 1e9 }
    const volumes = { ...about(20), low: 19, high: 24 }
    expect(meritsOf(optionUnderTest('files', { bytes: exactly, volumes }), FLOORS).volumes).toBe(20)
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
