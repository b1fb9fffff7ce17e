import type { Database } from 'better-sqlite3'
import type { RunDocument } from '../../../contract/dto/run'
import { checksOfRun } from '../../../domain/sets/volumeChecks'
import type { Catalog } from '../catalog'
import type { CheckIntervals } from './checkIntervals'
import { insertChecks } from './checkStore'
import type { StoredDocuments } from './storedDocuments'

/** The catalog's table of runs (builds and verifications). */
export function runStore(
  writer: Database,
  stored: StoredDocuments<RunDocument>,
  intervals: Pick<CheckIntervals, 'everyMonths'>,
): Pick<Catalog, 'saveRun' | 'run' | 'runs'> {
  return {
    saveRun: writer.transaction((document: RunDocument) => {
      writer
        .prepare('INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)')
        .run(document.id, document.planId, document.startedWallMs, JSON.stringify(document))
      insertChecks(writer, document.id, checksOfRun(document, intervals.everyMonths))
    }),
    run: stored.of,
    runs: (planId = null) =>
      stored.all(`${planId === null ? '' : 'WHERE plan_id = @planId '}ORDER BY started_wall_ms DESC`, {
        planId,
      }),
  }
}
