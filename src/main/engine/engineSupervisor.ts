/**
 * The room `engine` keeps one engine process alive for the window.
 * How: hosts run it in Electron or in Node (`engineHost`); a handshake, heartbeats and limited
 * restarts guard it, and jobs of one that ended are interrupted.
 * Not here: the engine (`src/engine`), what the window may ask (`ipc`).
 */

import { type Call, channelsOf, type Event } from '../../contract/defineSchema'
import type { JobProgress } from '../../contract/dto/job'
import { engineSchema } from '../../contract/engineSchema'
import type { EngineState } from '../../contract/rendererSchema'
import { AppError } from '../../primitives/appError'
import type { Clock } from '../../primitives/clock'
import { fail, ok, type Result } from '../../primitives/result'
import { said } from '../../primitives/said'
import type { EngineHost } from './engineHost'
import { type EngineLink, type LinkEnd, openLink } from './engineLink'
import { JobLedger, type RunningJob } from './jobLedger'

export interface EngineSupervisor {
  readonly state: EngineState
  /** The jobs that run now, oldest first. */
  readonly running: readonly RunningJob[]
  /** Starts the engine; its states and events are reported from then on. */
  start(): void
  /**
   * Asks the engine. While it is starting the question waits; when it is lost the answer is
   * `engine-lost` at once, unless enough time has passed since its failures that another start is
   * worth while. Never rejects.
   */
  request(channel: string, params: unknown): Promise<Result<unknown>>
  /** Ends the engine in good order and keeps it from being started again. */
  stop(): Promise<void>
}

/** An engine that fails oftener than this many times within the window is broken, not unlucky. */
const RESTART_LIMIT = 3
export const RESTART_WINDOW_MS = 60_000
/** Before the first, second and third restart. */
const RESTART_DELAYS_MS = [0, 500, 2000]
/** Questions that wait for a starting engine; more would mean that nobody reads the answers. */
const WAITING_LIMIT = 1000

/**
 * Keeps one engine alive in a host: handshake, restart within limits, jobs in flight reported as
 * interrupted. Whatever comes from the engine is validated against its schema here, where it enters
 * main.
 */
export function superviseEngine(options: {
  host: EngineHost
  dataDir: string
  clock: Clock
  log: (line: string) => void
  onEvent: (channel: string, payload: unknown) => void
  onState: (state: EngineState) => void
  /** Takes the running jobs after every start, report and end of one. */
  onJobs: (running: readonly RunningJob[]) => void
}): EngineSupervisor {
  const { host, dataDir, clock, log, onEvent, onState } = options
  const ledger = new JobLedger(clock, options.onJobs)
  const { calls, events } = declarations()
  let state: EngineState = { state: 'starting', reason: null, restarting: false }
  let link: EngineLink | null = null
  let isStopped = false
  let isRefused = false
  let restartTimer: ReturnType<typeof setTimeout> | null = null
  let failures: number[] = []
  let waiting: (() => void)[] = []

  const tell = (next: EngineState): void => {
    state = next
    log(`engine ${next.state}${next.reason === null ? '' : `: ${next.reason}`}`)
    onState(next)
  }

  const release = (): void => {
    const questions = waiting
    waiting = []
    for (const question of questions) question()
  }

  const launch = (reason: string | null): void => {
    restartTimer = null
    tell({ state: 'starting', reason, restarting: reason !== null })
    link = openLink(host, dataDir, {
      onReady(runtime) {
        tell({ state: 'ready', reason: null, restarting: false })
        log(`engine runs on ${runtime} (${host.name}, process ${link?.pid})`)
        release()
      },
      onEvent: receiveEvent,
      onErrorLine: (line) => log(`engine said: ${line}`),
      onEnd: ended,
    })
  }

  function receiveEvent(channel: string, payload: unknown): void {
    const parsed = events.get(channel)?.payload.safeParse(payload)
    if (!parsed?.success) return log(`dropped an event that does not fit its declaration: ${channel}`)
    if (channel === 'job.progress') ledger.reported(parsed.data as JobProgress)
    if (channel === 'job.ended') ledger.ended((parsed.data as { jobId: string }).jobId)
    onEvent(channel, parsed.data)
  }

  function ended(end: LinkEnd): void {
    link = null
    for (const interrupted of ledger.interruptAll(end.reason)) onEvent('job.ended', interrupted)
    const now = clock.monotonicMs()
    failures = [...failures.filter((at) => now - at < RESTART_WINDOW_MS), now]
    isRefused = end.refusal !== null
    const restarting = !isStopped && !isRefused && failures.length <= RESTART_LIMIT
    tell({ state: 'lost', reason: end.reason, restarting })
    if (restarting) {
      restartTimer = setTimeout(() => launch(end.reason), RESTART_DELAYS_MS[failures.length - 1] ?? 0)
    } else {
      release()
    }
  }

  /** True when a question may wait: the engine is coming, or may be tried again now. */
  function isComing(): boolean {
    if (isStopped || isRefused) return false
    if (state.state === 'starting' || restartTimer !== null) return true
    const now = clock.monotonicMs()
    const isWorthwhile = failures.filter((at) => now - at < RESTART_WINDOW_MS).length <= RESTART_LIMIT
    if (isWorthwhile) launch(state.reason)
    return isWorthwhile
  }

  async function ask(channel: string, call: Call, params: unknown): Promise<Result<unknown>> {
    if (!link) return fail(new AppError('engine-lost', state.reason ?? 'the engine is not running'))
    const result = await link.request(channel, params)
    if (!result.ok) return result
    const parsed = call.result.safeParse(result.value)
    if (!parsed.success) {
      log(`the answer to ${channel} does not fit its declaration: ${parsed.error.issues[0]?.message}`)
      return fail(new AppError('internal', `the engine's answer to ${channel} does not fit its declaration`))
    }
    ledger.answered(call, parsed.data)
    return ok(parsed.data)
  }

  return {
    get state() {
      return state
    },
    get running() {
      return ledger.running
    },
    start: () => launch(null),
    request(channel, params) {
      const call = calls.get(channel)
      if (!call) return Promise.resolve(fail(new AppError('refused', said`no call named ${channel}`)))
      if (state.state === 'ready' || !isComing()) return ask(channel, call, params)
      if (waiting.length >= WAITING_LIMIT) {
        return Promise.resolve(
          fail(new AppError('engine-lost', said`too many requests are waiting for the engine`)),
        )
      }
      return new Promise((resolve) => {
        waiting.push(() => resolve(ask(channel, call, params)))
      })
    },
    async stop() {
      isStopped = true
      if (restartTimer !== null) clearTimeout(restartTimer)
      restartTimer = null
      await link?.close()
      release()
    },
  }
}

function declarations(): { calls: Map<string, Call>; events: Map<string, Event> } {
  const calls = new Map<string, Call>()
  const events = new Map<string, Event>()
  for (const { channel, entry } of channelsOf(engineSchema)) {
    if (entry.kind === 'call') calls.set(channel, entry)
    else events.set(channel, entry)
  }
  return { calls, events }
}
