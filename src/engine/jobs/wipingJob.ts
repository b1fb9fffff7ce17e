import { wipe } from '../../primitives/secretBytes'
import type { Job } from './jobContext'

/**
 * The same job, which overwrites the passwords of its request when it has ended, however it ended.
 */
export function wipingJob(request: unknown, job: Job): Job {
  return {
    ...job,
    async run(context) {
      try {
        return await job.run(context)
      } finally {
        wipe(request)
      }
    },
  }
}
