import { describe, expect, it } from 'vitest'
import { compareFigures, ratioOf } from '../../../../src/domain/devices/compareFigures'
import { type FigureOptions, operationFigures } from '../../../../src/domain/devices/operationFigures'
import { operationWarnings } from '../../../../src/domain/devices/warnings'
import type { TimedSize } from '../../../../src/domain/statistics/theilSen'
import type { Estimate } from '../../../../src/primitives/estimate'
import { seededRandom } from '../../../../src/primitives/seededRandom'
import { type SyntheticDevice, timeOn } from './syntheticDevice'

const DEVICE: SyntheticDevice = { latencyNs: 200_000, bytesPerSecond: 5e8, noise: 0.02 }
const OPTIONS: FigureOptions = {
  seed: 1,
  resamples: 50,
  linkBytesPerSecond: null,
  isWriting: false,
  isRandom: false,
}

function series(count: number, seed: number, device = DEVICE): TimedSize[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => {
    const bytes = Math.round(1e5 * 1000 ** random.unit())
    return { bytes, ns: timeOn(device, bytes, random) }
  })
}

function changed(samples: readonly TimedSize[], at: readonly number[], factor: number): TimedSize[] {
  return samples.map(({ bytes, ns }, index) => ({ bytes, ns: at.includes(index) ? ns * factor : ns }))
}

const codes = (samples: readonly TimedSize[], options: FigureOptions = OPTIONS): string[] => {
  return operationWarnings('read', operationFigures(samples, options)).map(({ code }) => code)
}

describe('operationFigures', () => {
  it('computes rate, latency and the size at half speed', () => {
    const { figures } = operationFigures(series(120, 1), OPTIONS)
    expect(figures.bytesPerSecond?.value).toBeCloseTo(5e8, -7)
    expect(figures.latencyNs?.value).toBeGreaterThan(180_000)
    expect(figures.latencyNs?.value).toBeLessThan(220_000)
    expect(figures.halfSpeedBytes?.value).toBeCloseTo(
      ((figures.latencyNs?.value ?? 0) * (figures.bytesPerSecond?.value ?? 0)) / 1e9,
      3,
    )
    expect(figures.check?.bytesPerSecond).toBeCloseTo(figures.bytesPerSecond?.value ?? 0, -7)
  })

  it('warns of nothing where there is nothing', () => {
    expect(codes(series(120, 2, { ...DEVICE, noise: 0.001 }))).toEqual([])
  })

  it('marks stalls, and keeps them in all figures', () => {
    const samples = series(120, 3)
    const stalled = changed(samples, [40, 77], 4)
    const { figures, marks } = operationFigures(stalled, OPTIONS)
    expect([marks[40], marks[77], figures.samples]).toEqual(['stall', 'stall', 120])
    expect(figures.ns).toBe(stalled.reduce((sum, { ns }) => sum + ns, 0))
    expect(codes(stalled)).toContain('stalls')
  })

  it('marks what is faster than the device, or than its link', () => {
    const samples = series(120, 4)
    const large = samples.findIndex(({ bytes }) => bytes > 3e7)
    expect(operationFigures(changed(samples, [large], 0.1), OPTIONS).marks[large]).toBe('cacheSuspect')
    expect(codes(changed(samples, [large], 0.1))).toContain('cacheSuspected')
    const slowLink = operationFigures(samples, { ...OPTIONS, linkBytesPerSecond: 4e8 })
    expect(slowLink.figures.cacheSuspects).toBeGreaterThan(10)
    expect(
      operationFigures(samples, { ...OPTIONS, linkBytesPerSecond: 4e8, isWriting: true }).figures
        .cacheSuspects,
    ).toBe(0)
  })

  it('marks a slow start', () => {
    const slow = changed(series(120, 5), [0, 1], 6)
    expect(operationFigures(slow, OPTIONS).marks.slice(0, 3)).toEqual(['warmUp', 'warmUp', null])
    expect(codes(slow)).toContain('slowFirst')
  })

  it('finds where a drive’s cache was full, in writing only', () => {
    const samples = series(120, 6)
    const after = samples.map((_, index) => index).slice(50)
    const slowed = changed(samples, after, 4)
    const { knee } = operationFigures(slowed, { ...OPTIONS, isWriting: true }).figures
    const before = samples.slice(0, 50).reduce((sum, { bytes }) => sum + bytes, 0)
    expect(Math.abs((knee?.kneeBytes ?? 0) / before - 1)).toBeLessThan(0.1)
    expect((knee?.burstBytesPerSecond ?? 0) / (knee?.sustainedBytesPerSecond ?? 1)).toBeCloseTo(4, 0)
    expect(operationFigures(slowed, OPTIONS).figures.knee).toBeNull()
  })

  it('sees two kinds of samples', () => {
    const random = seededRandom(7)
    const two = series(200, 7).map(({ bytes, ns }) => ({ bytes, ns: random.unit() < 0.4 ? ns * 2.5 : ns }))
    expect(codes(two)).toContain('bimodal')
    expect(operationFigures(two, OPTIONS).kinds?.share).toBeCloseTo(0.4, 1)
    expect(operationFigures(two, OPTIONS).kinds?.factor).toBeCloseTo(2.5, 1)
    for (let seed = 1; seed <= 20; seed++) {
      expect(
        operationFigures(series(150, seed, { ...DEVICE, noise: 0.1 }), { ...OPTIONS, resamples: 0 }).kinds,
      ).toBeNull()
    }
  })

  it('tells no rate by a line where flushes hide what sizes cost, but all bytes over all the time', () => {
    const random = seededRandom(11)
    // Flushes of 0.2 to 20 ms, and data that would take 4 ms at most.
    const flushed = Array.from({ length: 60 }, (_, index) => ({
      bytes: index % 3 === 0 ? Math.round(1e5 * 40 ** random.unit()) : 12_288,
      ns: 2e5 * 100 ** random.unit(),
    }))
    const { figures } = operationFigures(flushed, { ...OPTIONS, isWriting: true })
    expect(codes(flushed)).toContain('sizeUnexplained')
    expect(figures.bytesPerSecond?.value).toBeCloseTo((figures.bytes * 1e9) / figures.ns, 0)
    expect([figures.latencyNs, figures.halfSpeedBytes]).toEqual([null, null])
    const { low, high } = figures.bytesPerSecond as Estimate
    const fastest = Math.max(...flushed.map(({ bytes, ns }) => (bytes * 1e9) / ns))
    expect(low).toBeGreaterThan(0)
    expect(high).toBeLessThanOrEqual(fastest)
    expect(figures.stalls).toBeLessThan(15)
  })

  it('has no line through one size: the median rate, and of random accesses the median time', () => {
    const same = series(30, 8).map(({ ns }) => ({ bytes: 4096, ns }))
    const files = operationFigures(same, OPTIONS).figures
    expect([files.latencyNs, files.halfSpeedBytes, files.check, files.dispersion]).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(files.bytesPerSecond?.value).toBe(files.rates?.median)
    const random = operationFigures(same, { ...OPTIONS, isRandom: true }).figures
    expect(random.latencyNs?.value).toBe(random.latencies?.median)
    expect(random.latencyNs?.low).toBeLessThan(random.latencyNs?.value ?? 0)
  })

  it('gives a single sample no spread, and warns of few', () => {
    const { figures } = operationFigures([{ bytes: 1e6, ns: 2e6 }], OPTIONS)
    expect(figures.rates).toMatchObject({ n: 1, median: 5e8, spread: null })
    expect(codes([{ bytes: 1e6, ns: 2e6 }])).toEqual(['fewSamples'])
  })

  it('claims no rate from a line that does not rise', () => {
    const falling = Array.from({ length: 20 }, (_, k) => ({ bytes: (k + 1) * 1e6, ns: 1e9 - k * 1e6 }))
    expect(operationFigures(falling, OPTIONS).figures.latencyNs).toBeNull()
  })

  it('takes tens of thousands of samples', () => {
    const many = Array.from({ length: 150_000 }, (_, k) => ({ bytes: 4096, ns: 1000 + (k % 7) }))
    expect(operationFigures(many, { ...OPTIONS, isRandom: true }).figures.samples).toBe(150_000)
  })
})

const estimate = (value: number, low: number, high: number): Estimate => ({
  value,
  low,
  high,
  confidence: 0.95,
  provenance: 'measured',
  basis: '',
})

describe('ratioOf', () => {
  it('has the value of the ratio and a range that both add to', () => {
    const ratio = ratioOf(estimate(100, 90, 110), estimate(200, 190, 210))
    expect(ratio?.value).toBe(2)
    expect(ratio?.low).toBeLessThan(190 / 100)
    expect(ratio?.low).toBeGreaterThan(190 / 110)
    expect(ratio?.high).toBeGreaterThan(210 / 100)
    expect(ratio?.high).toBeLessThan(210 / 90)
    expect(ratioOf(null, estimate(1, 1, 1))).toBeNull()
    expect(ratioOf(estimate(0, 0, 1), estimate(1, 1, 1))).toBeNull()
  })

  it('reports a difference only when the range excludes 1', () => {
    const a = operationFigures(series(120, 1), OPTIONS).figures
    const same = operationFigures(series(120, 9), OPTIONS).figures
    const faster = operationFigures(series(120, 9, { ...DEVICE, bytesPerSecond: 8e8 }), OPTIONS).figures
    expect(compareFigures(a, same).rateDiffers).toBe(false)
    expect(compareFigures(a, faster)).toMatchObject({ rateDiffers: true, latencyDiffers: false })
  })
})
