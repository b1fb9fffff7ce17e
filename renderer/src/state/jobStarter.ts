import type { JobKind } from '../../../src/contract/dto/job'
import type { Stores } from './windowStores'

/**
 * Starts a job and shows it in the strip; true when it has started. `asks` reports a failure and
 * answers null.
 */
export type StartJob = (kind: JobKind, asks: () => Promise<{ jobId: string } | null>) => Promise<boolean>

/** While the start of a kind of job is asked for, pressing its button again starts nothing. */
export function jobStarter(jobs: Stores['jobs']): StartJob {
  const asked = new Set<JobKind>()
  return async (kind, asks) => {
    if (asked.has(kind)) return false
    asked.add(kind)
    const started = await asks().finally(() => asked.delete(kind))
    if (started) jobs.dispatch({ type: 'started', jobId: started.jobId, kind })
    return started !== null
  }
}
