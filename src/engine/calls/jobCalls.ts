import type { JobRunner } from '../jobs/jobRunner'
import type { CallsOf } from './engineParts'

/** Answers the calls on jobs that run. */
export function jobCalls(runner: JobRunner): CallsOf<'job'> {
  return {
    job: {
      list: () => runner.list(),
      cancel: ({ jobId }) => runner.cancel(jobId),
      pause: ({ jobId }) => runner.pause(jobId),
      resume: ({ jobId }) => runner.resume(jobId),
      proceed: ({ jobId, answer }) => runner.proceed(jobId, answer),
    },
  }
}
