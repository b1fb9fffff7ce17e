import { describe, expect, it } from 'vitest'
import { drawSizes, sum } from '../../../../src/domain/devices/drawSizes'
import { PRESETS } from '../../../../src/domain/devices/presets'
import { keepFreeOf, planReading, planRun, type RunPlan } from '../../../../src/domain/devices/runPlan'
import { scaleToBudget } from '../../../../src/domain/devices/scaleToBudget'
import { testSpecSchema } from '../../../../src/domain/devices/testSpec'
import { seededRandom } from '../../../../src/primitives/seededRandom'

const spec = (written: object) => testSpecSchema.parse(written)

/** What a plan writes, reads and holds at most, by carrying it out on paper. */
function carriedOut(plan: RunPlan): { writeBytes: number; readBytes: number; peakBytes: number } {
  let [writeBytes, readBytes, peakBytes] = [0, 0, 0]
  const blocks = (bytes: number): number => Math.ceil(bytes / 4096) * 4096
  for (const { files, steps } of plan.segments) {
    const there = new Set<number>()
    let held = 0
    const bytesOf = (file: number): number => files[file]?.bytes ?? Number.NaN
    for (const step of steps) {
      if (step.kind === 'rest') continue
      if (step.kind === 'create') expect(there.has(step.file)).toBe(false)
      else expect(there.has(step.file), `${step.kind} of a file that is not there`).toBe(true)
      if (step.kind === 'create') {
        there.add(step.file)
        held += blocks(bytesOf(step.file))
      }
      if (step.kind === 'write') writeBytes += blocks(bytesOf(step.file))
      if (step.kind === 'read') readBytes += bytesOf(step.file)
      if (step.kind === 'randomRead') readBytes += step.accesses * step.accessSize
      if (step.kind === 'randomWrite') writeBytes += step.accesses * step.accessSize
      if (step.kind === 'stream') {
        there.add(step.writeFile)
        held += blocks(bytesOf(step.writeFile))
        readBytes += bytesOf(step.file)
        writeBytes += blocks(bytesOf(step.writeFile))
      }
      if (step.kind === 'remove') {
        there.delete(step.file)
        held -= blocks(bytesOf(step.file))
      }
      peakBytes = Math.max(peakBytes, held)
    }
    expect(there.size).toBe(0)
  }
  return { writeBytes, readBytes, peakBytes }
}

describe('planRun', () => {
  it.each(Object.entries(PRESETS))('says of %s what it writes, reads and holds at most', (_name, preset) => {
    const plan = planRun(preset)
    const { writeBytes, readBytes, peakBytes } = plan
    expect(carriedOut(plan)).toEqual({ writeBytes, readBytes, peakBytes })
    expect(planRun(preset)).toEqual(plan)
  })

  it('reads back in the order in which it wrote, and never writes the same data twice', () => {
    const plan = planRun(PRESETS.stibium)
    const [first] = plan.segments
    const order = (kind: string): number[] =>
      (first?.steps ?? []).flatMap((step) => (step.kind === kind && 'file' in step ? [step.file] : []))
    expect(order('read')).toEqual(order('write'))
    const seeds = plan.segments.flatMap(({ files }) => files.map(({ seed }) => seed))
    expect(new Set(seeds).size).toBe(seeds.length)
    expect(Math.max(...seeds)).toBeLessThan(Number.MAX_SAFE_INTEGER)
  })

  it('follows Stibium’s protocol: sizes, number and random order of files', () => {
    const sizes = planRun(PRESETS.stibium).segments[0]?.files.map(({ bytes }) => bytes) ?? []
    expect(sizes).toHaveLength(160)
    expect(sum(sizes)).toBe(53e9)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(2e6)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2e9)
    expect(sizes).not.toEqual(sizes.toSorted((a, b) => a - b))
  })

  it('shares random accesses among the files that are large enough', () => {
    const plan = planRun(
      spec({
        tests: [
          {
            sizes: [100, '1MB', '1MB', '1MB'],
            operations: ['write', 'randomRead'],
            accesses: 100,
            order: 'listed',
          },
        ],
      }),
    )
    const accesses = plan.segments[0]?.steps.flatMap((step) =>
      step.kind === 'randomRead' ? [step.accesses] : [],
    )
    expect(accesses).toEqual([33, 33, 34])
  })

  it('reads the second time, from the cache, the largest file that is not too large', () => {
    const cachedBytes = (sizes: number[]): number | undefined => {
      const files = sizes.map((bytes, index) => ({ path: `/${index}`, bytes }))
      const step = planReading(files).segments[0]?.steps.find(({ kind }) => kind === 'cachedRead')
      return step && 'file' in step ? sizes[step.file] : undefined
    }
    expect(cachedBytes([5e6, 2e8, 1e6, 9e9])).toBe(2e8)
    expect(cachedBytes([9e9, 5e9, 7e9])).toBe(5e9)
    expect(cachedBytes([])).toBeUndefined()
  })
})

describe('scaleToBudget', () => {
  it.each(Object.entries(PRESETS))('fits %s into any budget and says what it changed', (_name, preset) => {
    for (const budget of [3e6, 5e7, 4e8, 2e9, 3e10]) {
      const whole = planRun(preset).writeBytes
      const { spec: scaled, changes } = scaleToBudget({ ...preset, budget })
      const { writeBytes } = planRun(scaled)
      expect(writeBytes).toBeLessThanOrEqual(budget)
      expect(changes.length > 0).toBe(whole > budget)
      // A budget is used, not only kept.
      if (whole > budget && budget >= 5e7) expect(writeBytes).toBeGreaterThan(0.6 * budget)
      expect(() => testSpecSchema.parse(scaled)).not.toThrow()
    }
  })

  it('keeps what fits as it is', () => {
    const { spec: scaled, changes } = scaleToBudget({ ...PRESETS.quick, budget: 2e9 })
    expect([scaled.tests, changes]).toEqual([PRESETS.quick.tests, []])
  })

  it('keeps the smallest sizes and the range, so that a line can still be fitted', () => {
    const { spec: scaled } = scaleToBudget({ ...PRESETS.stibium, budget: 2e9 })
    const sizes = planRun(scaled).segments[0]?.files.map(({ bytes }) => bytes) ?? []
    expect(sizes.length).toBeGreaterThanOrEqual(30)
    expect(Math.min(...sizes)).toBeLessThan(4e6)
    expect(Math.max(...sizes) / Math.min(...sizes)).toBeGreaterThan(30)
    expect(scaled.tests.at(-1)).toEqual(PRESETS.stibium.tests.at(-1))
  })

  it('leaves a test out when not even a block of it fits', () => {
    const { spec: scaled, changes } = scaleToBudget(
      spec({ budget: 2000, tests: [{ name: 'big', sizes: ['1GB'] }] }),
    )
    expect(scaled.tests).toEqual([])
    expect(changes).toEqual([{ code: 'testLeftOut', test: 'big', from: 1, to: 0 }])
  })
})

describe('drawSizes', () => {
  it('meets the total exactly and stays within the limits', () => {
    const random = seededRandom(4)
    for (let round = 0; round < 100; round++) {
      const from = 1 + random.below(1000)
      const to = from + random.below(1_000_000)
      const count = 1 + random.below(200)
      const total = from * count + random.below((to - from) * count + 1)
      const sizes = drawSizes({ from, to, count, total, distribution: 'log-uniform' }, round)
      expect([sizes.length, sum(sizes)]).toEqual([count, total])
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(from)
      expect(Math.max(...sizes)).toBeLessThanOrEqual(to)
    }
  })

  it('spreads over the distribution asked for', () => {
    const log = drawSizes({ from: 1e3, to: 1e9, count: 600, distribution: 'log-uniform' }, 1)
    for (let decade = 3; decade < 9; decade++) {
      expect(log.filter((size) => size >= 10 ** decade && size < 10 ** (decade + 1)).length).toBe(100)
    }
    const uniform = drawSizes({ from: 0 + 1, to: 1000, count: 100, distribution: 'uniform' }, 1)
    expect(sum(uniform) / 100).toBeCloseTo(500, -1)
  })

  it('follows a survey’s histogram', () => {
    const sizes = drawSizes(
      {
        histogram: [
          [1, 2, 0],
          [1024, 2048, 300],
          [1 << 20, 1 << 21, 100],
        ],
        count: 400,
      },
      2,
    )
    expect(sizes.filter((size) => size >= 1024 && size < 2048)).toHaveLength(300)
    expect(sizes.filter((size) => size >= 1 << 20 && size < 1 << 21)).toHaveLength(100)
    expect(Math.max(...drawSizes({ histogram: [[1 << 20, 1 << 21, 9]], count: 9, largest: 5000 }, 2))).toBe(
      5000,
    )
  })
})

describe('keepFreeOf', () => {
  it('is the smaller of a fixed size and a share of the capacity, or the given size', () => {
    expect(keepFreeOf(PRESETS.quick, 64e6)).toBe(3.2e6)
    expect(keepFreeOf(PRESETS.quick, 4e12)).toBe(1e9)
    expect(keepFreeOf(PRESETS.quick, null)).toBe(1e9)
    expect(keepFreeOf({ ...PRESETS.quick, keepFree: 0 }, 64e6)).toBe(0)
  })
})
