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
  /** Ends that came before we learnt of the beginning, so that a job never seems to run after its end. */
  readonly ended: readonly string[]
  readonly last: JobEnd | null
}

export type JobsAction =
  | { type: 'listed'; jobs: readonly JobInfo[] }
  | { type: 'started'; jobId: string; kind: JobKind }
  | { type: 'progress'; progress: JobProgress }
  | { type: 'cancelling'; jobId: string }
  | { type: 'ended'; end: JobEnd }
  | { type: 'lost' }

export const initialJobs: JobsState = { running: [], ended: [], last: null }

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
        last: action.end,
      }
    case 'lost':
      return state.running.length === 0
        ? state
        : {
            ...state,
            running: [],
            ended: [...state.ended, ...state.running.map((job) => job.jobId)].slice(-REMEMBERED_ENDS),
          }
  }
}

function begin(state: JobsState, jobId: string, kind: JobKind): JobsState {
  if (state.ended.includes(jobId) || state.running.some((job) => job.jobId === jobId)) return state
  return { ...state, running: [...state.running, { jobId, kind, progress: null, cancelling: false }] }
}

/** The running job of one of these kinds that began last, or null. */
export function runningOf(state: JobsState, ...kinds: readonly JobKind[]): RunningJob | null {
  const found = state.running.filter((job) => kinds.includes(job.kind))
  return found[found.length - 1] ?? null
}

/** Done share of a job's current phase from 0 to 1, by bytes where they are known, else by files; null when unknown. */
export function shareDone(progress: JobProgress | null): number | null {
  if (!progress) return null
  if (progress.bytesTotal) return Math.min(1, progress.bytesDone / progress.bytesTotal)
  if (progress.filesTotal) return Math.min(1, progress.filesDone / progress.filesTotal)
  return null
}

/** What a screen reader should hear next: changes at a new phase, on pausing and at every tenth, not at every report. */
export function announcementKey(progress: JobProgress | null): string {
  if (!progress) return ''
  const share = shareDone(progress)
  const tenth = share === null ? Math.floor(progress.elapsedMs / 30_000) : Math.floor(share * 10)
  return `${progress.jobId} ${progress.phase.index} ${progress.state} ${tenth}`
}
