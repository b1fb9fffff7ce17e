import { describe, expect, it, vi } from 'vitest'
import { type JobEnd, type JobProgress, jobProgressSchema } from '../../../../src/contract/dto/job'
import type { Job, JobContext } from '../../../../src/engine/jobs/jobContext'
import { jobRunner } from '../../../../src/engine/jobs/jobRunner'
import type { Work } from '../../../../src/engine/jobs/workEstimate'
import { AppError } from '../../../../src/primitives/appError'
import type { Clock, Milliseconds } from '../../../../src/primitives/clock'

/** A clock that moves only when told. */
function handClock(): Clock & { move(ms: number): void } {
  let now = 1000
  return {
    wallMs: () => now as Milliseconds,
    monotonicMs: () => now as Milliseconds,
    move(ms) {
      now += ms
    },
  }
}

function setup() {
  const clock = handClock()
  const reported: JobProgress[] = []
  const ends: JobEnd[] = []
  let next = 0
  const runner = jobRunner(
    clock,
    {
      progress: (progress) => reported.push(progress),
      live: () => {},
      measured: () => {},
      swept: () => {},
      ended: (end) => ends.push(end),
    },
    () => `job-${++next}`,
  )
  return { clock, reported, ends, runner }
}

function job(run: (context: JobContext) => Promise<string | null>): Job {
  return { kind: 'survey', title: 'Survey of Photos', run }
}

const reading = { index: 1, count: 1, name: 'reading' }
function at(bytesDone: number, bytesTotal: number | null = 1000) {
  return { phase: reading, filesDone: 0, filesTotal: null, bytesDone, bytesTotal, current: null }
}

describe('the job runner', () => {
  it('reports the result of a job', async () => {
    const { runner, ends } = setup()
    const end = await runner.start(job(async () => 's-1')).finished
    expect(end).toMatchObject({ jobId: 'job-1', outcome: 'done', resultId: 's-1', error: null })
    expect(ends).toEqual([end])
    expect(runner.list()).toEqual([])
  })

  it('reports an expected failure with its code and a bug as internal', async () => {
    const { runner } = setup()
    const gone = await runner.start(
      job(() => Promise.reject(new AppError('not-found', 'cannot read /a: no such folder', { path: '/a' }))),
    ).finished
    expect(gone).toMatchObject({ outcome: 'failed', error: { code: 'not-found', path: '/a' } })
    const bug = await runner.start(job(() => Promise.reject(new TypeError('x is undefined')))).finished
    expect(bug.error).toMatchObject({ code: 'internal', message: 'x is undefined' })
    expect(bug.error?.stack).toContain('TypeError')
  })

  it('reports whole and known counts, whatever a job counts', async () => {
    const { runner, clock, reported } = setup()
    const counts: [done: number, total: number | null][] = [
      [0.75, 10.5],
      [Number.NaN, Number.NaN],
      [-1, -1],
      [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
      [2 ** 60, 2 ** 60],
    ]
    const steps = job(async (context) => {
      for (const [done, total] of counts) {
        clock.move(1000)
        context.progress({ ...at(done, total), filesDone: done, filesTotal: total })
      }
      return null
    })
    await runner.start(steps).finished
    for (const progress of reported) expect(jobProgressSchema.safeParse(progress).error).toBeUndefined()
    expect(reported.map(({ bytesDone, bytesTotal }) => [bytesDone, bytesTotal])).toEqual([
      [0, 10],
      ...counts.slice(1).map(() => [0, null]),
      [0, null],
    ])
  })

  it('reports no negative rate when a step counts from nothing again', async () => {
    const { runner, clock, reported } = setup()
    const steps = job(async (context) => {
      for (const done of [900, 0, 0]) {
        context.progress(at(done))
        clock.move(1000)
      }
      return null
    })
    await runner.start(steps).finished
    expect(reported.map(({ bytesPerSecond }) => bytesPerSecond)).toEqual([null, 0, 0, 0])
  })

  it('reports nothing of a job that has ended, even when its work goes on', async () => {
    vi.useFakeTimers()
    try {
      const { runner, clock, reported } = setup()
      let left: JobContext | null = null
      const steps = job((context) => {
        left = context
        context.progress(at(100))
        return Promise.resolve(null)
      })
      await runner.start(steps).finished
      const before = reported.length
      clock.move(60_000)
      const after = left as JobContext | null
      after?.progress(at(200))
      after?.piped(null)
      after?.writing({ to: '/a', losesDisc: false })
      after?.pausable(null)
      expect(vi.getTimerCount()).toBe(0)
      expect(reported).toHaveLength(before)
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends a cancelled job as cancelled', async () => {
    const { runner } = setup()
    const { jobId, finished } = runner.start(
      job(
        (context) =>
          new Promise((_resolve, reject) => {
            context.signal.addEventListener('abort', () => reject(new AppError('cancelled', 'cancelled')))
          }),
      ),
    )
    await Promise.resolve()
    runner.cancel(jobId)
    expect(await finished).toMatchObject({ outcome: 'cancelled', error: null })
    expect(() => runner.cancel('job-99')).not.toThrow()
  })

  it('limits progress reports, and always sends the last one', async () => {
    const { runner, clock, reported } = setup()
    await runner.start(
      job(async (context) => {
        for (let step = 0; step < 1000; step++) {
          clock.move(1)
          context.progress(at(step + 1))
        }
        return null
      }),
    ).finished
    expect(reported.length).toBeLessThanOrEqual(11)
    expect(reported.at(-1)?.bytesDone).toBe(1000)
  })

  it('reports the rate of recent seconds, and no remaining time at the start or without a total', async () => {
    const { runner, clock, reported } = setup()
    await runner.start(
      job(async (context) => {
        context.progress(at(0))
        clock.move(1000)
        context.progress(at(40))
        clock.move(1000)
        context.progress(at(500))
        clock.move(1000)
        context.progress(at(600, null))
        return null
      }),
    ).finished
    const etas = reported.map((progress) => progress.etaMs)
    expect(etas).toEqual([null, null, expect.any(Number), null, 0])
    expect(Math.abs((etas[2] ?? 0) - 2000)).toBeLessThan(50)
    expect(reported[2]?.bytesPerSecond).toBe(250)
  })

  it('reports no time left while nothing proceeds for long', async () => {
    const { runner, clock, reported } = setup()
    await runner.start(
      job(async (context) => {
        for (const [done, ms] of [
          [0, 0],
          [250, 5000],
          [500, 5000],
          [500, 10_000],
          [500, 20_000],
          [750, 1000],
        ] as const) {
          clock.move(ms)
          context.progress(at(done))
        }
        return null
      }),
    ).finished
    expect(reported.map(({ stillMs }) => stillMs)).toEqual([null, null, null, null, 30_000, null, null])
    expect(reported.map(({ etaMs }) => etaMs !== null)).toEqual([false, true, true, true, false, true, true])
    expect(reported.map(({ share }) => share)).toEqual([0, 0.25, 0.5, 0.5, 0.5, 0.75, 1])
    for (const progress of reported) jobProgressSchema.parse(progress)
  })

  it('counts later phases as much as the present one where a job declares no work', async () => {
    const { runner, clock, reported } = setup()
    await runner.start(
      job(async (context) => {
        for (const index of [1, 2])
          for (const done of [0, 500, 1000]) {
            clock.move(1000)
            context.progress({ ...at(done), phase: { index, count: 2, name: `phase-${index}` } })
          }
        return null
      }),
    ).finished
    expect(reported.map(({ share }) => share)).toEqual([0, 0.25, 0.5, 0.5, 0.75, 0.99, 1])
  })

  it('states the share of the whole and the time for all that is left, later phases included', async () => {
    const { runner, clock, reported } = setup()
    const work = (bytes: number, sampled: number): Work[] => [
      { kind: 'reading', unit: 'bytes', done: bytes, total: 1000 },
      { kind: 'sampling', unit: 'ms', done: sampled, total: 6000 },
    ]
    const sampling = {
      phase: { index: 2, count: 2, name: 'sampling' },
      filesDone: 0,
      filesTotal: null,
      bytesDone: 0,
      bytesTotal: null,
      current: null,
    }
    await runner.start(
      job(async (context) => {
        context.progress({ ...at(0), work: work(0, 0) })
        clock.move(1000)
        context.progress({ ...at(250), work: work(250, 0) })
        clock.move(1000)
        context.progress({ ...at(500), work: work(500, 0) })
        clock.move(2000)
        context.progress({ ...sampling, work: work(1000, 0) })
        clock.move(2000)
        context.progress({ ...sampling, work: work(1000, 3000) })
        return null
      }),
    ).finished
    expect(reported.map(({ etaMs }) => etaMs && Math.round(etaMs))).toEqual([null, 9000, 8000, 6000, 2000, 0])
    expect(reported.map(({ share }) => share && Number(share.toFixed(2)))).toEqual([0, 0.1, 0.2, 0.4, 0.7, 1])
  })

  it('pauses a job that cannot rest at once at its next safe point, and withdraws the request before it', async () => {
    const { runner, reported } = setup()
    const reached: string[] = []
    const { jobId, finished } = runner.start(
      job(async (context) => {
        context.progress(at(0))
        context.pausesAfter('disc')
        runner.pause(jobId)
        runner.resume(jobId)
        await context.safePoint()
        reached.push('first')
        runner.pause(jobId)
        const rested = context.safePoint()
        runner.pause(jobId)
        setImmediate(() => {
          reached.push('rests')
          runner.resume(jobId)
        })
        await rested
        reached.push('second')
        return null
      }),
    )
    await finished
    expect(reached).toEqual(['first', 'rests', 'second'])
    const states = reported.map(({ state, canPause, pausesAfter }) => `${state} ${canPause} ${pausesAfter}`)
    expect(states).toEqual([
      'running false null',
      ...['pausing', 'running', 'pausing', 'paused', 'running', 'running'].map(
        (state) => `${state} true disc`,
      ),
    ])
  })

  it('cancels a job that rests at a safe point', async () => {
    const { runner } = setup()
    const { jobId, finished } = runner.start(
      job(async (context) => {
        context.pausesAfter('disc')
        runner.pause(jobId)
        await context.safePoint()
        return 'went on'
      }),
    )
    setImmediate(() => runner.cancel(jobId))
    expect(await finished).toMatchObject({ outcome: 'cancelled' })
  })

  it('keeps the share of a job that rests, and does not count its rest as work', async () => {
    const { runner, clock, reported } = setup()
    const { jobId, finished } = runner.start(
      job(async (context) => {
        context.pausable({ pause: () => {}, resume: () => {} })
        context.progress(at(0))
        clock.move(1000)
        context.progress(at(500))
        runner.pause('job-1')
        clock.move(100_000)
        runner.resume('job-1')
        context.progress(at(500))
        clock.move(1000)
        context.progress(at(750))
        return null
      }),
    )
    expect(jobId).toBe('job-1')
    await finished
    expect(reported.find(({ state }) => state === 'paused')?.share).toBe(0.5)
    expect(reported.at(-2)?.share).toBe(0.75)
  })

  it('says when a job rests, and refuses to let one rest that cannot', async () => {
    const { runner, reported } = setup()
    const hooks: string[] = []
    let finish: (id: string) => void = () => {}
    const started = new Promise<void>((resolve) => {
      const { jobId } = runner.start(
        job((context) => {
          context.pausable({ pause: () => hooks.push('pause'), resume: () => hooks.push('resume') })
          context.progress(at(1))
          resolve()
          return new Promise((done) => {
            finish = done
          })
        }),
      )
      expect(jobId).toBe('job-1')
    })
    await started
    runner.pause('job-1')
    runner.resume('job-1')
    expect(hooks).toEqual(['pause', 'resume'])
    expect(reported.map((progress) => progress.state)).toEqual(['running', 'paused', 'running'])
    expect(reported.every((progress) => progress.canPause)).toBe(true)
    finish('x')

    const once = runner.start(
      job(async (context) => {
        context.pausable({ pause: () => {}, resume: () => {} })
        context.pausable(null)
        context.progress(at(2))
        return new Promise(() => {})
      }),
    )
    await Promise.resolve()
    expect(reported.at(-1)).toMatchObject({ jobId: once.jobId, state: 'running', canPause: false })
    expect(() => runner.pause(once.jobId)).toThrow(/cannot be paused/)

    const restless = runner.start(job(() => new Promise(() => {})))
    await Promise.resolve()
    expect(() => runner.pause(restless.jobId)).toThrow(/cannot be paused/)
  })

  it('waits for a person until they proceed or cancel, and does not count that time', async () => {
    const { runner, clock, reported } = setup()
    const disc = {
      kind: 'disc',
      label: 'PHOTOS_02',
      volume: 2,
      volumes: 3,
      drive: '/dev/sr0',
      reason: 'next',
      problem: null,
    } as const
    const done = runner.start(
      job(async (context) => {
        context.progress(at(0))
        clock.move(1000)
        context.progress(at(500))
        await context.waitFor(disc)
        context.progress(at(500))
        clock.move(1000)
        context.progress(at(750))
        return 'w-1'
      }),
    )
    expect(() => runner.proceed(done.jobId)).toThrow(/does not wait/)
    await Promise.resolve()
    expect(reported.at(-1)).toMatchObject({ state: 'running', waitingFor: disc, etaMs: null, share: 0.5 })
    expect(jobProgressSchema.parse(reported.at(-1)).waitingFor).toEqual(disc)
    clock.move(100_000)
    runner.proceed(done.jobId)
    expect(() => runner.proceed(done.jobId)).toThrow(/does not wait/)
    expect(await done.finished).toMatchObject({ outcome: 'done' })
    expect(reported.at(-1)?.waitingFor).toBeNull()
    expect(reported.at(-2)?.share).toBe(0.75)

    const cancelled = runner.start(
      job(async (context) => {
        await context.waitFor(disc)
        return 'w-2'
      }),
    )
    await Promise.resolve()
    runner.cancel(cancelled.jobId)
    expect(await cancelled.finished).toMatchObject({ outcome: 'cancelled' })
  })

  it('hands on what a person decides, and nothing where they only proceed', async () => {
    const { runner } = setup()
    const question = {
      kind: 'changed',
      label: 'PHOTOS_02',
      volume: 2,
      volumes: 3,
      path: '/photos/beach.jpg',
      problem: 'cannot use /photos/beach.jpg: it no longer exists',
      more: 0,
    } as const
    const answers: unknown[] = []
    const asking = runner.start(
      job(async (context) => {
        answers.push(await context.waitFor(question))
        answers.push(await context.waitFor(question))
        return 'b-1'
      }),
    )
    await Promise.resolve()
    runner.proceed(asking.jobId, 'all')
    await vi.waitFor(() => expect(answers).toEqual(['all']))
    runner.proceed(asking.jobId)
    expect(await asking.finished).toMatchObject({ outcome: 'done' })
    expect(answers).toEqual(['all', null])
  })

  it('shows the buffer between source and writer until there is none', async () => {
    const { runner, reported, clock } = setup()
    const pipe = { inBytesPerSecond: 2e6, outBytesPerSecond: 1e6, filledBytes: 4096, bufferBytes: 65_536 }
    await runner.start(
      job(async (context) => {
        context.piped(pipe)
        context.progress(at(0))
        clock.move(1000)
        context.piped(null)
        context.progress(at(1))
        return null
      }),
    ).finished
    expect(reported.map((progress) => progress.pipe)).toEqual([pipe, null, null])
    for (const progress of reported) jobProgressSchema.parse(progress)
  })
})
