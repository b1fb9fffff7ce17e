/**
 * The room `state` has the state that several steps share, and what every step's session needs.
 * How: a store changes only through its reducer; a session asks the engine and dispatches, and
 * shows failures instead of throwing.
 * Not here: the state of one step (`steps`), drawing (`components`).
 */

import type { Client } from '../../../src/contract/defineSchema'
import type { JobKind } from '../../../src/contract/dto/job'
import type { Settings } from '../../../src/contract/dto/settings'
import type { Help, RendererSchema, WindowApi } from '../../../src/contract/rendererSchema'
import type { WireError } from '../../../src/primitives/appError'
import type { Result } from '../../../src/primitives/result'
import { t } from '../copy'
import { initialFrame, type Page, reduceFrame, type Undoable } from './frame'
import { initialJobs, reduceJobs } from './jobs'
import { createStore } from './store'

/**
 * Actions of every step, and the base that the sessions of the steps share; none of them rejects.
 */
export class WindowSession {
  readonly frame = createStore(reduceFrame, initialFrame)
  readonly jobs = createStore(reduceJobs, initialJobs)
  readonly api: WindowApi
  readonly call: Client<RendererSchema>
  readonly #asked = new Set<JobKind>()

  constructor(api: WindowApi) {
    this.api = api
    this.call = api.call
  }

  goTo(step: Page): void {
    this.frame.dispatch({ type: 'step', step })
  }

  dismiss(id: number): void {
    this.frame.dispatch({ type: 'dismissed', id })
  }

  showHelp(help: Help | null): void {
    this.frame.dispatch({ type: 'help', help })
  }

  /** Shows that something was removed, with what brings it back. */
  removed(name: string, undo: () => void): void {
    this.undoable({ said: () => t('removed.said', { name }), undo })
  }

  /** Says what was done, and offers to undo it. */
  undoable(undoable: Undoable): void {
    this.frame.dispatch({ type: 'undoable', undoable })
  }

  /** Undoes the last of them; false where there is none. */
  undo(): boolean {
    const { undoable } = this.frame.get()
    undoable?.undo()
    this.keepDone()
    return undoable !== null
  }

  /** Withdraws the offer to undo. */
  keepDone(): void {
    this.frame.dispatch({ type: 'undoable', undoable: null })
  }

  /** Shown at once, kept by main; the engine's answer corrects what it could not keep. */
  async saveSettings(settings: Partial<Settings>): Promise<void> {
    this.frame.dispatch({ type: 'settings', settings })
    const saved = await this.ask(null, this.call.app.saveSettings(settings))
    if (saved) this.frame.dispatch({ type: 'settings', settings: saved })
  }

  async cancel(jobId: string): Promise<void> {
    this.jobs.dispatch({ type: 'cancelling', jobId })
    await this.ask(null, this.call.job.cancel({ jobId }))
  }

  async pause(jobId: string): Promise<void> {
    await this.ask(null, this.call.job.pause({ jobId }))
  }

  async resume(jobId: string): Promise<void> {
    await this.ask(null, this.call.job.resume({ jobId }))
  }

  async showFolder(path: string, step: Page): Promise<void> {
    await this.ask(step, this.call.app.showFolder({ path }))
  }

  /** Offers text to be saved as a file; true when it was. */
  async saveText(suggestedName: string, text: string): Promise<boolean> {
    const path = await this.ask(null, this.call.app.saveText({ suggestedName, text }))
    return path !== null
  }

  /** Answers what was asked, or shows the failure in the step and answers null. */
  async ask<T>(step: Page | null, asked: Promise<Result<T>>): Promise<T | null> {
    const result = await asked
    if (result.ok) return result.value
    this.failed(result.error, step)
    return null
  }

  /**
   * Starts a job and shows it in the strip; true when it has started. `asks` reports a failure and
   * answers null. While the start of a kind of job is asked for, pressing its button again starts
   * nothing.
   */
  async startJob(kind: JobKind, asks: () => Promise<{ jobId: string } | null>): Promise<boolean> {
    if (this.#asked.has(kind)) return false
    this.#asked.add(kind)
    const started = await asks().finally(() => this.#asked.delete(kind))
    if (started) this.jobs.dispatch({ type: 'started', jobId: started.jobId, kind })
    return started !== null
  }

  failed(error: WireError, step: Page | null, job?: JobKind): void {
    if (error.code === 'cancelled') return
    this.frame.dispatch({ type: 'failed', error, step, ...(job && { job }) })
  }

  /** Shows that a person stopped a job: what is left of it and how it goes on, not a failure. */
  stopped(message: string, step: Page, job: JobKind): void {
    this.frame.dispatch({ type: 'failed', error: { code: 'cancelled', message }, step, job })
  }

  clear(...steps: Page[]): void {
    for (const step of steps) this.frame.dispatch({ type: 'cleared', step })
  }
}
