/**
 * The room `jobs` runs long work, and reports its progress and its end.
 * How: a job gets a context with a signal, pauses and a clock; the runner makes rate and time left
 * of what it reports, and one end of however it ended.
 * Not here: what jobs do.
 */

import type { BandSweepLive } from '../../contract/dto/bands'
import type {
  JobEnd,
  JobInfo,
  JobPipe,
  JobProgress,
  JobWriting,
  PausesAfter,
  WaitAnswer,
  WaitingFor,
} from '../../contract/dto/job'
import type { MeasureLive } from '../../contract/dto/measure'
import type { SurveyLive } from '../../contract/dto/survey'
import { AppError } from '../../primitives/appError'
import type { Clock, Milliseconds } from '../../primitives/clock'
import { said } from '../../primitives/said'
import type { Job, JobContext, ProgressUpdate } from './jobContext'
import type { NewId } from './newId'
import { rateEstimator } from './rateEstimator'
import { SteadyTimeLeft } from './steadyTimeLeft'
import { type Work, workEstimate } from './workEstimate'

/**
 * Progress crosses processes at most four times a second, new phases apart: nobody reads more
 * figures.
 */
const PROGRESS_INTERVAL_MS = 250
/** A job that reports nothing for so long is reported again, with the time that has passed. */
const SILENCE_MS = 1000

interface JobListener {
  progress(progress: JobProgress): void
  live(figures: SurveyLive): void
  measured(figures: MeasureLive): void
  swept(figures: BandSweepLive): void
  ended(end: JobEnd): void
}

export interface JobRunner {
  /**
   * Starts the job at once and returns its id. Its end is reported through the listener, and by
   * `finished`.
   */
  start(job: Job): { jobId: string; finished: Promise<JobEnd> }
  /**
   * Asks a running job to stop. Unknown or ended jobs are ignored: the person cannot know that it
   * has just ended.
   */
  cancel(jobId: string): void
  /** @throws AppError `refused` when this job cannot rest, `not-found` when it does not run */
  pause(jobId: string): void
  resume(jobId: string): void
  /**
   * Goes on with a job that waits for a person. @throws AppError `refused` when it does not wait,
   * `not-found`
   */
  proceed(jobId: string, answer?: WaitAnswer): void
  list(): JobInfo[]
  /** Cancels everything and waits for it. */
  close(): Promise<void>
}

interface Running {
  readonly job: Job
  readonly startedWallMs: Milliseconds
  readonly abort: AbortController
  readonly finished: Promise<JobEnd>
  rest: { pause(): void; resume(): void } | null
  /** The work that is finished before a pause begins, where it cannot begin at once. */
  after: PausesAfter | null
  setState(state: JobProgress['state']): void
  /** Goes on after a safe point; null while it does not rest at one. */
  wake: (() => void) | null
  /** Null while it does not wait for a person. */
  proceed: ((answer: WaitAnswer | null) => void) | null
}

/**
 * Runs jobs, and is the only place that turns their words into the progress and the ends that
 * people see.
 */
export function jobRunner(clock: Clock, listener: JobListener, newId: NewId): JobRunner {
  const running = new Map<string, Running>()

  const find = (jobId: string): Running => {
    const entry = running.get(jobId)
    if (!entry) throw new AppError('not-found', said`no running job ${jobId}`)
    return entry
  }

  const setPaused = (jobId: string, paused: boolean): void => {
    const entry = find(jobId)
    if (!entry.rest && entry.after) return pauseLater(entry, paused)
    if (!entry.rest) throw new AppError('refused', said`${entry.job.title} cannot be paused`)
    if (paused) entry.rest.pause()
    else entry.rest.resume()
    entry.setState(paused ? 'paused' : 'running')
  }

  const pauseLater = (entry: Running, paused: boolean): void => {
    if (entry.wake === null) entry.setState(paused ? 'pausing' : 'running')
    else if (!paused) entry.wake()
  }

  return {
    start(job) {
      const jobId = newId('j')
      const abort = new AbortController()
      // Work that cannot be ended at once may report after the job's end.
      const whileRunning =
        <T>(report: (figures: T) => void) =>
        (figures: T): void => {
          if (running.has(jobId)) report(figures)
        }
      const reporter = progressReporter(jobId, job, clock, (progress) => listener.progress(progress))
      const context: JobContext = {
        jobId,
        clock,
        newId,
        signal: abort.signal,
        progress: reporter.update,
        waitFor: (what) =>
          untilReleased<WaitAnswer | null>(abort.signal, (resolve) => {
            const entry = running.get(jobId)
            if (entry) entry.proceed = resolve
            reporter.setWaiting(resolve === null ? null : what)
          }),
        piped: reporter.setPipe,
        writing: reporter.setWriting,
        live: whileRunning((figures) => listener.live({ jobId, ...figures })),
        measured: whileRunning((figures) => listener.measured({ jobId, ...figures })),
        swept: whileRunning((figures) => listener.swept({ jobId, ...figures })),
        pausable(hooks) {
          const entry = running.get(jobId)
          if (entry) entry.rest = hooks
          reporter.setPausable(hooks !== null)
        },
        pausesAfter(what) {
          const entry = running.get(jobId)
          if (entry) entry.after = what
          reporter.setPausesAfter(what)
        },
        async safePoint() {
          const entry = running.get(jobId)
          if (entry && reporter.isPausing())
            await untilReleased<void>(abort.signal, (resolve) => {
              entry.wake = resolve
              reporter.setState(resolve === null ? 'running' : 'paused')
            })
        },
      }
      const startedMs = clock.monotonicMs()
      // The job's first line runs after `running` knows it, so that it can say at once how it rests.
      const finished = Promise.resolve()
        .then(() => job.run(context))
        .then(
          (result) => {
            if (result === null || typeof result === 'string') return done(result)
            if ('error' in result) return unfinished(result.error, result.kept)
            return { ...done(result.made), setAside: result.setAside }
          },
          (thrown: unknown) => unfinished(AppError.from(thrown), null),
        )
        .then((outcome): JobEnd => {
          reporter.close(outcome.outcome)
          running.delete(jobId)
          const end = { jobId, kind: job.kind, elapsedMs: clock.monotonicMs() - startedMs, ...outcome }
          listener.ended(end)
          return end
        })
      running.set(jobId, {
        job,
        abort,
        finished,
        startedWallMs: clock.wallMs(),
        rest: null,
        after: null,
        setState: reporter.setState,
        wake: null,
        proceed: null,
      })
      return { jobId, finished }
    },
    cancel: (jobId) => running.get(jobId)?.abort.abort(),
    pause: (jobId) => setPaused(jobId, true),
    resume: (jobId) => setPaused(jobId, false),
    proceed(jobId, answer) {
      const { job, proceed } = find(jobId)
      if (!proceed) throw new AppError('refused', said`${job.title} does not wait for anything`)
      proceed(answer ?? null)
    },
    list: () =>
      [...running].map(([jobId, { job, startedWallMs }]) => ({
        jobId,
        kind: job.kind,
        title: job.title,
        startedWallMs,
      })),
    async close() {
      const all = [...running.values()]
      for (const entry of all) entry.abort.abort()
      await Promise.all(all.map((entry) => entry.finished))
    },
  }
}

/**
 * Waits for whoever is handed the function that ends it.
 * @param hand takes that function, and null once it is of no more use
 * @throws AppError `cancelled`
 */
function untilReleased<T>(
  signal: AbortSignal,
  hand: (resolve: ((value: T) => void) | null) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      signal.removeEventListener('abort', stopped)
      hand(null)
    }
    const stopped = (): void => {
      end()
      reject(new AppError('cancelled', said`cancelled`))
    }
    if (signal.aborted) return stopped()
    signal.addEventListener('abort', stopped)
    hand((value) => {
      end()
      resolve(value)
    })
  })
}

function done(resultId: string | null): Pick<JobEnd, 'outcome' | 'resultId' | 'error'> {
  return { outcome: 'done', resultId, error: null }
}

function unfinished(
  error: AppError,
  resultId: string | null,
): Pick<JobEnd, 'outcome' | 'resultId' | 'error'> {
  return error.code === 'cancelled'
    ? { outcome: 'cancelled', resultId, error: null }
    : { outcome: 'failed', resultId, error: error.toWire() }
}

/**
 * External programs report shares without totals: people see whole files and bytes, and no invented
 * total.
 */
function countable(update: ProgressUpdate): ProgressUpdate {
  const { filesDone, filesTotal, bytesDone, bytesTotal, volume } = update
  return {
    ...update,
    filesDone: wholeOf(filesDone) ?? 0,
    filesTotal: wholeOf(filesTotal),
    bytesDone: wholeOf(bytesDone) ?? 0,
    bytesTotal: wholeOf(bytesTotal),
    ...(volume && { volume: { ...volume, share: wholePercent(volume.share) } }),
  }
}

function wholeOf(count: number | null): number | null {
  return count !== null && count >= 0 && count <= Number.MAX_SAFE_INTEGER ? Math.floor(count) : null
}

/** A share in whole hundredths; the last one is for the end alone. */
function wholePercent(share: number): number {
  return Math.min(99, Math.floor(100 * share + 1e-9)) / 100
}

/**
 * The work that a job declares, or its phase's files and bytes, with as much for each later phase:
 * what those will do is not known yet.
 */
function workOf({
  work,
  phase,
  filesDone,
  filesTotal,
  bytesDone,
  bytesTotal,
}: ProgressUpdate): readonly Work[] {
  if (work) return work
  return Array.from({ length: Math.max(1, phase.count - phase.index + 1) }, (_, at) => ({
    kind: `phase ${phase.index + at}`,
    unit: 'bytes' as const,
    done: at === 0 ? bytesDone : 0,
    total: bytesTotal,
    files: { done: at === 0 ? filesDone : 0, total: filesTotal },
  }))
}

interface ProgressReporter {
  update(update: ProgressUpdate): void
  setState(state: JobProgress['state']): void
  isPausing(): boolean
  setPausable(pausable: boolean): void
  setPausesAfter(what: PausesAfter): void
  setWaiting(what: WaitingFor | null): void
  setPipe(figures: JobPipe | null): void
  setWriting(where: JobWriting): void
  /** Reports what was not reported yet, and the end of all work where it is done. */
  close(outcome: JobEnd['outcome']): void
}

function progressReporter(
  jobId: string,
  job: Job,
  clock: Clock,
  tell: (progress: JobProgress) => void,
): ProgressReporter {
  const startedMs = clock.monotonicMs()
  const bytesRate = rateEstimator()
  const estimate = workEstimate()
  const timeLeft = new SteadyTimeLeft()
  let state: JobProgress['state'] = 'running'
  let canPause = false
  let waitingFor: WaitingFor | null = null
  let pipe: JobPipe | null = null
  let writing: JobWriting | null = null
  let pausesAfter: PausesAfter | null = null
  let latest: ProgressUpdate | null = null
  let isReported = true
  let phaseIndex = 0
  let restsSinceMs: number | null = null
  let restedMs = 0
  let isDone = false
  let isClosed = false
  let reportedMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | null = null
  let silence: NodeJS.Timeout | null = null

  const flush = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    // Work that cannot be ended at once may report after the job's end.
    if (!latest || isReported || isClosed) return
    if (silence) clearTimeout(silence)
    silence = restsSinceMs === null ? setTimeout(() => reportSoon(clock.monotonicMs()), SILENCE_MS) : null
    isReported = true
    const nowMs = clock.monotonicMs()
    reportedMs = nowMs
    const isResting = restsSinceMs !== null
    const workedMs = nowMs - startedMs - restedMs
    const stillMs = isResting || isDone ? null : estimate.stillMs(workedMs)
    const canForecast = !isResting && stillMs === null
    const leftMs = canForecast ? estimate.leftMs(workOf(latest), workedMs) : null
    const share = estimate.share()
    const { work: _work, ...rest } = latest
    tell({
      jobId,
      kind: job.kind,
      state,
      canPause: canPause || pausesAfter !== null,
      pausesAfter: canPause ? null : pausesAfter,
      ...rest,
      bytesPerSecond: isResting ? null : bytesRate.perSecond(),
      elapsedMs: nowMs - startedMs,
      etaMs: isDone ? 0 : timeLeft.next(leftMs, workedMs),
      stillMs,
      share: isDone ? 1 : share === null ? null : wholePercent(share),
      waitingFor,
      pipe,
      writing,
    })
  }

  const reportSoon = (nowMs: number): void => {
    if (isClosed) return
    isReported = false
    const waitMs = PROGRESS_INTERVAL_MS - (nowMs - reportedMs)
    if (waitMs <= 0) flush()
    else timer ??= setTimeout(flush, waitMs)
  }

  /** Follows whether it is paused or waits for a person: that time says nothing about the work. */
  const rest = (): void => {
    const nowMs = clock.monotonicMs()
    const isResting = state === 'paused' || waitingFor !== null
    if (isResting !== (restsSinceMs !== null)) {
      if (restsSinceMs !== null) restedMs += nowMs - restsSinceMs
      restsSinceMs = isResting ? nowMs : null
      bytesRate.reset()
    }
    isReported = false
    flush()
  }

  return {
    update(update) {
      const nowMs = clock.monotonicMs()
      if (update.phase.index !== phaseIndex) {
        bytesRate.reset()
        phaseIndex = update.phase.index
        // A new phase is reported at once: it may be over before the next report.
        reportedMs = Number.NEGATIVE_INFINITY
      }
      latest = countable(update)
      bytesRate.add(latest.bytesDone, nowMs)
      estimate.add(workOf(latest), nowMs - startedMs - restedMs)
      reportSoon(nowMs)
    },
    setState(next) {
      state = next
      rest()
    },
    isPausing: () => state === 'pausing',
    setWaiting(what) {
      waitingFor = what
      rest()
    },
    setPipe(figures) {
      pipe = figures
      // A burner that formats its disc reports nothing for minutes, while the buffer fills.
      reportSoon(clock.monotonicMs())
    },
    setWriting(where) {
      writing = where
      // What would be lost must be known before the next figures.
      isReported = false
      flush()
    },
    setPausesAfter(what) {
      pausesAfter = what
    },
    setPausable(pausable) {
      canPause = pausable
      // Work that can no longer pause continues, whatever was last requested.
      if (pausable || state === 'running') return
      state = 'running'
      rest()
    },
    close(outcome) {
      isDone = outcome === 'done' && latest !== null
      if (isDone) isReported = false
      flush()
      isClosed = true
      if (silence) clearTimeout(silence)
    },
  }
}
