import { describe, expect, it } from 'vitest'
import { isCompressedAlready } from '../../../../src/domain/forecast/incompressible'
import { estimateTotal } from '../../../../src/domain/statistics/estimateTotal'
import { LeastSquares } from '../../../../src/domain/statistics/linearFit'
import { calibrate, type SampledUnit } from '../../../../src/domain/statistics/strata'
import { tQuantile } from '../../../../src/domain/statistics/tQuantile'
import { strataTable } from '../../../../src/domain/survey/strataTable'

const unit = (stratum: string, bytes: number, probability: number): SampledUnit => ({
  stratum,
  bytes,
  probability,
  covariates: [bytes / 2],
})

describe('weights of sampled units', () => {
  it('scale the sample to exactly the bytes that the pass counted, in every stratum with enough units', () => {
    const units = [
      ...Array.from({ length: 12 }, () => unit('a', 100, 0.1)),
      ...Array.from({ length: 15 }, () => unit('b/1', 50, 0.2)),
      unit('b/2', 70, 0.5),
    ]
    const { weights, groups } = calibrate(units, [
      { key: 'a', bytes: 10_000 },
      { key: 'b/1', bytes: 3000 },
      { key: 'b/2', bytes: 200 },
    ])
    const standsFor = (group: number): number =>
      units.reduce(
        (sum, one, at) => (groups[at] === group ? sum + one.bytes * (weights[at] as number) : sum),
        0,
      )
    expect(standsFor(groups[0] as number)).toBeCloseTo(10_000, 6)
    expect(standsFor(groups[12] as number)).toBeCloseTo(3000, 6)
    expect(standsFor(groups[27] as number)).toBeCloseTo(200, 6)
  })

  it('pool strata of one class that have few units, and never packed pictures with text', () => {
    const units = [
      ...Array.from({ length: 20 }, () => unit('text/1', 100, 0.1)),
      ...Array.from({ length: 4 }, () => unit('image/1', 100, 0.1)),
      ...Array.from({ length: 4 }, () => unit('image/2', 1000, 0.5)),
    ]
    const { groups } = calibrate(units, [
      { key: 'text/1', bytes: 20_000 },
      { key: 'image/1', bytes: 4000 },
      { key: 'image/2', bytes: 8000 },
    ])
    expect(groups[20]).toBe(groups[24])
    expect(groups[20]).not.toBe(groups[0])
  })

  it('count bytes of strata without any sample too', () => {
    const units = Array.from({ length: 10 }, () => unit('a', 100, 0.5))
    const { weights } = calibrate(units, [
      { key: 'a', bytes: 2000 },
      { key: 'unseen', bytes: 500 },
    ])
    expect(units.reduce((sum, one, at) => sum + one.bytes * (weights[at] as number), 0)).toBeCloseTo(2500, 6)
  })

  it('are one where everything was taken, and the total is then exact', () => {
    const units = [unit('a', 100, 1), unit('a', 300, 1), unit('b', 10, 1)]
    const sample = calibrate(units, [
      { key: 'a', bytes: 400 },
      { key: 'b', bytes: 10 },
    ])
    expect(sample.weights).toEqual([1, 1, 1])
    const observations = [70, 20, 9].map((compressedBytes, index) => ({
      unit: index,
      probability: 1,
      compressedBytes,
    }))
    const { value, low, high } = estimateTotal(sample, observations)
    expect([value, low, high].map((size) => Math.round(size * 1e6) / 1e6)).toEqual([99, 99, 99])
  })
})

describe('the parts of the estimate', () => {
  it('fit a plane exactly, and leave out a column that depends on the others', () => {
    const rows = [
      [1, 2, 3],
      [2, 1, 3],
      [3, 5, 8],
      [4, 4, 8],
    ]
    const values = rows.map(([a = 0, b = 0]) => 2 * a - b)
    const squares = new LeastSquares(3)
    rows.forEach((row, index) => {
      squares.add((column) => row[column] as number, values[index] as number, [1, 1, 2, 1][index] as number)
    })
    const { coefficients: fit, squares: left } = squares.fit()
    rows.forEach((row, index) => {
      expect(row.reduce((sum, x, column) => sum + x * (fit[column] as number), 0)).toBeCloseTo(
        values[index] as number,
        9,
      )
    })
    expect(fit[2]).toBe(0)
    expect(left).toBe(0)
  })

  it('leave the squares that a fit with fewer columns cannot explain', () => {
    const squares = new LeastSquares(2)
    const seen = [
      { x: 1, y: 3, weight: 2 },
      { x: 2, y: 4, weight: 1 },
      { x: 4, y: 9, weight: 3 },
    ]
    for (const { x, y, weight } of seen) squares.add((column) => (column === 0 ? x : 1), y, weight)
    for (const columns of [1, 2]) {
      const { coefficients, squares: left } = squares.fit(columns)
      const [slope = 0, more = 0] = coefficients
      const off = seen.reduce((sum, { x, y, weight }) => sum + weight * (y - slope * x - more) ** 2, 0)
      expect(left).toBeCloseTo(off, 9)
    }
  })

  it('widen ranges for few observations', () => {
    expect(tQuantile(1)).toBe(12.706)
    expect(tQuantile(7)).toBeCloseTo(2.365, 2)
    expect(tQuantile(45)).toBeCloseTo(2.014, 2)
    expect(tQuantile(1e9)).toBeCloseTo(1.96, 4)
    expect(tQuantile(0.3)).toBe(12.706)
  })

  it('recognise packed data, for which the best codec counts', () => {
    expect(isCompressedAlready(1000, [999, 975])).toBe(true)
    expect(isCompressedAlready(1000, [999, 965])).toBe(false)
    expect(isCompressedAlready(0, [0])).toBe(false)
  })

  it('count files by class and size, whatever bytes their names have', () => {
    const table = strataTable()
    table.add(new TextEncoder().encode('a/b.c/README.TXT'), 100)
    table.add(new TextEncoder().encode('other.txt'), 4096)
    table.add(Uint8Array.from([0x61, 0x2f, 0xff, 0xfe, 0x2e, 0xff]), 5000)
    expect(table.totals()).toEqual([
      { key: 'text/0', files: 2, bytes: 4196, nameBytes: 19 },
      { key: 'other/1', files: 1, bytes: 5000, nameBytes: 4 },
    ])
  })
})
