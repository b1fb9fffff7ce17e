import type { Database } from 'better-sqlite3'
import { type ArchiveIntent, archiveIntentSchema } from '../../../domain/archives/archive'
import { pathFromBytes, pathToBytes } from '../../../primitives/pathText'
import { storedDocuments } from './storedDocuments'

/** Archives, the sets that were adopted into them, and the places of their sources. */
export interface ArchiveStore {
  /**
   * In the order in which they were made, forgotten ones too, without those whose document is
   * damaged, which are noted once.
   */
  archives(): { readonly intent: ArchiveIntent; readonly isForgotten: boolean }[]
  /** Stores an intent, in place of an earlier one; one that was forgotten is listed again. */
  keepArchive(intent: ArchiveIntent): void
  /** Takes an archive out of the lists; its sets stay. */
  forgetArchive(intent: ArchiveIntent): void
  /** The archive of each set that was adopted, by the first plan of the set. */
  adoptedSets(): ReadonlyMap<string, string>
  /** Makes a set one of an archive, and of no other. */
  adoptSet(firstPlanId: string, archiveId: string): void
  /** Where the sources of archives are on a computer, by archive and name. */
  archivePlaces(
    computer: string,
  ): { readonly archive: string; readonly source: string; readonly path: string }[]
  noteArchivePlace(archiveId: string, source: string, computer: string, path: string): void
}

interface PlaceRow {
  readonly archive: string
  readonly source: string
  readonly path: Uint8Array
}

export function archiveStore(writer: Database): ArchiveStore {
  const stored = storedDocuments(writer, 'archive', archiveIntentSchema)
  const keep = (intent: ArchiveIntent, isForgotten: boolean): void => {
    writer
      .prepare(
        `INSERT INTO archives (id, is_forgotten, document) VALUES (?, ?, ?) ON CONFLICT (id)
         DO UPDATE SET is_forgotten = excluded.is_forgotten, document = excluded.document`,
      )
      .run(intent.id, isForgotten ? 1 : 0, JSON.stringify(intent))
  }
  return {
    archives() {
      const forgotten = new Set(
        writer.prepare<[], string>('SELECT id FROM archives WHERE is_forgotten = 1').pluck().all(),
      )
      return stored
        .all('ORDER BY number')
        .map((intent) => ({ intent, isForgotten: forgotten.has(intent.id) }))
    },
    keepArchive: (intent) => keep(intent, false),
    forgetArchive: (intent) => keep(intent, true),
    adoptedSets: () =>
      new Map(
        writer.prepare<[], [string, string]>('SELECT first_plan, archive FROM archive_sets').raw().all(),
      ),
    adoptSet(firstPlanId, archiveId) {
      writer.prepare('INSERT OR REPLACE INTO archive_sets VALUES (?, ?)').run(firstPlanId, archiveId)
    },
    archivePlaces: (computer) =>
      writer
        .prepare<[string], PlaceRow>('SELECT archive, source, path FROM archive_places WHERE computer = ?')
        .all(computer)
        .map(({ archive, source, path }) => ({ archive, source, path: pathFromBytes(path) })),
    noteArchivePlace(archiveId, source, computer, path) {
      writer
        .prepare('INSERT OR REPLACE INTO archive_places VALUES (?, ?, ?, ?)')
        .run(archiveId, source, computer, pathToBytes(path))
    },
  }
}
