import { describe, expect, it } from 'vitest'
import { solidSeconds } from '../../../../../src/domain/options/cost/lzmaWork'
import type { SurveyFacts } from '../../../../../src/domain/options/facts'
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
    expect(ratio).toBeLessThan(1.25)
  })

  it('all together: off by less than a tenth in the median', () => {
    expect(medianError(runs)).toBeLessThan(0.1)
  })

  it('collections that repeat one another: the nearer repeats are, the quicker', () => {
    const { survey, seconds } = setNamed('collections')
    const order = ['7z-files', '7z-titles', '7z-solid-64m-content', '7z-solid-64m-path']
    const forecasts = order.map((name) => forecast(survey, name))
    expect(forecasts).toEqual(forecasts.toSorted((one, other) => one - other))
    expect(seconds['7z-solid-64m-content']).toBeLessThan(seconds['7z-solid-64m-path'] ?? 0)
  })
})

describe('dictionaries of 1 to 64 MiB, which set no cost', () => {
  const runs = ratios(packedSets('windows'))
  it.each(runs)('%s: %s, %f of it', (set, _name, ratio) => {
    expect(ratio).toBeGreaterThan(0.8)
    // Samples of tiny files by themselves took longer than the files in one archive.
    expect(ratio).toBeLessThan(set === 'tiny' ? 1.6 : 1.2)
  })

  it('all together: off by less than a tenth in the median', () => {
    expect(runs).toHaveLength(20)
    expect(medianError(runs)).toBeLessThan(0.1)
  })
})

describe('LZMA', () => {
  it('takes for repeats what their distance costs, half of the dictionary that first held them', () => {
    const MEBIBYTE = 2 ** 20
    const row = (dictionaryBytes: number, novelBytes: number) => {
      const [known] = setNamed('tiny').survey.solid
      if (!known) throw new Error('the set has no solid archive')
      const { speed: _speed, ...untimed } = known
      return {
        ...untimed,
        codec: 'lzma2-9',
        order: 'path' as const,
        dictionaryBytes,
        reuse: { novelBytes, quietBytes: 0 },
      }
    }
    const seconds = (novelBytes: number): number => {
      const { survey } = setNamed('tiny')
      const totals = { ...survey.totals, files: 0, bytes: 200e6 }
      const solid = [row(MEBIBYTE, 100e6), row(64 * MEBIBYTE, novelBytes)]
      const { pace: _pace, ...machine } = factsFrom(survey).machine
      return solidSeconds({ ...survey, totals, solid }, 64 * MEBIBYTE, 'path', machine).value
    }
    // 10 MB more are found at 32 MiB, 8 doublings beyond 128 KiB, instead of being new with 64 MiB before them.
    const found = 10e6 * (0.165e-6 + 8 * 0.047e-6)
    const asNew = 10e6 * (0.24e-6 + 0.047e-6 * Math.log2((64 * MEBIBYTE) / (640 * 1024)))
    expect(seconds(50e6) - seconds(60e6)).toBeCloseTo(found - asNew, 6)
  })

  it('takes the time predicted from samples of these bytes and from repeats on this machine', () => {
    const { survey } = setNamed('tiny')
    const solid = survey.solid.map((row) => ({
      ...row,
      speed: { bytesPerSecond: 2e6, streamBytes: 655_360 },
    }))
    const halved = solid.map((row) => ({ ...row, speed: { bytesPerSecond: 1e6, streamBytes: 655_360 } }))
    const of = (rows: typeof solid, pace: number): number => {
      const machine = { system: 'linux', cores: 2, memoryBytes: 16e9, pace } as const
      return variantNamed(factsFrom({ ...survey, solid: rows }, { machine }), '7z-solid-64m-path').packSeconds
        .value
    }
    // Of what is new half a microsecond a byte more.
    const novel = survey.solid.find((row) => row.codec === 'lzma2-9')?.reuse?.novelBytes ?? 0
    expect(of(halved, 1) - of(solid, 1)).toBeCloseTo(novel * 0.5e-6, 1)
    const rest = of(solid, 1) - novel * 0.5e-6
    expect(of(solid, 0.5) - of(solid, 1)).toBeCloseTo(rest, 0)
  })

  it('uses blocks and chunks for surveys without separate counts of repeats', () => {
    const { survey, seconds } = setNamed('releases')
    const without = {
      ...survey,
      solid: survey.solid.map((row) => Object.assign({}, row, { reuse: undefined })),
    }
    const old = variantNamed(factsFrom(without), '7z-solid-64m-path').packSeconds
    const now = seconds['7z-solid-64m-path'] ?? 0
    expect(old.low).toBeLessThan(now)
    expect(old.high).toBeGreaterThan(now)
  })
})
