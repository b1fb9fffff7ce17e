import { describe, expect, it } from 'vitest'
import table from '../../../../../assets/rates.json'
import { solidWork } from '../../../../../src/domain/options/cost/codecTimes'
import type { SurveyFacts } from '../../../../../src/domain/options/facts'
import type { SolidRow } from '../../../../../src/domain/options/surveyFigures'
import { factsFrom, type PackedSet, packedSets, variantNamed } from '../../../../fixtures/options/optionFacts'

const BUILT = packedSets('built')

function setNamed(name: string): PackedSet {
  const found = BUILT.get(name)
  if (!found) throw new Error(`${name} was not built`)
  return found
}

function forecast(survey: SurveyFacts, name: string): number {
  return variantNamed(factsFrom(survey), name).packSeconds.value
}

/** Forecast over actual of each run. */
function ratios(
  sets: ReadonlyMap<string, PackedSet>,
): (readonly [set: string, name: string, ratio: number])[] {
  return [...sets].flatMap(([set, { survey, seconds }]) =>
    Object.entries(seconds).map(([name, actual]) => [set, name, forecast(survey, name) / actual] as const),
  )
}

function medianError(runs: readonly (readonly [string, string, number])[]): number {
  const errors = runs.map(([, , ratio]) => Math.abs(ratio - 1)).toSorted((one, other) => one - other)
  return errors[errors.length >> 1] ?? Number.NaN
}

describe('solid archives take about as long as they were forecast', () => {
  const runs = ratios(BUILT)
  it.each(runs)('%s: %s, %f of it', (_set, _name, ratio) => {
    expect(ratio).toBeGreaterThan(0.65)
    expect(ratio).toBeLessThan(1.35)
  })

  it('all together: off by less than a tenth in the median', () => {
    expect(medianError(runs)).toBeLessThan(0.1)
  })

  it('collections that repeat one another: the nearer repeats are, the quicker', () => {
    const { survey, seconds } = setNamed('collections')
    const near = forecast(survey, '7z-solid-64m-content')
    expect(near).toBeLessThan(forecast(survey, '7z-solid-64m-path'))
    expect(seconds['7z-solid-64m-content']).toBeLessThan(seconds['7z-solid-64m-path'] ?? 0)
  })
})

describe('dictionaries of 1 to 64 MiB, which set no cost', () => {
  const runs = ratios(packedSets('windows'))
  it.each(runs)('%s: %s, %f of it', (_set, _name, ratio) => {
    expect(ratio).toBeGreaterThan(0.8)
    expect(ratio).toBeLessThan(1.4)
  })

  it('all together: off by less than a tenth in the median', () => {
    expect(runs).toHaveLength(20)
    expect(medianError(runs)).toBeLessThan(0.1)
  })
})

describe('LZMA', () => {
  const MEBIBYTE = 2 ** 20
  const { survey } = setNamed('tiny')
  const machine = { system: 'linux', cores: 2, memoryBytes: 16e9, pace: 1 } as const
  const packed = (nearBytes: number, more: Partial<SolidRow> = {}, pace = 1) => {
    const [known] = survey.solid
    if (!known) throw new Error('the set has no solid archive')
    const { speed: _speed, ...untimed } = known
    const row: SolidRow = { ...untimed, codec: 'lzma2-9', order: 'path', ...more }
    const withReuse = (size: number, novelBytes: number): SolidRow => ({
      ...row,
      dictionaryBytes: size * MEBIBYTE,
      reuse: { novelBytes, quietBytes: 0 },
    })
    const rows = [withReuse(1, nearBytes), withReuse(64, 0)]
    const totals = { ...survey.totals, files: 0, bytes: 200e6 }
    const on = { ...machine, pace }
    return solidWork({ ...survey, totals, solid: rows }, 64 * MEBIBYTE, 'path', on)
  }

  it('takes longer for bytes that do not repeat within a mebibyte, by the rates of the table', () => {
    const { newByte, repeatedByte } = table.work['lzma2-9.64m']
    expect(packed(60e6).value - packed(50e6).value).toBeCloseTo(10e6 * (newByte - repeatedByte) * 1e-9, 6)
  })

  it('is slower where samples of the source are, and on a slower machine', () => {
    const speed = (bytesPerSecond: number) => ({ speed: { bytesPerSecond, streamBytes: 655_360 } })
    const [fast, slow] = [packed(50e6, speed(4e6)), packed(50e6, speed(2e6))]
    expect(slow.value).toBeGreaterThan(1.2 * fast.value)
    expect(slow.value).toBeLessThan(2 * fast.value)
    expect(fast.provenance).toBe('modelled')
    expect(packed(50e6, {}, 0.5).value).toBeCloseTo(2 * packed(50e6).value, 6)
    // Samples of a machine of half the speed take twice as long, of the same bytes.
    expect(packed(50e6, speed(2e6), 0.5).value).toBeCloseTo(2 * fast.value, 6)
  })

  it('uses blocks and chunks for surveys without separate counts of repeats', () => {
    const { survey: releases, seconds } = setNamed('releases')
    const without = {
      ...releases,
      solid: releases.solid.map((row) => Object.assign({}, row, { reuse: undefined })),
    }
    const old = variantNamed(factsFrom(without), '7z-solid-64m-path').packSeconds
    const now = seconds['7z-solid-64m-path'] ?? 0
    expect(old.low).toBeLessThan(now)
    expect(old.high).toBeGreaterThan(now)
  })
})
