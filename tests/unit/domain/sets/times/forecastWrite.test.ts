import { describe, expect, it } from 'vitest'
import { steadyRate } from '../../../../../src/domain/media/speedCurve'
import { bufferAdvice } from '../../../../../src/domain/sets/times/bufferAdvice'
import {
  bottleneckOf,
  forecastWrite,
  type SourceModel,
  steadySource,
  type WriterModel,
} from '../../../../../src/domain/sets/times/forecastWrite'
import { simulateWrite } from '../../../../../src/domain/sets/times/simulateWrite'
import { exact } from '../../../../../src/primitives/estimate'
import { seededTree } from './seededTree'

const MIB = 1024 * 1024
const span = (value: number, part = 0) => ({ value, low: value * (1 - part), high: value * (1 + part) })
const sizes = seededTree(5, { bytes: 60 * MIB, share: 0.7, largeBytes: 4 * MIB, smallBytes: 6000 })
const source = (part: number): SourceModel => ({
  startSeconds: span(0),
  fileSeconds: span(0.0038, part),
  secondsPerByte: span(1 / 30e6, part),
  provenance: 'measured',
  basis: 'a test',
})
const writer = (rate: number, part: number): WriterModel => ({
  curve: steadyRate(rate),
  pace: { low: 1 - part, high: 1 + part },
  discSeconds: span(10, part),
  provenance: 'assumed',
  basis: 'a drive',
})

describe('the forecast of a write', () => {
  it('is the simulation and what a disc takes, without a range where nothing has one', () => {
    const { seconds, simulated } = forecastWrite({
      sizes,
      bufferBytes: MIB,
      source: source(0),
      writer: writer(5e6, 0),
    })
    expect(seconds.value).toBe(simulated.seconds + 10)
    expect([seconds.low, seconds.high]).toEqual([seconds.value, seconds.value])
    expect(seconds.provenance).toBe('assumed')
  })

  it('has a range that holds what both sides may do alone, and none wider than all of it', () => {
    const request = { sizes, bufferBytes: MIB, source: source(0.2), writer: writer(5e6, 0.3) }
    const { seconds } = forecastWrite(request)
    const worst = forecastWrite({
      sizes,
      bufferBytes: MIB,
      source: { ...source(0), fileSeconds: span(0.0038 * 1.2), secondsPerByte: span(1.2 / 30e6) },
      writer: { ...writer(5e6 * 0.7, 0), discSeconds: span(13) },
    })
    expect(seconds.low).toBeLessThan(seconds.value)
    expect(seconds.high).toBeGreaterThan(seconds.value)
    expect(seconds.high).toBeLessThanOrEqual(worst.seconds.value)
  })

  it.each([
    [1e6, 64 * MIB, 'writer'],
    [50e6, 64 * MIB, 'source'],
    [5e6, 65_536, 'starvation'],
  ] as const)('names what decides at %d B/s with a buffer of %d bytes: %s', (rate, bufferBytes, named) => {
    expect(forecastWrite({ sizes, bufferBytes, source: source(0), writer: writer(rate, 0) }).bottleneck).toBe(
      named,
    )
  })

  it('reads an image at the rate of its disk', () => {
    const rate = { ...exact(20e6, 'a disk'), low: 10e6, high: 40e6 }
    const cost = steadySource(rate)
    expect(cost.secondsPerByte).toEqual({ value: 1 / 20e6, low: 1 / 40e6, high: 1 / 10e6 })
  })
})

describe('the advice on a buffer', () => {
  const setting = {
    sizes,
    source: { startSeconds: 0, fileSeconds: 0.0038, secondsPerByte: 1 / 30e6 },
    curve: steadyRate(5e6),
  }

  it('says what the buffer saves', () => {
    const { bufferBytes, seconds, unbufferedSeconds } = bufferAdvice(setting)
    expect(seconds).toBe(simulateWrite({ ...setting, bufferBytes }).seconds)
    expect(unbufferedSeconds).toBeGreaterThan(1.1 * seconds)
  })

  it('finds both sorted orders slower than mixed files where each side is as slow', () => {
    const { seconds, smallFirstSeconds, smallLastSeconds } = bufferAdvice(setting)
    expect(Math.min(smallFirstSeconds, smallLastSeconds)).toBeGreaterThan(seconds)
  })

  it('names the side that is slower where neither waits', () => {
    const alone = { seconds: 10, leastSeconds: 10 }
    expect(bottleneckOf({ ...alone, sourceSeconds: 9, writerSeconds: 10 })).toBe('writer')
    expect(bottleneckOf({ ...alone, sourceSeconds: 10, writerSeconds: 9 })).toBe('source')
    expect(bottleneckOf({ ...alone, seconds: 11, sourceSeconds: 10, writerSeconds: 9 })).toBe('starvation')
  })
})
