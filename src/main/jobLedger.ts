import { type JobEnd, type JobKind, jobStartedSchema } from '../contract/dto/job'
import { AppError } from '../primitives/appError'
import type { Clock, Milliseconds } from '../primitives/clock'

/** The engine's calls that start a job, with the kind of job each starts. */
export const JOB_KIND_OF_CALL: Readonly<Record<string, JobKind>> = {
  'survey.start': 'survey',
  'measure.start': 'measure',
  'bands.start': 'bands',
  'plan.start': 'plan',
  'plan.export': 'export',
  'options.build': 'option',
  'run.build': 'build',
  'run.verify': 'verify',
  'image.create': 'image',
  'image.convert': 'image',
  'image.resize': 'image',
  'image.compact': 'image',
  'image.reband': 'image',
  'image.verify': 'image',
  'image.changePassword': 'image',
}

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

  /** Notes what an answered call started, if it started anything. */
  answered(channel: string, value: unknown): void {
    const kind = JOB_KIND_OF_CALL[channel]
    const started = jobStartedSchema.safeParse(value)
    if (!kind || !started.success || this.#ended.has(started.data.jobId)) return
    this.#running.set(started.data.jobId, { kind, since: this.#clock.monotonicMs() })
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
