import type { Database } from 'better-sqlite3'
import { runDocumentSchema } from '../../contract/dto/run'
import { AppError } from '../../primitives/appError'
import type { Catalog } from './catalog'

/** The catalog's table of runs (builds and verifications). */
export function runStore(writer: Database): Pick<Catalog, 'saveRun' | 'run' | 'runs'> {
  return {
    saveRun(document) {
      writer
        .prepare('INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)')
        .run(document.id, document.planId, document.startedWallMs, JSON.stringify(document))
    },
    run(runId) {
      const row = writer
        .prepare<[string], { document: string }>('SELECT document FROM runs WHERE id = ?')
        .get(runId)
      if (!row) throw new AppError('not-found', `no run ${runId} in the catalog`)
      return runDocumentSchema.parse(JSON.parse(row.document))
    },
    runs: () =>
      writer
        .prepare<[], { document: string }>('SELECT document FROM runs ORDER BY started_wall_ms DESC')
        .all()
        .map(({ document }) => runDocumentSchema.parse(JSON.parse(document))),
  }
}
