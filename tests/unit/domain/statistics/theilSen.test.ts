import { describe, expect, it } from 'vitest'
import { bisquareLine } from '../../../../src/domain/statistics/bisquare'
import { medianOf } from '../../../../src/domain/statistics/quantiles'
import { MOST_PAIRS, type TimedSize, theilSen } from '../../../../src/domain/statistics/theilSen'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { heavyTailed, type SyntheticDevice, timedSeries, timeOn } from '../devices/syntheticDevice'

const DEVICE: SyntheticDevice = { latencyNs: 500_000, bytesPerSecond: 3e9, noise: 0.1 }
const NS_PER_BYTE = 1e9 / DEVICE.bytesPerSecond

/** The definition, word for word: the median of all slopes between samples of different size. */
function slowSlope(samples: readonly TimedSize[]): number {
  const slopes: number[] = []
  samples.forEach((a, i) => {
    for (const b of samples.slice(i + 1))
      if (a.bytes !== b.bytes) slopes.push((b.ns - a.ns) / (b.bytes - a.bytes))
  })
  return medianOf(slopes)
}

describe('theilSen', () => {
  it.each([2, 3, 5, 10, 41, 160])('agrees with the definition for %i samples', (n) => {
    const random = seededRandom(n)
    const samples = Array.from({ length: n }, (_, k) => {
      const bytes = 1000 * (1 + random.below(n)) + (k === 0 ? 1 : 0)
      return { bytes, ns: timeOn(DEVICE, bytes, random) }
    })
    const fit = theilSen(samples, { resamples: 0 })
    expect(fit.nsPerByte).toBeCloseTo(slowSlope(samples), 12)
    expect(fit.subsetRange).toBeNull()
  })

  it('finds a line without noise exactly, and with no width', () => {
    const samples = [1e4, 1e4, 1e6, 3e6, 1e8, 2e9].map((bytes) => ({ bytes, ns: 70_000 + bytes * 0.5 }))
    const fit = theilSen(samples)
    expect(fit.latencyNs).toBeCloseTo(70_000, 3)
    expect(fit.nsPerByte).toBeCloseTo(0.5, 9)
    expect(fit.latencyRange.high - fit.latencyRange.low).toBeLessThan(1)
    expect(fit.halfSpeedRange.low).toBeCloseTo(140_000, 0)
  })

  it('is not moved by a quarter of stalls', () => {
    const random = seededRandom(5)
    const samples = timedSeries({ ...DEVICE, noise: 0.01 }, 5)
    const stalled = samples.map((sample) =>
      random.unit() < 0.25 ? { ...sample, ns: sample.ns + 2e9 } : sample,
    )
    const plain = theilSen(samples, { resamples: 0 })
    const fit = theilSen(stalled, { resamples: 0 })
    expect(Math.abs(fit.nsPerByte / plain.nsPerByte - 1)).toBeLessThan(0.02)
    expect(Math.abs(fit.latencyNs / plain.latencyNs - 1)).toBeLessThan(0.05)
  })

  it('recovers latency and rate under heavy-tailed noise, and its ranges contain the true values', () => {
    const trials = 20
    const errors = { latency: [] as number[], rate: [] as number[] }
    let [latencyHeld, rateHeld] = [0, 0]
    for (let seed = 1; seed <= trials; seed++) {
      const fit = theilSen(timedSeries(DEVICE, seed), { seed, resamples: 60 })
      errors.latency.push(fit.latencyNs / DEVICE.latencyNs - 1)
      errors.rate.push(NS_PER_BYTE / fit.nsPerByte - 1)
      if (fit.latencyRange.low <= DEVICE.latencyNs && DEVICE.latencyNs <= fit.latencyRange.high)
        latencyHeld += 1
      if (fit.nsPerByteRange.low <= NS_PER_BYTE && NS_PER_BYTE <= fit.nsPerByteRange.high) rateHeld += 1
    }
    // The whole trial with 500 series is tests/bench/speed/coverage.ts; here a gross fault would show.
    expect(Math.abs(medianOf(errors.latency))).toBeLessThan(0.02)
    expect(Math.abs(medianOf(errors.rate))).toBeLessThan(0.02)
    for (const each of [errors.latency, errors.rate]) expect(medianOf(each.map(Math.abs))).toBeLessThan(0.02)
    expect(latencyHeld).toBeGreaterThanOrEqual(0.8 * trials)
    expect(rateHeld).toBeGreaterThanOrEqual(0.8 * trials)
  })

  it('takes a stated share of thousands of samples, the same for the same seed', () => {
    const random = seededRandom(8)
    const samples = Array.from({ length: 6000 }, () => {
      const bytes = Math.round(1000 * 1000 ** random.unit())
      return { bytes, ns: timeOn(DEVICE, bytes, random) }
    })
    const fit = theilSen(samples, { seed: 3, resamples: 20 })
    expect(fit.pairs).toBe(MOST_PAIRS)
    expect(fit.allPairs).toBeGreaterThan(MOST_PAIRS)
    const { low, high } = fit.subsetRange ?? { low: Number.NaN, high: Number.NaN }
    expect(low).toBeLessThan(fit.nsPerByte)
    expect(high).toBeGreaterThan(fit.nsPerByte)
    expect(theilSen(samples, { seed: 3, resamples: 20 })).toEqual(fit)
    expect(Math.abs(fit.latencyNs / DEVICE.latencyNs - 1)).toBeLessThan(0.02)
  })

  it('weighs resamples as if they were written out', () => {
    // Of a resample that holds each sample twice, slope and latency are those of the samples.
    const samples = timedSeries(DEVICE, 3).slice(140, 220)
    const once = theilSen(samples, { resamples: 0 })
    const twice = theilSen([...samples, ...samples], { resamples: 0 })
    expect(Math.abs(twice.nsPerByte / once.nsPerByte - 1)).toBeLessThan(1e-9)
  })
})

describe('bisquareLine', () => {
  it('agrees with the headline under heavy-tailed noise', () => {
    const ratios = [1, 2, 3, 4, 5].map((seed) => {
      const samples = timedSeries(DEVICE, seed)
      return (bisquareLine(samples)?.nsPerByte ?? 0) / theilSen(samples, { resamples: 0 }).nsPerByte
    })
    expect(Math.abs(medianOf(ratios) - 1)).toBeLessThan(0.02)
  })

  it('finds a line without noise, and none where the rate falls with size to nothing', () => {
    const line = bisquareLine([1e4, 1e5, 1e6, 1e7].map((bytes) => ({ bytes, ns: 1000 + bytes * 2 })))
    expect(line?.latencyNs).toBeCloseTo(1000, 6)
    expect(line?.nsPerByte).toBeCloseTo(2, 9)
    expect(bisquareLine([1, 2, 3, 4, 5, 6].map((k) => ({ bytes: k * 1e6, ns: 1e9 - k * 1e6 })))).toBeNull()
  })
})

describe('heavyTailed', () => {
  it('has the tails of Student’s t with three degrees of freedom', () => {
    const random = seededRandom(1)
    const values = Array.from({ length: 40_000 }, () => Math.abs(heavyTailed(random)))
    expect(medianOf(values)).toBeCloseTo(0.765, 1)
    expect(values.filter((value) => value > 4).length / values.length).toBeCloseTo(0.028, 2)
  })
})
