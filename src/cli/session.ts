import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Emit, Handlers } from '../contract/defineSchema'
import type { JobEnd, JobProgress, WaitAnswer, WaitingFor } from '../contract/dto/job'
import type { SurveyLive } from '../contract/dto/survey'
import type { EngineSchema } from '../contract/engineSchema'
import { nextStepAfter } from '../contract/jobEnds'
import { createEngine, type Engine } from '../engine/engine'
import { throwIfAborted } from '../engine/jobs/throwIfAborted'
import { AppError, type AppErrorCode } from '../primitives/appError'
import { dataFolderOf } from '../primitives/dataFolder'
import { pathForDisplay } from '../primitives/pathText'
import type { Terminal } from './terminal'
import { takeWorkFolder } from './workFolder'

/** How the last part of a job can be left out, where what it has made by then is of use. */
export interface Shortening {
  /**
   * True when the job is in that part: the first Ctrl-C then ends the job, and the part that it
   * kept is its result.
   */
  isOffered(progress: JobProgress): boolean
  /** The line that shows progress meanwhile. */
  line(progress: JobProgress): string
  /** The note when it was left out. */
  readonly said: string
  /** Takes the figures of a survey as they become more precise. */
  onLive(figures: SurveyLive): void
}

/** The engine in this process, for one command; disposed of at its end. */
export interface Session extends AsyncDisposable, Omit<Engine, 'handlers' | 'leftOvers' | 'close'> {
  readonly engine: Handlers<EngineSchema>
  /**
   * Starts a job, shows its progress, and waits for its end. The first Ctrl-C cancels it; a second
   * one ends the process. Several may run at once: what they wait for a person to do is asked one
   * at a time.
   * @param keptToo takes the id of what a job kept although it failed or was cancelled, before
   *   `run` throws
   * @param answer does what the job waits for a person to do, and resolves when it is done, with
   *   what they decided
   * @param more.name shown with its progress, where several run
   * @param more.onEnd takes how a job ended, before `run` returns or throws
   * @param more.shortening lets the first Ctrl-C end the last part of the job instead; of a job
   *   that runs alone
   * @returns the id of what it made
   * @throws AppError as the job failed; `cancelled` after Ctrl-C, with what was kept named in the
   *   message
   */
  run(
    start: () => { jobId: string } | Promise<{ jobId: string }>,
    keptToo?: (id: string) => Promise<void>,
    answer?: (what: WaitingFor, signal: AbortSignal) => Promise<WaitAnswer | undefined>,
    more?: {
      readonly name?: string
      readonly shortening?: Shortening
      readonly onEnd?: (end: JobEnd) => void
    },
  ): Promise<string>
}

/** The last one is Ctrl+Break of a Windows console. */
const SIGNALS = ['SIGINT', 'SIGTERM', ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : [])]

/**
 * Opens the engine in this process.
 * @param canDoWithout whether the command works without what the catalog knows: then a catalog
 *   that cannot be opened is named, and an empty one takes its place until the command ends
 * @throws AppError when the catalog cannot be opened
 */
export function openSession(terminal: Terminal, { canDoWithout = false } = {}): Session {
  const ends = new Map<string, (end: JobEnd) => void>()
  // Ends can come before the caller has the job's id: they wait here.
  const early = new Map<string, JobEnd>()
  const names = new Map<string, string>()
  const running = new Set<string>()
  const cautioned = new Set<string>()
  let asked: Promise<unknown> = Promise.resolve()
  let shortened: (Shortening & { isOfferedNow: boolean }) | null = null
  let isCancelling = false
  let isEnough = false
  const interrupt = (signal: NodeJS.Signals): void => {
    if (isCancelling) process.exit(130)
    isCancelling = true
    isEnough = signal === 'SIGINT' && shortened?.isOfferedNow === true
    terminal.note(isEnough && shortened ? shortened.said : 'stopping (press again to stop immediately)')
    for (const jobId of running) void handlers.job.cancel({ jobId })
  }
  const unlisten = (): void => {
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
  const begin = (jobId: string): void => {
    running.add(jobId)
    if (running.size > 1) return
    isCancelling = false
    isEnough = false
    unlisten()
    for (const signal of SIGNALS) process.on(signal, interrupt)
  }
  const end = (jobId: string): void => {
    running.delete(jobId)
    // After the first Ctrl-C the command goes on: a second one just then would be lost with the listener.
    if (running.size === 0 && !isEnough) unlisten()
  }
  const waits = new Map<string, (what: WaitingFor) => void>()
  const emit = ((group: string, name: string, payload: unknown) => {
    if (name === 'progress') {
      const progress = payload as JobProgress
      for (const caution of progress.cautions ?? []) {
        if (!cautioned.has(caution)) terminal.note(caution)
        cautioned.add(caution)
      }
      if (progress.waitingFor) waits.get(progress.jobId)?.(progress.waitingFor)
      else {
        if (shortened) shortened.isOfferedNow = shortened.isOffered(progress)
        if (shortened?.isOfferedNow) terminal.status(shortened.line(progress))
        else terminal.progress(progress, names.get(progress.jobId))
      }
    }
    if (group === 'survey' && name === 'live') shortened?.onLive(payload as SurveyLive)
    if (name === 'ended') {
      const over = payload as JobEnd
      const waiting = ends.get(over.jobId)
      if (waiting) waiting(over)
      else early.set(over.jobId, over)
    }
  }) as Emit<EngineSchema>
  takeWorkFolder()
  const dataDir = dataFolderOf(terminal.surroundings)
  const { handlers, leftOvers, close, ...files } = canDoWithout
    ? engineOrBare(dataDir, emit, terminal)
    : createEngine({ dataDir, emit })
  for (const path of leftOvers.removed) {
    terminal.note(`removed what a killed process left: ${pathForDisplay(path)}`)
  }
  for (const path of leftOvers.putBack) {
    terminal.note(`restored what a killed process had moved: ${pathForDisplay(path)}`)
  }
  for (const path of leftOvers.kept) {
    terminal.note(`kept the plan that a killed process was replacing: ${pathForDisplay(path)}`)
  }
  for (const problem of leftOvers.problems) terminal.note(pathForDisplay(problem))

  return {
    ...files,
    engine: handlers,
    async run(start, keptToo, answer, { name, shortening, onEnd } = {}) {
      if (shortening) shortened = { ...shortening, isOfferedNow: false }
      const { jobId } = await start()
      begin(jobId)
      if (name !== undefined) names.set(jobId, name)
      const over = new AbortController()
      let isAsking = false
      if (answer) {
        waits.set(jobId, (what) => {
          // The same wait may be reported more than once.
          if (isAsking) return
          isAsking = true
          const decision = asked.then(() => {
            throwIfAborted(over.signal)
            return answer(what, over.signal)
          })
          asked = decision.catch(() => undefined)
          const proceed = async (): Promise<void> => {
            const decided = await decision
            isAsking = false
            await handlers.job.proceed({ jobId, ...(decided && { answer: decided }) })
          }
          proceed().catch(() => handlers.job.cancel({ jobId }))
        })
      }
      try {
        const ended = await new Promise<JobEnd>((resolve) => {
          const before = early.get(jobId)
          if (before) resolve(before)
          else ends.set(jobId, resolve)
        })
        terminal.clear()
        onEnd?.(ended)
        if (isEnough && ended.outcome === 'cancelled' && ended.resultId !== null) {
          // A second Ctrl-C that came meanwhile is heard when the event loop has polled.
          for (let poll = 0; poll < 2; poll++) await setImmediate()
          return ended.resultId
        }
        if (ended.outcome !== 'done' && ended.resultId !== null) await keptToo?.(ended.resultId)
        return resultOf(ended)
      } finally {
        shortened = null
        ends.delete(jobId)
        waits.delete(jobId)
        over.abort()
        end(jobId)
      }
    },
    [Symbol.asyncDispose]: close,
  }
}

/**
 * The engine with the catalog, or with an empty one in a folder of its own where that cannot be
 * opened.
 */
function engineOrBare(dataDir: string, emit: Emit<EngineSchema>, terminal: Terminal): Engine {
  try {
    return createEngine({ dataDir, emit })
  } catch (thrown) {
    const { code, message } = AppError.from(thrown)
    if (!OPENING_FAILURES.has(code)) throw thrown
    terminal.note(`${message}; going on without it, and nothing is recorded in it`)
    const bareDir = mkdtempSync(join(tmpdir(), 'stowage-home-'))
    const engine = createEngine({ dataDir: bareDir, emit })
    return {
      ...engine,
      async close() {
        await engine.close()
        rmSync(bareDir, { recursive: true, force: true })
      },
    }
  }
}

/** The codes of a catalog that is damaged, or whose folder cannot be written. */
const OPENING_FAILURES: ReadonlySet<AppErrorCode> = new Set([
  'catalog-broken',
  'permission-denied',
  'no-space',
  'io',
  'not-a-folder',
])

function resultOf(end: JobEnd): string {
  if (end.error) throw AppError.fromWire(end.error)
  if (end.outcome === 'cancelled') {
    const kept = end.resultId === null ? '' : `; the completed part is saved as ${end.resultId}`
    const goesOn = kept === '' && nextStepAfter(end.kind, end.outcome) === 'continue'
    throw new AppError(
      'cancelled',
      `${end.kind === 'option' ? 'build of the option' : end.kind} cancelled${kept}${goesOn ? '; run it again to continue' : ''}`,
    )
  }
  return end.resultId ?? ''
}
