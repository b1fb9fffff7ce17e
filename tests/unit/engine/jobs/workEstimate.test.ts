import { describe, expect, it } from 'vitest'
import type { JobProgress } from '../../../../src/contract/dto/job'
import type { ProgressUpdate } from '../../../../src/engine/jobs/jobContext'
import { jobRunner } from '../../../../src/engine/jobs/jobRunner'
import { type Work, workEstimate } from '../../../../src/engine/jobs/workEstimate'
import type { Milliseconds } from '../../../../src/primitives/clock'

/** A kind of work with the milliseconds that it really takes on a machine of the test. */
interface Real extends Pick<Work, 'kind' | 'unit' | 'weight'> {
  readonly total: number
  readonly takesMs: number
}

const STEPS = 200

/** Does the kinds in turn on a clock of its own and returns what was reported, with the true share and time left. */
async function carriedOut(kinds: readonly Real[]) {
  let now = 0
  const clock = { wallMs: () => now as Milliseconds, monotonicMs: () => now as Milliseconds }
  const updates: (JobProgress & { at: number })[] = []
  const nothing = (): void => undefined
  const listener = { live: nothing, measured: nothing, swept: nothing, ended: nothing }
  const runner = jobRunner(
    clock,
    { ...listener, progress: (progress) => updates.push({ ...progress, at: now }) },
    () => 'j',
  )
  const done = new Map<string, number>()
  await runner.start({
    kind: 'build',
    title: 'Build',
    async run(context) {
      for (const [at, kind] of kinds.entries()) {
        for (let step = 0; step <= STEPS; step++) {
          done.set(kind.kind, (kind.total * step) / STEPS)
          context.progress({
            ...progressOf(kind.kind, at + 1, kinds.length),
            work: kinds.map(({ kind: name, unit, total, weight = 1 }) => ({
              kind: name,
              unit,
              total,
              weight,
              done: done.get(name) ?? 0,
            })),
          })
          if (step < STEPS) now += kind.takesMs / STEPS
        }
      }
      return null
    },
  }).finished
  return updates.map(({ at, share, etaMs }) => ({ real: at / now, share, etaMs, leftMs: now - at }))
}

function progressOf(name: string, index: number, count: number): ProgressUpdate {
  const none = { filesDone: 0, filesTotal: null, bytesDone: 0, bytesTotal: null, current: null }
  return { phase: { index, count, name }, ...none }
}

const bytes = (kind: string, total: number, takesMs: number, weight = 1): Real => ({
  kind,
  unit: 'bytes',
  total,
  takesMs,
  weight,
})

describe('the progress of a job with several kinds of work', () => {
  it.for<[string, readonly Real[]]>([
    ['as they were expected', [bytes('writing', 1e9, 30_000, 3), bytes('reading', 1e9, 10_000)]],
    [
      'on a machine that is ten times slower',
      [bytes('writing', 1e9, 300_000, 3), bytes('reading', 1e9, 100_000)],
    ],
    [
      'where one takes 1.8 times its weight',
      [bytes('writing', 1e9, 54_000, 3), bytes('reading', 1e9, 10_000)],
    ],
    ['where one takes 0.6 of its weight', [bytes('writing', 1e9, 18_000, 3), bytes('reading', 1e9, 10_000)]],
    [
      'followed by a budget of time',
      [bytes('reading', 1e9, 20_000), { kind: 'sampling', unit: 'ms', total: 25_000, takesMs: 40_000 }],
    ],
  ])(
    'never falls, and its time left is right within a factor of two from 10 %% on: %s',
    async ([, kinds]) => {
      const updates = await carriedOut(kinds)
      const shares = updates.flatMap(({ share }) => (share == null ? [] : [share]))
      expect(shares.length).toBeGreaterThan(100)
      expect(shares).toEqual(shares.toSorted((one, other) => one - other))
      for (const { real, etaMs, leftMs } of updates) {
        if (real < 0.1 || leftMs < 1000) continue
        expect(etaMs, `at ${real}`).not.toBeNull()
        expect((etaMs ?? 0) / leftMs, `at ${real}`).toBeGreaterThan(0.5)
        expect((etaMs ?? 0) / leftMs, `at ${real}`).toBeLessThan(2)
      }
    },
  )

  it('has no time left before anything has proceeded, and counts no opening as work', () => {
    const estimate = workEstimate()
    const at = (done: number): Work[] => [{ kind: 'copying', unit: 'bytes', done, total: 100 }]
    for (let ms = 0; ms <= 6000; ms += 500) {
      estimate.add(at(0), ms)
      expect(estimate.leftMs(at(0), ms), `at ${ms}`).toBeNull()
    }
    for (let done = 1; done <= 20; done++) estimate.add(at(done), 6000 + 100 * done)
    expect(estimate.leftMs(at(20), 8000)).toBeCloseTo(8000, -2)
  })

  it('takes work that ends by the clock at its time, however slow the rest is', () => {
    const estimate = workEstimate()
    const at = (done: number): Work[] => [
      { kind: 'owners', unit: 'ms', done, total: 10 },
      { kind: 'hashing', unit: 'bytes', done: 0, total: 0 },
      { kind: 'timing', unit: 'ms', done: 0, total: 4000, isTimed: true },
    ]
    estimate.add(at(0), 0)
    estimate.add(at(10), 1000)
    expect(estimate.leftMs(at(10), 1000)).toBe(4000)
  })

  it('keeps its share through a phase of which nothing is known yet', async () => {
    const updates = await carriedOut([bytes('one', 1e6, 10_000), bytes('two', 1e6, 10_000)])
    expect(updates.filter(({ real }) => real > 0.1).every(({ share }) => share != null)).toBe(true)
  })
})
