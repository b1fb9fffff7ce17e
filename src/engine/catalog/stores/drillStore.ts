import type { Database } from 'better-sqlite3'
import { type DrillDocument, drillDocumentSchema } from '../../../domain/sets/drill/drillDocument'
import { storedDocuments } from './storedDocuments'

/** Restore drills that ended. */
export interface DrillStore {
  saveDrill(document: DrillDocument): void
  /** The last one first, without those whose document is damaged, which are noted once. */
  drills(): DrillDocument[]
  /** @throws AppError `not-found`; `catalog-broken` for one whose document is damaged */
  drill(drillId: string): DrillDocument
}

export function drillStore(writer: Database): DrillStore {
  const stored = storedDocuments(writer, 'restore drill', drillDocumentSchema)
  return {
    saveDrill(document) {
      writer
        .prepare('INSERT INTO drills (id, document) VALUES (?, ?)')
        .run(document.id, JSON.stringify(document))
    },
    drills: () => stored.all('ORDER BY number DESC'),
    drill: (drillId) => stored.of(drillId),
  }
}
