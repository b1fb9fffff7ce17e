import { describe, expect, it } from 'vitest'
import { SOLID_CALIBRATIONS, type SolidCalibration } from '../../../../src/domain/forecast/calibration'
import { dictionariesFor } from '../../../../src/domain/forecast/dictionaries'
import {
  forecastSolid,
  type RateSamples,
  type SolidSource,
} from '../../../../src/domain/forecast/solidForecast'

const MIB = 1024 * 1024

/** Nothing but what the samples say. */
const PLAIN: SolidCalibration = {
  ...(SOLID_CALIBRATIONS[0] as SolidCalibration),
  runBytes: 0,
  quietShare: 0,
  historyShare: 0,
  learning: 0,
  edgeShare: 0,
  modelError: 0,
}

/** Samples in which every new byte takes so much, by the codec in question half as much again less. */
function samples(rates: readonly number[], codecShare = 1, sampledShare = 1): RateSamples {
  const parts = rates.map((rate) => ({
    novelBytes: MIB,
    runs: 0,
    quietBytes: 0,
    quickBytes: rate * MIB,
  }))
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  return {
    parts,
    whole: { novelBytes: 4 * MIB, runs: 0, quietBytes: 0, quickBytes: mean * 4 * MIB },
    sampledShare,
    pairs: [1, 2].map((size) => ({ quickBytes: size * 1000, codecBytes: size * 1000 * codecShare })),
  }
}

const SOURCE: SolidSource = {
  bytes: 100 * MIB,
  quietBytes: 0,
  firstSeenBytes: 100 * MIB,
  firstSeen: samples([1, 1, 1, 1]),
  all: null,
  overheadBytes: 0,
  runsError: 0,
}
const point = (novelBytes: number, runs = 0, dictionaryBytes = 128 * MIB) => ({
  dictionaryBytes,
  novelBytes,
  runs,
})

describe('the forecast of a solid archive', () => {
  it('is what there is when nothing has a pattern, with the real calibrations too', () => {
    for (const calibration of [PLAIN, ...SOLID_CALIBRATIONS]) {
      for (const dictionary of [MIB, 128 * MIB]) {
        const found = forecastSolid(point(100 * MIB, 0, dictionary), SOURCE, calibration)
        expect(found.predictedBytes).toBe(100 * MIB)
        expect(found.high).toBeLessThanOrEqual(100.2 * MIB)
      }
    }
  })

  it('takes the quick codec on much and the other by how they compare on little', () => {
    const source = { ...SOURCE, firstSeen: samples([0.4, 0.4, 0.4, 0.4], 0.75) }
    const found = forecastSolid(point(50 * MIB), source, PLAIN)
    expect(found).toEqual({ predictedBytes: 15 * MIB, low: 15 * MIB, high: 15 * MIB })
  })

  it('gives what repeats too far away the rate that is left of everything', () => {
    // 40 first seen at 0.5, 60 repeated at 0.2: 32 of 100.
    const source = {
      ...SOURCE,
      firstSeenBytes: 40 * MIB,
      firstSeen: samples([0.5, 0.5]),
      all: samples([0.32, 0.32]),
    }
    for (const [again, expected] of [
      [0, 20],
      [10, 22],
      [60, 32],
    ] as const) {
      const found = forecastSolid(point((40 + again) * MIB), source, PLAIN)
      expect(found.predictedBytes / MIB).toBeCloseTo(expected, 5)
    }
  })

  it('adds a part of what repeats at the edge of the dictionary for a codec that misses some of it, and is unsure of it', () => {
    const source = { ...SOURCE, firstSeenBytes: 40 * MIB, firstSeen: samples([0.5, 0.5, 0.5, 0.5]) }
    const edge = { ...point(40 * MIB), edgeBytes: 20 * MIB }
    expect(forecastSolid(edge, source, PLAIN)).toEqual(forecastSolid(point(40 * MIB), source, PLAIN))
    const found = forecastSolid(edge, source, { ...PLAIN, edgeShare: 0.1 })
    expect(found.predictedBytes).toBeCloseTo(21 * MIB, -1)
    expect(found.low).toBeLessThan(20.1 * MIB)
    expect(found.high).toBeGreaterThan(21.9 * MIB)
  })

  it('adds bytes for each repeat, for patterns and for the lists of files', () => {
    const calibration = { ...PLAIN, runBytes: 2, quietShare: 0.001 }
    const source = { ...SOURCE, quietBytes: 10 * MIB, overheadBytes: 777 }
    const found = forecastSolid(point(0, 5000), source, calibration)
    expect(found.predictedBytes).toBe(Math.round(10_000 + 0.01 * MIB + 777))
  })

  it('is the lists and the pattern where all content is one short pattern', () => {
    const calibration = { ...PLAIN, quietShare: 0.001 }
    const source = {
      ...SOURCE,
      quietBytes: SOURCE.bytes,
      firstSeenBytes: 0,
      all: samples([0.5, 0.5]),
      overheadBytes: 777,
    }
    const predictedBytes = Math.round(0.001 * SOURCE.bytes + 777)
    expect(forecastSolid(point(0), source, calibration).predictedBytes).toBe(predictedBytes)
  })

  it('has a wider range the more the samples differ, the less they are of the whole, and the more of the runs is guessed', () => {
    const half = (source: SolidSource, calibration = PLAIN): number => {
      const { low, high } = forecastSolid(point(50 * MIB, 100_000), source, calibration)
      return high - low
    }
    const some = (rates: number[], share: number) => ({ ...SOURCE, firstSeen: samples(rates, 1, share) })
    expect(half(some([0.3, 0.5, 0.3, 0.5], 1))).toBe(0)
    expect(half(some([0.39, 0.41, 0.39, 0.41], 0.1))).toBeGreaterThan(0)
    expect(half(some([0.3, 0.5, 0.3, 0.5], 0.1))).toBeGreaterThan(half(some([0.39, 0.41, 0.39, 0.41], 0.1)))
    expect(half(some([0.3, 0.5, 0.3, 0.5], 0.1))).toBeGreaterThan(half(some([0.3, 0.5, 0.3, 0.5], 0.6)))
    const runs = { ...PLAIN, runBytes: 2, runError: 0 }
    expect(half({ ...SOURCE, runsError: 0.3 }, runs)).toBeGreaterThan(half(SOURCE, runs))
  })

  it('never forecasts a negative size, nor much more than the stored size', () => {
    const source = { ...SOURCE, bytes: MIB, firstSeenBytes: MIB, firstSeen: samples([0.01, 0.99], 1, 0) }
    const { low, high } = forecastSolid(point(MIB), source, PLAIN)
    expect(low).toBe(0)
    expect(high).toBeLessThanOrEqual(1.002 * MIB)
  })
})

describe('the dictionaries', () => {
  it('go up to the first that holds the source', () => {
    expect(dictionariesFor(1)).toEqual([MIB])
    expect(dictionariesFor(MIB)).toEqual([MIB])
    expect(dictionariesFor(MIB + 1)).toEqual([MIB, 4 * MIB])
    expect(dictionariesFor(2 ** 50).at(-1)).toBe(1024 * MIB)
  })
})

describe('the calibrations', () => {
  it('name their program, command and data sets', () => {
    for (const { tool, command, source } of SOLID_CALIBRATIONS) {
      expect(tool).toMatch(/\d+\.\d+/)
      expect(command).toContain('W')
      expect(source).toMatch(/fitted on \d{4}-\d\d-\d\d .*tried on/)
    }
  })

  it('prices near copies by what pieces of them add behind what they copy', () => {
    const runs: SolidCalibration = { ...PLAIN, runBytes: 2, runError: 0.5 }
    const source = { ...SOURCE, firstSeenBytes: 20 * MIB, firstSeen: samples([0.5, 0.5, 0.5, 0.5]) }
    const copies = { novelBytes: 10 * MIB, runs: MIB }
    const near = { ...point(20 * MIB, MIB), copies }
    const trial = (codecBytes: number) => ({ novelBytes: 1000, runs: 250, quietBytes: 0, codecBytes })
    // 1,000 bytes would be expected of each; a tenth came out.
    const tried = forecastSolid(near, { ...source, trials: [trial(80), trial(100), trial(120)] }, runs)
    expect(tried.predictedBytes).toBeCloseTo(0.5 * 10 * MIB + 0.1 * (0.5 * 10 * MIB + 2 * MIB), -1)
    const untried = forecastSolid(near, { ...source, trials: [trial(80), trial(100)] }, runs)
    expect(untried).toEqual(forecastSolid(point(20 * MIB, MIB), source, runs))
    expect(tried.high - tried.low).toBeLessThan(untried.high - untried.low)
    const trials = [trial(80), trial(100), trial(120)]
    const far = forecastSolid({ ...near, copies: { ...copies, reach: 0 } }, { ...source, trials }, runs)
    expect(far.predictedBytes).toBe(untried.predictedBytes)
  })

  it('takes the share that copies are of new data from trials with another codec', () => {
    const source = { ...SOURCE, firstSeenBytes: 20 * MIB, firstSeen: samples([0.5, 0.5, 0.5, 0.5]) }
    const near = { ...point(20 * MIB), copies: { novelBytes: 10 * MIB, runs: 0 } }
    // That codec makes 800 bytes of 1,000 new ones, and 80 of a copy of which 1,000 are new by its anchors.
    const trial = { novelBytes: 1000, runs: 0, quietBytes: 0, newRate: 0.8, codecBytes: 80 }
    const found = forecastSolid(near, { ...source, trials: [trial, trial, trial] }, PLAIN)
    expect(found.predictedBytes).toBeCloseTo(0.5 * 10 * MIB + 0.1 * 0.5 * 10 * MIB, -1)
  })
})
