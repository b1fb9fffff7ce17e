import type { JobEnd, JobInfo, JobKind, JobProgress } from '../../../src/contract/dto/job'

/** A job that runs now. Progress is null until the first report. */
export interface RunningJob {
  readonly jobId: string
  readonly kind: JobKind
  readonly progress: JobProgress | null
  /** The person asked for its end and the engine has not answered yet. */
  readonly cancelling: boolean
}

export interface JobsState {
  /** In the order in which they began. */
  readonly running: readonly RunningJob[]
  /**
   * Ends that came before we learnt of the beginning, so that a job never seems to run after its
   * end.
   */
  readonly ended: readonly string[]
  /**
   * How the last job of each kind ended; nothing while one runs, or once an earlier result is shown
   * in its place.
   */
  readonly ends: Readonly<Partial<Record<JobKind, JobEnd['outcome']>>>
  /**
   * The kind of the job that begins next by itself, such as the verification of what was just
   * built; null once it runs, and where nothing follows.
   */
  readonly following: JobKind | null
}

export type JobsAction =
  | { type: 'listed'; jobs: readonly JobInfo[] }
  | { type: 'started'; jobId: string; kind: JobKind }
  | { type: 'progress'; progress: JobProgress }
  | { type: 'cancelling'; jobId: string }
  /** `following`: the kind of the job that begins next by itself. */
  | { type: 'ended'; end: JobEnd; following?: JobKind | null }
  /** All that follows the end of a job has begun, or will not. */
  | { type: 'followed' }
  | { type: 'replaced'; kinds: readonly JobKind[] }
  | { type: 'lost' }

export const initialJobs: JobsState = { running: [], ended: [], ends: {}, following: null }

const REMEMBERED_ENDS = 50

export function reduceJobs(state: JobsState, action: JobsAction): JobsState {
  switch (action.type) {
    case 'listed':
      return action.jobs.reduce((all, job) => begin(all, job.jobId, job.kind), state)
    case 'started':
      return begin(state, action.jobId, action.kind)
    case 'progress': {
      const { progress } = action
      const known = begin(state, progress.jobId, progress.kind)
      if (known.ended.includes(progress.jobId)) return state
      return {
        ...known,
        running: known.running.map((job) => (job.jobId === progress.jobId ? { ...job, progress } : job)),
      }
    }
    case 'cancelling':
      return {
        ...state,
        running: state.running.map((job) =>
          job.jobId === action.jobId ? { ...job, cancelling: true } : job,
        ),
      }
    case 'ended':
      return {
        running: state.running.filter((job) => job.jobId !== action.end.jobId),
        ended: [...state.ended, action.end.jobId].slice(-REMEMBERED_ENDS),
        ends: { ...state.ends, [action.end.kind]: action.end.outcome },
        following: action.following ?? state.following,
      }
    case 'followed':
      return state.following === null ? state : { ...state, following: null }
    case 'replaced':
      return { ...state, ends: without(state.ends, action.kinds) }
    case 'lost':
      return state.running.length === 0 && state.following === null
        ? state
        : {
            ...state,
            running: [],
            following: null,
            ended: [...state.ended, ...state.running.map((job) => job.jobId)].slice(-REMEMBERED_ENDS),
          }
  }
}

function begin(state: JobsState, jobId: string, kind: JobKind): JobsState {
  if (state.ended.includes(jobId) || state.running.some((job) => job.jobId === jobId)) return state
  return {
    ...state,
    running: [...state.running, { jobId, kind, progress: null, cancelling: false }],
    ends: without(state.ends, [kind]),
    following: state.following === kind ? null : state.following,
  }
}

function without(ends: JobsState['ends'], kinds: readonly JobKind[]): JobsState['ends'] {
  return Object.fromEntries(
    Object.entries(ends).filter(([kind]) => !kinds.includes(kind as JobKind)),
  ) as JobsState['ends']
}

/**
 * True when the last job of one of these kinds failed or is incomplete; a cancelled one did not
 * fail.
 */
export function hasFailed({ ends }: JobsState, ...kinds: readonly JobKind[]): boolean {
  return kinds.some((kind) => ends[kind] === 'failed' || ends[kind] === 'interrupted')
}

/** True when none of these kinds failed and the last job of one was interrupted. */
export function wasInterrupted({ ends }: JobsState, ...kinds: readonly JobKind[]): boolean {
  const all = new Set(kinds.map((kind) => ends[kind]))
  return all.has('interrupted') && !all.has('failed')
}

/** The running job of one of these kinds that began last, or null. */
export function runningOf(state: JobsState, ...kinds: readonly JobKind[]): RunningJob | null {
  const found = state.running.filter((job) => kinds.includes(job.kind))
  return found[found.length - 1] ?? null
}

/** Milliseconds after which a job that nobody asked for is shown. */
const LONG_WALK_MS = 1000

/**
 * The jobs that the strip shows. A walk of the sources and a look at them begin by themselves: they
 * are shown only while nothing else runs, and when they take long.
 */
export function shownJobs({ running }: JobsState): readonly RunningJob[] {
  const asked = running.filter(({ kind }) => kind !== 'walk' && kind !== 'look')
  if (asked.length > 0) return asked
  return running.filter(({ progress }) => (progress?.elapsedMs ?? 0) >= LONG_WALK_MS)
}

/** All running jobs of a kind, in the order in which they began. */
export function allRunning({ running }: JobsState, kind: JobKind): readonly RunningJob[] {
  return running.filter((job) => job.kind === kind)
}

/**
 * Done share of the whole job from 0 to 1; null when unknown.
 */
export function shareDone(progress: JobProgress | null): number | null {
  return progress?.share ?? null
}

/**
 * A key of the next announcement to a screen reader: it changes at a new phase, on pausing and at
 * every tenth, not at every report.
 */
export function announcementKey(progress: JobProgress | null): string {
  if (!progress) return ''
  const share = shareDone(progress)
  const tenth = share === null ? Math.floor(progress.elapsedMs / 30_000) : Math.floor(share * 10)
  return `${progress.jobId} ${progress.phase.index} ${progress.state} ${tenth}`
}
