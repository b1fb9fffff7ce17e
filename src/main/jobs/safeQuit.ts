/**
 * The room `jobs` shows the system that jobs run, and asks before they are stopped.
 * How: it follows the reports of jobs: taskbar, notices, keeping awake, and the question before
 * closing the window.
 * Not here: running jobs (`src/engine/jobs`), the window's strip (`renderer/src/app`).
 */

import type { Result } from '../../primitives/result'
import type { RunningJob } from '../engine/jobLedger'
import { say } from '../words'
import { driveName } from './driveName'

/**
 * Work that leaves something unfinished when it is ended; a survey or a check only has to be run
 * again.
 */
const WRITING_KINDS = ['export', 'build', 'write', 'restore', 'repair', 'image', 'option'] as const

interface WritingJob extends RunningJob {
  readonly kind: (typeof WRITING_KINDS)[number]
}
/** A job stops within a second; a program that has not ended by then is ended with the engine. */
const STOP_LIMIT_MS = 30_000

export interface QuitQuestion {
  readonly title: string
  readonly message: string
  /** One line for each job: what its end would leave. */
  readonly detail: string
}

interface QuitSurroundings {
  readonly ask: (channel: string, params: unknown) => Promise<Result<unknown>>
  /** Asks if the jobs may be stopped. */
  readonly confirm: (question: QuitQuestion) => Promise<boolean>
  /** Closes the window for good. */
  readonly quit: () => void
}

/**
 * Holds up the closing of the window while a job writes: asks, and if the person agrees cancels the
 * jobs, waits for their ends, so that everything they have finished is on record, and then quits.
 */
export class SafeQuit {
  readonly #around: QuitSurroundings
  #writing: readonly WritingJob[] = []
  #isAsking = false
  #limit: ReturnType<typeof setTimeout> | null = null
  #isDecided = false

  constructor(around: QuitSurroundings) {
    this.#around = around
  }

  /** Takes the running jobs whenever they change. */
  jobs(running: readonly RunningJob[]): void {
    this.#writing = running.filter((job) => isWriting(job))
    if (this.#limit !== null && this.#writing.length === 0) this.#quit()
  }

  /** Takes an attempt to close the window. @returns whether it may be closed at once */
  mayClose(): boolean {
    if (this.#isDecided || this.#writing.length === 0) return true
    if (!this.#isAsking && this.#limit === null) void this.#decide()
    return false
  }

  async #decide(): Promise<void> {
    this.#isAsking = true
    const isToStop = await this.#around.confirm(questionFor(this.#writing)).catch(() => false)
    this.#isAsking = false
    if (!isToStop) return
    if (this.#writing.length === 0) return this.#quit()
    this.#limit = setTimeout(() => this.#quit(), STOP_LIMIT_MS)
    for (const { jobId } of this.#writing) void this.#around.ask('job.cancel', { jobId })
  }

  #quit(): void {
    if (this.#limit !== null) clearTimeout(this.#limit)
    this.#limit = null
    this.#isDecided = true
    this.#around.quit()
  }
}

function isWriting(job: RunningJob): job is WritingJob {
  return WRITING_KINDS.some((kind) => kind === job.kind)
}

function questionFor(jobs: readonly WritingJob[]): QuitQuestion {
  const lines = jobs.map(({ kind, progress }) => {
    const writing = progress?.writing
    return writing?.losesDisc ? say('quit.losesDisc', { drive: driveName(writing.to) }) : say(`quit.${kind}`)
  })
  return {
    title: say('quit.title'),
    message: say('quit.question'),
    detail: [...new Set(lines)].join('\n'),
  }
}
