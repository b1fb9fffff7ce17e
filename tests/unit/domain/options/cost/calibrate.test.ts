import { describe, expect, it } from 'vitest'
import { type BuiltTimes, calibrationOf, wasAlone } from '../../../../../src/domain/options/cost/calibrate'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

type Changes = Partial<BuiltTimes> & { readonly cpu?: number | null; readonly seconds?: number }

/** A build that was forecast to take 10 s, and 20 s of CPU time. */
function built({ cpu = null, seconds = 10, ...more }: Changes): BuiltTimes {
  return {
    family: 'squashfs',
    variant: 'squashfs-gzip-128k',
    source: 'a',
    forecast: { buildSeconds: 10, cpuSeconds: 20 },
    actual: { buildSeconds: seconds, cpuSeconds: cpu },
    otherCores: 0,
    ...more,
  }
}

const SOURCES = ['a', 'b', 'c', 'd', 'e', 'f']
const factors = (builds: readonly BuiltTimes[]): (string | number | null)[][] =>
  calibrationOf(builds).map(({ variant, figure, factor, builds: count }) => [
    variant,
    figure,
    Number(factor.toFixed(4)),
    count,
  ])

describe('calibration', () => {
  it('is empty without builds and with builds of one or two sources', () => {
    expect(calibrationOf([])).toEqual([])
    expect(calibrationOf(Array.from({ length: 5 }, () => built({ cpu: 40 })))).toEqual([])
    expect(calibrationOf(SOURCES.slice(0, 2).map((source) => built({ source, cpu: 40 })))).toEqual([])
  })

  it('is the median over sources, shrunk towards 1 as by three builds without error', () => {
    const six = SOURCES.map((source) => built({ source, cpu: 40 }))
    expect(factors(six)).toEqual([[null, 'cpuSeconds', Number((2 ** (6 / 9)).toFixed(4)), 6]])
    const [row] = calibrationOf(six)
    expect(row?.spread).toBeGreaterThan(0)
  })

  it('moves a forecast by half of its error with three builds', () => {
    const three = SOURCES.slice(0, 3).map((source) => built({ source, cpu: 120 }))
    expect(calibrationOf(three)[0]?.factor).toBeCloseTo(6 ** (3 / 6), 6)
  })

  it('gives every source the same say, however often it was built', () => {
    const often = Array.from({ length: 20 }, () => built({ source: 'a', cpu: 80 }))
    const others = SOURCES.slice(1, 5).map((source) => built({ source, cpu: 30 }))
    const [row] = calibrationOf([...often, ...others])
    expect(row?.factor).toBeCloseTo(1.5 ** (24 / 27), 6)
  })

  it('learns nothing from the time of a busy machine, but from its CPU time', () => {
    const slow = SOURCES.map((source) => built({ source, seconds: 30, otherCores: 1.9 }))
    expect(calibrationOf(slow)).toEqual([])
    const counted = SOURCES.map((source) => built({ source, seconds: 30, otherCores: 1.9, cpu: 20 }))
    expect(calibrationOf(counted)).toEqual([])
    const right = SOURCES.map((source) => built({ source, seconds: 30, otherCores: 1.9, cpu: 30 }))
    expect(calibrationOf(right)[0]?.factor).toBeCloseTo(1.5 ** (6 / 9), 6)
  })

  it('learns from the time of an idle machine where CPU time is not known, and from neither unrecorded load', () => {
    const built15 = (otherCores: number | null): BuiltTimes[] =>
      SOURCES.map((source) => built({ source, seconds: 15, otherCores }))
    const idle = built15(0.1)
    expect(factors(idle)).toEqual([[null, 'buildSeconds', Number((1.5 ** (6 / 9)).toFixed(4)), 6]])
    expect(calibrationOf(built15(null))).toEqual([])
    expect([0, 0.25, 0.26, null].map((otherCores) => wasAlone({ otherCores }))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('has no factor that does not lower the error of sources left out', () => {
    const scattered = [10, 40, 12, 33, 9, 38].map((cpu, index) =>
      built({ source: SOURCES[index] as string, cpu }),
    )
    expect(calibrationOf(scattered)).toEqual([])
  })

  it('may make one source in five worse, and no more', () => {
    const misses = (cpus: readonly number[]): BuiltTimes[] =>
      cpus.map((cpu, index) => built({ source: SOURCES[index] as string, cpu }))
    expect(calibrationOf(misses([40, 40, 40, 18]))).toEqual([])
    expect(calibrationOf(misses([40, 40, 40, 40, 18]))).toHaveLength(1)
    expect(calibrationOf(misses([60, 60, 60, 60, 18, 18]))).toEqual([])
  })

  it('has no factor in the median when nothing but chance is in the builds', () => {
    const random = seededRandom(236)
    const normal = (): number =>
      Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())
    let [errors, moved] = [0, 0]
    for (let trial = 0; trial < 300; trial++) {
      const rows = calibrationOf(
        SOURCES.map((source) => built({ source, cpu: 20 * Math.exp(0.2 * normal()) })),
      )
      moved += rows.length > 0 ? 1 : 0
      errors += Math.abs(Math.log(rows[0]?.factor ?? 1))
    }
    expect(moved).toBeLessThan(45)
    expect(errors / 300).toBeLessThan(0.02)
  })

  it('gives a variant a factor of its own besides that of its family', () => {
    const of = (variant: string, cpu: number): BuiltTimes[] =>
      SOURCES.map((source) => built({ source, variant, cpu }))
    const rows = factors([...of('one', 30), ...of('two', 30), ...of('three', 60)])
    expect(rows.map(([variant]) => variant)).toEqual([null, 'one', 'three', 'two'])
    const [, one, three, two] = rows.map(([, , factor]) => factor as number)
    expect(one).toBe(two)
    expect(one).toBeLessThanOrEqual(1.5)
    expect(three).toBeGreaterThan(2)
    const few = factors([...of('one', 30), ...of('two', 60).slice(0, 2)])
    expect(few.map(([variant]) => variant)).not.toContain('two')
  })

  it('ignores times that are too short, and those that are wrong by a factor above 8', () => {
    const short = { buildSeconds: 0.4, cpuSeconds: 0.4 }
    expect(
      calibrationOf([
        ...SOURCES.map((source) =>
          built({ source, forecast: short, actual: { ...short, cpuSeconds: 0.49 } }),
        ),
        ...SOURCES.map((source) => built({ source, cpu: 170 })),
      ]),
    ).toEqual([])
  })
})
