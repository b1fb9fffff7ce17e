import type { Database } from 'better-sqlite3'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'

const modules = import.meta.glob<{ sql: string }>('./migrations/*.ts', { eager: true })

/**
 * Every migration in the order of the number in its file name; the number is the schema version it
 * leads to.
 */
export const MIGRATIONS: readonly { version: number; sql: string }[] = Object.entries(modules)
  .map(([file, module]) => {
    const number = /\/(\d{4})-[a-z0-9-]+\.ts$/.exec(file)?.[1]
    if (number === undefined) throw new AppError('internal', `migration without a number: ${file}`)
    return { version: Number(number), sql: module.sql }
  })
  .toSorted((a, b) => a.version - b.version)

/**
 * Brings the database to the newest schema, in one transaction that no other process can be in.
 * @param newest a version up to which; for tests of what a later one changes again
 * @throws AppError `catalog-newer` when a later Stowage wrote it: nothing is touched then.
 */
export function migrate(db: Database, name: string, newest: number = MIGRATIONS.at(-1)?.version ?? 0): void {
  const versionOf = (): number => {
    const current = Number(db.pragma('user_version', { simple: true }))
    if (current <= newest) return current
    throw new AppError(
      'catalog-newer',
      said`cannot open the catalog ${name}: a newer Stowage wrote it (schema ${current}, this one knows ${newest})`,
      { path: name },
    )
  }
  if (versionOf() < newest) {
    db.transaction(() => {
      // Another process may have migrated while this one waited for the lock.
      const current = versionOf()
      for (const { version, sql } of MIGRATIONS) if (version > current && version <= newest) db.exec(sql)
      db.pragma(`user_version = ${newest}`)
    }).exclusive()
  }
  // Where another process did it, this connection may still hold the old schema: SQLite compares it only with a statement
  // that it runs, not with one that it prepares, and "15 columns but 16 values" would be the answer.
  db.prepare('SELECT count(*) FROM sqlite_schema').get()
}
