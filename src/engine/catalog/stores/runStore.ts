import type { Database } from 'better-sqlite3'
import type { RunDocument } from '../../../contract/dto/run'
import { checksOfRun } from '../../../domain/sets/volumeChecks'
import { AppError } from '../../../primitives/appError'
import type { Catalog } from '../catalog'
import { insertChecks } from './checkStore'
import type { StoredDocuments } from './storedDocuments'

/** The catalog's table of runs (builds and verifications). */
export function runStore(
  writer: Database,
  stored: StoredDocuments<RunDocument>,
): Pick<Catalog, 'saveRun' | 'run' | 'runs'> {
  return {
    saveRun: writer.transaction((document: RunDocument) => {
      writer
        .prepare('INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)')
        .run(document.id, document.planId, document.startedWallMs, JSON.stringify(document))
      insertChecks(writer, document.id, checksOfRun(document))
    }),
    run(runId) {
      const row = writer
        .prepare<[string], { document: string }>('SELECT document FROM runs WHERE id = ?')
        .get(runId)
      if (!row) throw new AppError('not-found', `no run ${runId} in the catalog`)
      return stored.read(runId, row.document)
    },
    runs: (planId = null) =>
      writer
        .prepare<{ planId: string | null }, { id: string; document: string }>(
          `SELECT id, document FROM runs WHERE @planId IS NULL OR plan_id = @planId
           ORDER BY started_wall_ms DESC`,
        )
        .all({ planId })
        .flatMap(({ id, document }) => stored.readable(id, document) ?? []),
  }
}
