import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../../primitives/appError'
import type { Catalog } from './catalog'
import { closeToOthers } from './closeToOthers'
import { findFiles } from './findFiles'
import { measureStore } from './measureStore'
import { migrate } from './migrate'
import { optionStore } from './optionStore'
import { placeStore } from './placeStore'
import { planStore } from './planStore'
import { runStore } from './runStore'
import { surveyStore } from './surveyStore'
import { sweepStore } from './sweepStore'

/**
 * Opens (or makes) the catalog `catalog.db` in the data folder, which is made too when missing; both are closed to other users.
 * Write-ahead logging with full synchronisation: a process killed at any moment leaves the old or the new state.
 * Several processes may have it open; each waits up to ten seconds for another's write.
 * @throws AppError `catalog-newer`, `catalog-broken`, `permission-denied` or `no-space`, naming the file.
 */
export function openCatalog(dataDir: string): Catalog {
  const file = join(dataDir, 'catalog.db')
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    closeToOthers(dataDir, file)
    const writer = new Database(file, { timeout: 10_000 })
    try {
      writer.pragma('journal_mode = WAL')
      writer.pragma('synchronous = FULL')
      writer.pragma('foreign_keys = ON')
      migrate(writer, file)
      const reader = new Database(file, { readonly: true, timeout: 10_000 })
      // A page cache of 64 MiB and temporary files on disk keep sorting a survey of millions of files bounded.
      reader.pragma('cache_size = -65536')
      return compose(writer, reader)
    } catch (thrown) {
      writer.close()
      throw thrown
    }
  } catch (thrown) {
    throw catalogError(thrown, file)
  }
}

function compose(writer: Database.Database, reader: Database.Database): Catalog {
  const surveys = surveyStore(writer, reader)
  const plans = planStore(writer, reader)
  const runs = runStore(writer)
  surveys.settleAbandoned()
  plans.settleWithdrawn()
  return {
    ...surveys,
    ...plans,
    ...runs,
    ...measureStore(writer, reader),
    ...sweepStore(writer, reader),
    ...optionStore(writer, reader),
    ...placeStore(writer),
    find: (pattern, limit) => findFiles(reader, pattern, limit),
    close() {
      reader.close()
      writer.close()
    },
  }
}

function catalogError(thrown: unknown, file: string): unknown {
  if (thrown instanceof AppError) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const options = { path: file, cause: thrown }
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return new AppError(
      'catalog-broken',
      `cannot open the catalog ${file}: it is damaged or no database`,
      options,
    )
  }
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') {
    return new AppError('no-space', `cannot open the catalog ${file}: no space left`, options)
  }
  if (['EACCES', 'EPERM', 'EROFS', 'EISDIR', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'].includes(code)) {
    return new AppError('permission-denied', `cannot open the catalog ${file}: permission denied`, options)
  }
  return thrown
}
