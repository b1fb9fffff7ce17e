import type { RestoreDocument, RestoreRequest } from '../../src/contract/dto/restore'
import { KeptResults } from '../../src/engine/jobs/keptResults'
import { restoreJob } from '../../src/engine/sets/restore/restoreJob'
import type { AppError } from '../../src/primitives/appError'
import { type RunOptions, runJob } from './archiveRun'
import { noCatalog } from './noCatalog'
import { noNotes } from './noNotes'

/** How a restore that was begun ended: its document, and the failure the job threw. */
export interface RestoreOutcome {
  readonly document: RestoreDocument
  readonly error: AppError | null
}

/** Runs a restore to its end. Rejects when there was nothing to begin with. */
export async function runRestore(
  request: Partial<RestoreRequest> & Pick<RestoreRequest, 'volumes' | 'to'>,
  { catalog = noCatalog, ...options }: RunOptions & { catalog?: typeof noCatalog } = {},
): Promise<RestoreOutcome> {
  const results = new KeptResults<RestoreDocument>('restore')
  const whole = { files: [], force: false, trust: false, originalNames: false, password: null, ...request }
  const end = await runJob(restoreJob({ results, notes: noNotes, catalog }, whole), options)
  if (typeof end === 'string') return { document: results.get(end), error: null }
  if (end === null || !('kept' in end)) throw new Error('a restore without a document')
  return { document: results.get(end.kept), error: end.error }
}
