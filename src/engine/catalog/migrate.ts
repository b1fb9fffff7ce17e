import type { Database } from 'better-sqlite3'
import { AppError } from '../../primitives/appError'

const modules = import.meta.glob<{ sql: string }>('./migrations/*.ts', { eager: true })

/** Every migration in the order of the number in its file name; the number is the schema version it leads to. */
export const MIGRATIONS: readonly { version: number; sql: string }[] = Object.entries(modules)
  .map(([file, module]) => {
    const number = /\/(\d{4})-[a-z0-9-]+\.ts$/.exec(file)?.[1]
    if (number === undefined) throw new AppError('internal', `migration without a number: ${file}`)
    return { version: Number(number), sql: module.sql }
  })
  .toSorted((a, b) => a.version - b.version)

/**
 * Brings the database to the newest schema, each step in a transaction of its own.
 * @throws AppError `catalog-newer` when a later Stowage wrote it: nothing is touched then.
 */
export function migrate(db: Database, name: string): void {
  const current = Number(db.pragma('user_version', { simple: true }))
  const newest = MIGRATIONS.at(-1)?.version ?? 0
  if (current > newest) {
    throw new AppError(
      'catalog-newer',
      `cannot open the catalog ${name}: a newer Stowage wrote it (schema ${current}, this one knows ${newest})`,
      { path: name },
    )
  }
  for (const step of MIGRATIONS) {
    if (step.version <= current) continue
    db.transaction(() => {
      // Another process may have migrated while this one waited for the lock.
      if (Number(db.pragma('user_version', { simple: true })) >= step.version) return
      db.exec(step.sql)
      db.pragma(`user_version = ${step.version}`)
    }).immediate()
  }
}
