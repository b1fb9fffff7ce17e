import { describe, expect, it } from 'vitest'
import { type BuiltFigures, calibrationOf } from '../../../../src/domain/options/calibrate'
import { seededRandom } from '../../../../src/primitives/seededRandom'

function built(variant: string, bytes: number, buildSeconds: number | null = null): BuiltFigures {
  return {
    variant,
    forecast: { bytes: 1000, buildSeconds: 10, ramBytes: 100 },
    actual: { bytes, buildSeconds, ramBytes: null },
  }
}

describe('calibration', () => {
  it('is the median of actual over forecast, shrunk towards 1 with few builds', () => {
    expect(calibrationOf([])).toEqual([])
    expect(calibrationOf([built('iso', 1210)])).toEqual([
      { variant: 'iso', figure: 'bytes', factor: Math.exp(Math.log(1.21) / 3), builds: 1, spread: null },
    ])
    const many = Array.from({ length: 198 }, () => built('iso', 1210))
    expect(calibrationOf(many)[0]?.factor).toBeCloseTo(1.21 ** 0.99, 10)
  })

  it('keeps variants and figures apart, and leaves out what is not calibration but wrong', () => {
    const rows = calibrationOf([
      built('iso', 1000, 20),
      built('borg', 900),
      built('borg', 900),
      built('borg', 9000),
      { ...built('iso', 0), forecast: { bytes: 0, buildSeconds: 0, ramBytes: 0 } },
    ])
    expect(rows.map(({ variant, figure, builds }) => [variant, figure, builds])).toEqual([
      ['borg', 'bytes', 2],
      ['iso', 'bytes', 1],
      ['iso', 'buildSeconds', 1],
    ])
  })

  it('leaves the spread that Student gives for two builds, by one degree of freedom', () => {
    // The median is half of log 1.02, drawn to a quarter; squares of 1/4 and 3/4 of it sum to 10/16; t is 12.706.
    const [row] = calibrationOf([built('iso', 1000), built('iso', 1020)])
    expect(row?.spread).toBeCloseTo(Math.expm1(12.706 * Math.log(1.02) * Math.sqrt(10 / 16)), 3)
  })

  it('leaves a range that contains the next build as often as stated', () => {
    const random = seededRandom(62)
    const normal = (): number =>
      Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())
    let held = 0
    for (let trial = 0; trial < 400; trial++) {
      const draw = (): number => 1000 * Math.exp(0.05 * normal())
      const [row] = calibrationOf(Array.from({ length: 12 }, () => built('iso', draw())))
      const { factor, spread } = row as { factor: number; spread: number }
      const next = draw() / 1000
      if (Math.abs(Math.log(next / factor)) <= Math.log1p(spread)) held++
    }
    expect(held).toBeGreaterThanOrEqual(376)
  })
})
