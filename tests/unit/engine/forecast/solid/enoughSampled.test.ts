import { describe, expect, it } from 'vitest'
import type { Solid } from '../../../../../src/contract/dto/survey'
import { enoughSampled } from '../../../../../src/engine/forecast/solid/enoughSampled'
import type { CodecSamples } from '../../../../../src/engine/forecast/solid/solidRates'

/** Of streams that were packed to so many bytes each. */
function samplesOf(...packed: number[]): CodecSamples {
  const pairs = packed.map((codecBytes) => ({ bytes: 640, seconds: 1, quickBytes: 100, codecBytes }))
  const whole = { novelBytes: 640, runs: 0, quietBytes: 0, quickBytes: 100 }
  return new Map([['lzma2-9', { firstSeen: { parts: [whole], whole, sampledShare: 0.1, pairs }, all: null }]])
}

function spreadOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values)
}

/** One archive of 1,000 bytes whose range is as wide as what does not depend on samples and their spread. */
function forecast(fixed: number) {
  return (samples: CodecSamples): Solid[] => {
    const pairs = samples.get('lzma2-9')?.firstSeen?.pairs ?? []
    const half = fixed + spreadOf(pairs.map((one) => one.codecBytes))
    return [
      {
        codec: 'lzma2-9',
        dictionaryBytes: 1,
        order: 'path',
        predictedBytes: 1000,
        low: 1000 - half,
        high: 1000 + half,
      },
    ]
  }
}

describe('when streams for solid archives are enough', () => {
  it('they are once every range is narrow, whatever their spread', () => {
    expect(enoughSampled('normal', forecast(50))(samplesOf(80, 110))).toBe(true)
    expect(enoughSampled('normal', forecast(50))(samplesOf(80, 111))).toBe(false)
  })

  it('they are where a wide range would hardly be narrower if they were alike', () => {
    expect(enoughSampled('normal', forecast(200))(samplesOf(80, 95))).toBe(true)
    expect(enoughSampled('normal', forecast(200))(samplesOf(80, 130))).toBe(false)
  })

  it('they never are with thorough samples', () => {
    expect(enoughSampled('thorough', forecast(10))(samplesOf(80, 80))).toBe(false)
  })
})
