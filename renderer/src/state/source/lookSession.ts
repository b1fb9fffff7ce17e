import type { JobEnd } from '../../../../src/contract/dto/job'
import type { LookDocument } from '../../../../src/contract/dto/look'
import { runningOf } from '../jobs'
import { SessionPart } from '../stepSession'
import { createStore } from '../store'
import type { KeptSession } from './keptSession'

/** A look at the sources as they are listed. */
interface LookState {
  /** As far as it is known; null before it is. */
  readonly document: LookDocument | null
  /** The walk that is looked at; null for none. */
  readonly walkId: string | null
}

type LookAction =
  | { readonly type: 'looking'; readonly walkId: string | null }
  | { readonly type: 'known'; readonly document: LookDocument }

const INITIAL: LookState = { document: null, walkId: null }

function reduceLook(state: LookState, action: LookAction): LookState {
  if (action.type === 'looking') return { document: null, walkId: action.walkId }
  return action.document.id === state.walkId ? { ...state, document: action.document } : state
}

/**
 * Looks at the sources once they are listed: names and sizes are there at once, a small sample is
 * read, and what is known is asked for while that goes on. None of it rejects: a look that fails
 * leaves the page as it was.
 */
export class LookSession extends SessionPart<{ readonly kept: KeptSession }> {
  readonly store = createStore(reduceLook, INITIAL)
  protected readonly step = 'source'
  #jobId: string | null = null
  /** The last end, which may come before the answer that names its job. */
  #endedId: string | null = null

  /**
   * Follows the walks of the sources, and makes way for a survey, which finds out more; returns
   * what ends that.
   */
  watch(): () => void {
    const { kept, jobs } = this.window
    const ends = [
      kept.store.subscribe(() => {
        const walkId = kept.store.get().document?.id ?? null
        if (walkId !== this.store.get().walkId) void this.#look(walkId)
      }),
      jobs.subscribe(() => {
        if (runningOf(jobs.get(), 'survey') !== null) this.#stop()
      }),
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  /** A look that has forecasts to compare options by; null before. */
  forecast(): LookDocument | null {
    const { document } = this.store.get()
    return document !== null && document.compression.length > 0 ? document : null
  }

  /** The job has proceeded: what it knows is asked for. */
  async proceeded(jobId: string): Promise<void> {
    if (jobId === this.#jobId) await this.#ask()
  }

  /** A look has ended. */
  async ended({ jobId }: JobEnd): Promise<void> {
    this.#endedId = jobId
    if (jobId !== this.#jobId) return
    this.#jobId = null
    await this.#ask()
  }

  async #look(walkId: string | null): Promise<void> {
    this.#stop()
    this.store.dispatch({ type: 'looking', walkId })
    if (walkId === null || !this.window.frame.get().settings.look) return
    const started = await this.call.survey.look({ walkId })
    if (!started.ok || this.store.get().walkId !== walkId) return
    const { jobId } = started.value
    if (jobId !== this.#endedId) {
      this.#jobId = jobId
      this.window.jobs.dispatch({ type: 'started', jobId, kind: 'look' })
    }
    await this.#ask()
  }

  /** Ends the job; all that is known by now stays. */
  #stop(): void {
    const jobId = this.#jobId
    this.#jobId = null
    if (jobId !== null) void this.call.job.cancel({ jobId })
  }

  async #ask(): Promise<void> {
    const { walkId } = this.store.get()
    if (walkId === null) return
    const answer = await this.call.survey.looked({ walkId })
    if (answer.ok && answer.value) this.store.dispatch({ type: 'known', document: answer.value })
  }
}
