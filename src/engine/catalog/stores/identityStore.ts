import type { Database } from 'better-sqlite3'
import { newId } from '../../jobs/newId'

export interface IdentityStore {
  /** The ID of this catalog, whatever path leads to it: what it exports is known by it. */
  catalogId(): string
}

export function identityStore(writer: Database): IdentityStore {
  return {
    catalogId: writer.transaction(() => {
      writer.prepare('INSERT OR IGNORE INTO identity VALUES (1, ?)').run(newId('k'))
      return writer.prepare<[], string>('SELECT id FROM identity').pluck().get() ?? ''
    }),
  }
}
