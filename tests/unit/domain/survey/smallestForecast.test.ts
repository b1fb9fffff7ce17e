import { describe, expect, it } from 'vitest'
import { smallestForecast } from '../../../../src/domain/survey/smallestForecast'
import type { SurveyDocument } from '../../../../src/domain/survey/surveyDocument'

type Forecasts = Parameters<typeof smallestForecast>[0]

/** A survey of 1000 bytes with these forecasts alone. */
function surveyWith(forecasts: Partial<Record<keyof Forecasts, readonly object[]>>): Forecasts {
  const none = { fixedBlocks: [], chunked: [], compression: [], combined: [], solid: [] }
  const totals = { bytes: 1000 } as SurveyDocument['totals']
  return { ...none, ...forecasts, totals } as unknown as Forecasts
}

const solid = (predictedBytes: number, high: number) => ({ codec: 'lzma2-9', predictedBytes, low: 0, high })

describe('the smallest forecast', () => {
  it('is the one whose range ends first, so that a vague forecast does not win', () => {
    const vague = { ...solid(100, 900) }
    const compression = [{ codec: 'zstd-19', scope: 'file', predictedBytes: 400, low: 390, high: 410 }]
    expect(smallestForecast(surveyWith({ solid: [vague], compression }))).toEqual({
      way: 'files',
      codec: 'zstd-19',
      bytes: 400,
      low: 390,
      high: 410,
    })
  })

  it('counts exact blocks without a range', () => {
    const fixedBlocks = [{ blockSize: 4096, uniqueBytes: 300, exact: true, low: 0, high: 999 }]
    expect(smallestForecast(surveyWith({ fixedBlocks, solid: [solid(350, 400)] }))).toMatchObject({
      way: 'blocks',
      bytes: 300,
      high: 300,
    })
  })

  it('is none where nothing is forecast, or nothing saves a hundredth', () => {
    expect(smallestForecast(surveyWith({}))).toBeNull()
    expect(smallestForecast(surveyWith({ solid: [solid(995, 998)] }))).toBeNull()
  })
})
