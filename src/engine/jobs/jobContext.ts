import type { BandSweepLive } from '../../contract/dto/bands'
import type {
  JobKind,
  JobPipe,
  JobProgress,
  JobWriting,
  PausesAfter,
  SetAside,
  WaitAnswer,
  WaitingFor,
} from '../../contract/dto/job'
import type { MeasureLive } from '../../contract/dto/measure'
import type { SurveyLive } from '../../contract/dto/survey'
import type { AppError } from '../../primitives/appError'
import type { Clock } from '../../primitives/clock'
import type { NewId } from './newId'
import type { Work } from './workEstimate'

/**
 * The progress that a job reports; rate, ETA, elapsed time and the limit of four a second are the
 * runner's work.
 */
export type ProgressUpdate = Pick<
  JobProgress,
  'phase' | 'filesDone' | 'filesTotal' | 'bytesDone' | 'bytesTotal' | 'current' | 'cautions' | 'volume'
> & {
  /**
   * All that the job does, by kinds with their expected weights, phases to come included. The share
   * done and the time left of the whole job follow from it; without it the files and bytes above
   * are all of it.
   */
  readonly work?: readonly Work[]
}

/** The services that the runner lends to a job while it runs. */
export interface JobContext {
  readonly jobId: string
  readonly clock: Clock
  /** A fresh ID for what the job keeps, such as `p-4f0c9b1e7a23` for the prefix `p`. */
  readonly newId: NewId
  /**
   * Aborted when the person cancels. The job stops within 200 ms and throws AppError `cancelled`,
   * or returns what it keeps.
   */
  readonly signal: AbortSignal
  /** May be called as often as is convenient; it is cheap. */
  progress(update: ProgressUpdate): void
  /**
   * Shows what a person has to do or to decide and waits until they say that it is done; the time
   * is not the job's.
   * @returns what they decided; null where there was nothing to decide
   * @throws AppError `cancelled`
   */
  waitFor(what: WaitingFor): Promise<WaitAnswer | null>
  /**
   * Reports the ring buffer between source and writer with the next progress; null when there is
   * none any more.
   */
  piped(figures: JobPipe | null): void
  /** Where the job writes, with the next progress. */
  writing(where: JobWriting): void
  /** Figures for the window while a survey runs. */
  live(figures: Omit<SurveyLive, 'jobId'>): void
  /** The same while a device is measured. */
  measured(figures: Omit<MeasureLive, 'jobId'>): void
  /** The same while band sizes are swept. */
  swept(figures: Omit<BandSweepLive, 'jobId'>): void
  /** How a job pauses; without this, and after null, pausing is refused. */
  pausable(hooks: { pause(): void; resume(): void } | null): void
  /**
   * For a job that cannot pause at once: what it finishes before it pauses, at the next
   * `safePoint`.
   */
  pausesAfter(what: PausesAfter): void
  /**
   * A place where such a job can rest: waits as long as it is paused.
   * @throws AppError `cancelled`
   */
  safePoint(): Promise<void>
}

/** The result that a job kept although it was cancelled or failed. */
export interface Unfinished {
  readonly kept: string
  readonly error: AppError
}

/**
 * The id of what a job made, null when it made nothing, or what it kept although it was cancelled
 * or failed.
 */
export type JobResult = string | null | Unfinished | { readonly made: string; readonly setAside: SetAside }

/** A job: one piece of the engine's work. */
export interface Job {
  readonly kind: JobKind
  /** One line for people: `Survey of Photos`. */
  readonly title: string
  run(context: JobContext): Promise<JobResult>
}
