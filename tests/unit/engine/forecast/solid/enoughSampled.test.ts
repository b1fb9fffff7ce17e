import { describe, expect, it } from 'vitest'
import type { Solid } from '../../../../../src/contract/dto/survey'
import type { CopyTrial } from '../../../../../src/domain/forecast/solidForecast'
import { enoughSampled } from '../../../../../src/engine/forecast/solid/enoughSampled'
import type { CodecSamples } from '../../../../../src/engine/forecast/solid/solidRates'

/** Of streams that were packed to so many bytes each. */
function samplesOf(...packed: number[]): CodecSamples {
  const pairs = packed.map((codecBytes) => ({ bytes: 640, seconds: 1, quickBytes: 100, codecBytes }))
  const whole = { novelBytes: 640, runs: 0, quietBytes: 0, quickBytes: 100 }
  return new Map([['lzma2-9', { firstSeen: { parts: [whole], whole, sampledShare: 0.1, pairs }, all: null }]])
}

function trialsOf(...packed: number[]): CopyTrial[] {
  return packed.map((codecBytes) => ({ novelBytes: 100, quietBytes: 0, runs: 0, codecBytes }))
}

function spreadOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values)
}

/** One archive of 1,000 bytes whose range is as wide as what does not depend on samples, their spread and that of the trials. */
function forecast(fixed: number) {
  return (samples: CodecSamples, trials: readonly CopyTrial[]): Solid[] => {
    const pairs = samples.get('lzma2-9')?.firstSeen?.pairs ?? []
    const spread =
      spreadOf(pairs.map((one) => one.codecBytes)) + spreadOf(trials.map((one) => one.codecBytes))
    const half = fixed + spread
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
    expect(enoughSampled('normal', forecast(50)).streams(samplesOf(80, 110))).toBe(true)
    expect(enoughSampled('normal', forecast(50)).streams(samplesOf(80, 111))).toBe(false)
  })

  it('they are where a wide range would hardly be narrower if they were alike', () => {
    expect(enoughSampled('normal', forecast(200)).streams(samplesOf(80, 95))).toBe(true)
    expect(enoughSampled('normal', forecast(200)).streams(samplesOf(80, 130))).toBe(false)
  })

  it('they never are with thorough samples', () => {
    expect(enoughSampled('thorough', forecast(10)).streams(samplesOf(80, 80))).toBe(false)
  })
})

describe('when trials of near copies are enough', () => {
  it('three are, if they agree', () => {
    const { trials } = enoughSampled('normal', forecast(200))
    expect(trials(samplesOf(80, 80), trialsOf(20, 20))).toBe(false)
    expect(trials(samplesOf(80, 80), trialsOf(20, 20, 20))).toBe(true)
    expect(trials(samplesOf(80, 80), trialsOf(20, 20, 60))).toBe(false)
  })
})
