import type { Call } from '../../contract/defineSchema'
import { type JobEnd, type JobKind, jobStartedSchema } from '../../contract/dto/job'
import { AppError } from '../../primitives/appError'
import type { Clock, Milliseconds } from '../../primitives/clock'

/** How many ended jobs are remembered, in case an end overtakes the answer that names the job. */
const REMEMBERED_ENDS = 256

/** Knows which jobs the engine is working on, so that they can be called interrupted when it dies. */
export class JobLedger {
  readonly #clock: Clock
  readonly #running = new Map<string, { kind: JobKind; since: Milliseconds }>()
  readonly #ended = new Set<string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Notes the job that a call started, if its rule says that it starts one. */
  answered({ rule }: Call, answer: unknown): void {
    if (rule.starts === undefined) return
    const { jobId } = jobStartedSchema.parse(answer)
    if (this.#ended.has(jobId)) return
    this.#running.set(jobId, { kind: rule.starts, since: this.#clock.monotonicMs() })
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
        error: new AppError('interrupted', `interrupted: ${reason}`).toWire(),
        elapsedMs: Math.max(0, now - since),
      }),
    )
    this.#running.clear()
    return ends
  }
}
