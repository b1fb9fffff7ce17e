import { describe, expect, it } from 'vitest'
import { calibrate, type SampledUnit } from '../../../../src/domain/statistics/strata'
import type { TypeCompression, TypeRow } from '../../../../src/domain/survey/surveyDocument'
import {
  isNotWorthCompressing,
  joinedTypes,
  shownCompression,
  typeForecastsOf,
  typeTotal,
  withTypeForecasts,
} from '../../../../src/domain/survey/typeCompression'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const UNIT = 1000

/** Samples of 40 units of text and 40 of noise, a quarter of the source each. */
function sample(probability: number) {
  const random = seededRandom(5)
  const units = Array.from({ length: 80 }, (_, index): SampledUnit => {
    const share = index < 40 ? 0.3 + 0.2 * random.unit() : 1
    return { stratum: 'x/0', bytes: UNIT, probability, covariates: [share * UNIT] }
  })
  const sizeOf = (index: number): number => 0.9 * (units[index]?.covariates[0] ?? 0)
  const seen = units.map((_, unit) => ({ unit, probability: 1, compressedBytes: sizeOf(unit) }))
  return { calibrated: calibrate(units, [{ key: 'x/0', bytes: (80 * UNIT) / probability }]), seen }
}

const text = Array.from({ length: 40 }, (_, index) => index)

function row(more: Partial<TypeRow>): TypeRow {
  return { extension: 'jpg', fileClass: 'image', files: 10, bytes: 1000, ...more }
}

function forecast(predictedBytes: number, low: number, high: number, codec = 'zstd-3') {
  return { codec, predictedBytes, low, high }
}

describe('the forecast of a type', () => {
  it('uses only the samples of that type, scaled to its bytes', () => {
    const { calibrated, seen } = sample(0.25)
    const sum = seen.slice(0, 40).reduce((all, one) => all + one.compressedBytes, 0)
    const found = typeTotal(calibrated, text, seen, 200_000, 0)
    expect(found?.value).toBeCloseTo((sum / 40_000) * 200_000, 3)
    expect(found?.low).toBeLessThan((sum / 40_000) * 200_000)
    expect(found?.high).toBeGreaterThan((sum / 40_000) * 200_000)
  })

  it('has no width where all of the type was sampled and visited', () => {
    const { calibrated, seen } = sample(1)
    const found = typeTotal(calibrated, text, seen, 40_000, 0)
    expect(found?.low).toBeCloseTo(found?.value ?? 0, 6)
    expect(found?.high).toBeCloseTo(found?.value ?? 0, 6)
  })

  it('is wider the fewer samples there are, however alike they are', () => {
    const { calibrated, seen } = sample(0.25)
    const noise = seen.map(({ unit }) => ({ unit, probability: 1, compressedBytes: UNIT }))
    const few = typeTotal(calibrated, [40, 41, 42], noise, 100_000, 0)
    const many = typeTotal(
      calibrated,
      Array.from({ length: 40 }, (_, at) => 40 + at),
      noise,
      100_000,
      0,
    )
    expect(few?.low).toBeLessThan(97_000)
    expect(many?.low).toBeGreaterThan(97_000)
  })

  it('is missing where fewer than three contents were sampled', () => {
    const { calibrated, seen } = sample(0.25)
    expect(typeTotal(calibrated, [0, 1], seen, 8000, 0)).toBeNull()
    expect(typeTotal(calibrated, text, seen.slice(0, 2), 160_000, 0)).toBeNull()
    expect(typeTotal(calibrated, [], seen, 8000, 0)).toBeNull()
  })
})

describe('types that are not worth compressing', () => {
  it('are those of which no codec may save 3 %', () => {
    const of = (...compression: TypeCompression[]): boolean =>
      isNotWorthCompressing(row({ bytes: 100_000, compression }))
    expect(of(forecast(99_500, 98_000, 100_000))).toBe(true)
    expect(of(forecast(99_500, 96_900, 100_000))).toBe(false)
    expect(of(forecast(99_500, 99_000, 100_000), forecast(90_000, 88_000, 92_000, 'lzma2-9'))).toBe(false)
    // Short files shrink together, whatever each does by itself.
    const short = [forecast(101_000, 100_000, 102_000)]
    expect(isNotWorthCompressing(row({ files: 25, bytes: 100_000, compression: short }))).toBe(false)
    expect(isNotWorthCompressing(row({}))).toBe(false)
  })

  it('show the forecast of zstd -3, else of zstd -1', () => {
    const quick = forecast(1, 1, 1, 'zstd-1')
    const usual = forecast(2, 2, 2, 'zstd-3')
    expect(shownCompression(row({ compression: [quick, usual] }))).toBe(usual)
    expect(shownCompression(row({ compression: [quick] }))).toBe(quick)
    expect(shownCompression(row({}))).toBeUndefined()
  })
})

describe('forecasts of types after a change', () => {
  const earlier = [row({ compression: [forecast(500, 450, 550)] })]
  const now = [{ extension: 'jpg', files: 10, bytes: 1000 }]

  it('are carried over for a type that did not change', () => {
    const joined = joinedTypes(earlier, now, new Map([['jpg', 1000]]), new Map())
    expect(joined.get('jpg')).toEqual([forecast(500, 450, 550)])
  })

  it('widen downwards by what has gone', () => {
    const half = [{ ...now[0], extension: 'jpg', files: 5, bytes: 500 }]
    const joined = joinedTypes(earlier, half, new Map([['jpg', 500]]), new Map())
    expect(joined.get('jpg')).toEqual([forecast(250, 0, 550)])
  })

  it('add what was read, and take anything for it where it was not sampled', () => {
    const more = [{ extension: 'jpg', files: 12, bytes: 1200 }]
    const read = new Map([['jpg', [forecast(100, 90, 110)]]])
    const kept = new Map([['jpg', 1000]])
    expect(joinedTypes(earlier, more, kept, read).get('jpg')).toEqual([forecast(600, 540, 660)])
    expect(joinedTypes(earlier, more, kept, new Map()).get('jpg')).toEqual([forecast(600, 450, 754)])
  })

  it('are those of the new files alone for a new type', () => {
    const read = new Map([['png', [forecast(9, 8, 10)]]])
    const joined = joinedTypes(earlier, [{ extension: 'png', files: 1, bytes: 20 }], new Map(), read)
    expect(joined.get('png')).toEqual([forecast(9, 8, 10)])
  })

  it('replace those that a row had', () => {
    const rows = withTypeForecasts(earlier, new Map([['jpg', [forecast(1, 1, 1)]]]))
    expect(typeForecastsOf(rows).get('jpg')).toEqual([forecast(1, 1, 1)])
  })
})
