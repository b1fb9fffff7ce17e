import type { Database } from 'better-sqlite3'
import { type AskedRestore, askedRestoreSchema } from '../../../contract/dto/askedRestore'
import { pathToBytes } from '../../../primitives/pathText'
import { storedDocuments } from './storedDocuments'

/** Restores that ask for their discs one after another: one for each target. */
export interface AskedStore {
  /** Takes the place of the one with the same target. */
  keepAsked(asked: AskedRestore): void
  /** Newest first. */
  askedRestores(): AskedRestore[]
  /** It need not be there. */
  forgetAsked(id: string): void
}

export function askedStore(writer: Database): AskedStore {
  const stored = storedDocuments(writer, 'unfinished restore', askedRestoreSchema)
  return {
    keepAsked(asked) {
      writer
        .prepare(
          'INSERT OR REPLACE INTO asked_restores (id, target, asked_wall_ms, document) VALUES (?, ?, ?, ?)',
        )
        .run(asked.id, pathToBytes(asked.to), asked.askedWallMs, JSON.stringify(asked))
    },
    askedRestores: () => stored.all('ORDER BY asked_wall_ms DESC'),
    forgetAsked(id) {
      writer.prepare('DELETE FROM asked_restores WHERE id = ?').run(id)
    },
  }
}
