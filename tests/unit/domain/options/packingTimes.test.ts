import { describe, expect, it } from 'vitest'
import {
  factsFrom,
  PACKED_SETS,
  type PackedSet,
  packedSeconds,
  packedSurvey,
  variantNamed,
} from '../../../fixtures/options/optionFacts'

const RUNS = PACKED_SETS.flatMap((set) =>
  Object.entries(packedSeconds(set)).map(([name, seconds]) => [set, name, seconds] as const),
)

function forecast(set: PackedSet, name: string): number {
  return variantNamed(factsFrom(packedSurvey(set)), name).packSeconds.value
}

describe('solid archives take about as long as they were forecast', () => {
  it.each(RUNS)('%s: %s', (set, name, seconds) => {
    expect(forecast(set, name) / seconds).toBeGreaterThan(0.65)
    expect(forecast(set, name) / seconds).toBeLessThan(1.25)
  })

  it('all together: off by less than a tenth in the median', () => {
    const errors = RUNS.map(([set, name, seconds]) => Math.abs(forecast(set, name) / seconds - 1))
    expect(errors.toSorted((one, other) => one - other)[errors.length >> 1]).toBeLessThan(0.1)
  })

  it('collections that repeat one another: the nearer repeats are, the quicker', () => {
    const order = ['7z-files', '7z-titles', '7z-solid-64m-content', '7z-solid-64m-path']
    const seconds = order.map((name) => forecast('collections', name))
    expect(seconds).toEqual(seconds.toSorted((one, other) => one - other))
    expect(packedSeconds('collections')['7z-solid-64m-content']).toBeLessThan(
      packedSeconds('collections')['7z-solid-64m-path'] ?? 0,
    )
  })
})

describe('LZMA', () => {
  it('takes as long as samples of these bytes let expect, and as repeats take on this machine', () => {
    const survey = packedSurvey('tiny')
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

  it('says of surveys that do not tell repeats apart from new bytes what blocks and chunks show', () => {
    const survey = packedSurvey('releases')
    const without = {
      ...survey,
      solid: survey.solid.map((row) => Object.assign({}, row, { reuse: undefined })),
    }
    const old = variantNamed(factsFrom(without), '7z-solid-64m-path').packSeconds
    const now = packedSeconds('releases')['7z-solid-64m-path'] ?? 0
    expect(old.low).toBeLessThan(now)
    expect(old.high).toBeGreaterThan(now)
  })
})
