import { type CheckDocument, checkRequestSchema } from '../../src/contract/dto/check'
import type { Catalog } from '../../src/engine/catalog/catalog'
import { KeptResults } from '../../src/engine/jobs/keptResults'
import { checkJob } from '../../src/engine/sets/check/checkJob'
import type { AppError } from '../../src/primitives/appError'
import { runJob } from './archiveRun'

/** Verifies given volumes as first copies, and returns the document with the failure if there is one. */
export async function runCheck(
  catalog: Catalog,
  volumes: readonly string[],
  { contents = false }: { readonly contents?: boolean } = {},
): Promise<{ readonly document: CheckDocument; readonly error: AppError | null }> {
  const unrecorded = new KeptResults<CheckDocument>('check')
  const request = checkRequestSchema.parse({ volumes, copy: 1, contents })
  const result = await runJob(checkJob({ catalog, unrecorded }, request))
  if (typeof result === 'string') return { document: catalog.check(result), error: null }
  if (result === null || !('kept' in result)) throw new Error('no check')
  return { document: catalog.check(result.kept), error: result.error }
}
