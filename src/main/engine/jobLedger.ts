import type { Call } from '../../contract/defineSchema'
import { type JobEnd, type JobKind, type JobProgress, jobStartedSchema } from '../../contract/dto/job'
import { AppError } from '../../primitives/appError'
import type { Clock } from '../../primitives/clock'
import { said } from '../../primitives/said'

/** How many ended jobs are remembered, in case an end overtakes the answer that names the job. */
const REMEMBERED_ENDS = 256

/** A job that the engine works on, with what it last reported of itself. */
export interface RunningJob {
  readonly jobId: string
  readonly kind: JobKind
  readonly progress: JobProgress | null
}

/** True when it works, and is neither paused nor waiting for a person. */
export function isAtWork({ progress }: RunningJob): boolean {
  return progress === null || (progress.state !== 'paused' && !progress.waitingFor)
}

/**
 * Knows which jobs the engine is working on, so that they can be called interrupted when it dies.
 */
export class JobLedger {
  readonly #clock: Clock
  readonly #onChange: (running: readonly RunningJob[]) => void
  readonly #running = new Map<string, RunningJob & { readonly since: number }>()
  readonly #ended = new Set<string>()

  /** @param onChange takes the running jobs, oldest first, after every start, report and end */
  constructor(clock: Clock, onChange: (running: readonly RunningJob[]) => void) {
    this.#clock = clock
    this.#onChange = onChange
  }

  /** Oldest first. */
  get running(): readonly RunningJob[] {
    return [...this.#running.values()]
  }

  /** Notes the job that a call started, if its rule says that it starts one. */
  answered({ rule }: Call, answer: unknown): void {
    if (rule.starts === undefined) return
    const { jobId } = jobStartedSchema.parse(answer)
    if (this.#ended.has(jobId) || this.#running.has(jobId)) return
    this.#running.set(jobId, {
      jobId,
      kind: rule.starts,
      progress: null,
      since: this.#clock.monotonicMs(),
    })
    this.#onChange(this.running)
  }

  /** Notes what a job reports; the first report may overtake the answer that names the job. */
  reported(progress: JobProgress): void {
    const { jobId, kind, elapsedMs } = progress
    if (this.#ended.has(jobId)) return
    const since = this.#running.get(jobId)?.since ?? this.#clock.monotonicMs() - elapsedMs
    this.#running.set(jobId, { jobId, kind, progress, since })
    this.#onChange(this.running)
  }

  ended(jobId: string): void {
    this.#running.delete(jobId)
    this.#ended.add(jobId)
    if (this.#ended.size > REMEMBERED_ENDS) {
      for (const oldest of this.#ended) {
        this.#ended.delete(oldest)
        break
      }
    }
    this.#onChange(this.running)
  }

  /** Ends every running job as interrupted, oldest first, and forgets them. */
  interruptAll(reason: string): JobEnd[] {
    const now = this.#clock.monotonicMs()
    const ends = [...this.#running].map(
      ([jobId, { kind, since }]): JobEnd => ({
        jobId,
        kind,
        outcome: 'interrupted',
        resultId: null,
        error: new AppError('interrupted', said`interrupted: ${reason}`).toWire(),
        elapsedMs: Math.max(0, now - since),
      }),
    )
    this.#running.clear()
    this.#onChange([])
    return ends
  }
}
