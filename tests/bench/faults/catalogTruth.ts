import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'

interface Row {
  readonly [column: string]: unknown
}

/**
 * What is wrong with a catalog: damage, and names of plans, builds and sketches that are not there. A copy is looked at, so
 * that nothing is mended by looking.
 */
export function catalogFaults(home: string, sketchNames: readonly string[]): string[] {
  if (!existsSync(join(home, 'catalog.db'))) return []
  const copy = mkdtempSync(`${home}.copy-`)
  try {
    for (const name of ['catalog.db', 'catalog.db-wal'])
      if (existsSync(join(home, name))) copyFileSync(join(home, name), join(copy, name))
    const database = new Database(join(copy, 'catalog.db'))
    try {
      return [...damageIn(database), ...untruths(database, sketchNames)]
    } finally {
      database.close()
    }
  } catch (thrown) {
    return [`the catalog does not open: ${String(thrown)}`]
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function damageIn(database: Database.Database): string[] {
  const rows = database.pragma('integrity_check') as { integrity_check: string }[]
  return rows.filter((row) => row.integrity_check !== 'ok').map((row) => `catalog: ${row.integrity_check}`)
}

function untruths(database: Database.Database, sketchNames: readonly string[]): string[] {
  const tables = new Set(rowsOf(database, 'SELECT name FROM sqlite_master').map((row) => row['name']))
  const faults: string[] = []
  if (tables.has('plans')) {
    for (const { id, directory } of rowsOf(
      database,
      'SELECT id, directory FROM plans WHERE directory IS NOT NULL',
    )) {
      const file = join(Buffer.from(directory as Uint8Array).toString(), 'plan.json')
      if (!existsSync(file)) faults.push(`the catalog names a plan that is not there: ${file}`)
      else if (!isJson(file))
        faults.push(`the catalog names a plan that is not whole: ${file} (${String(id)})`)
    }
  }
  if (tables.has('option_builds')) {
    for (const { document } of rowsOf(database, 'SELECT document FROM option_builds')) {
      const { path, discarded } = JSON.parse(document as string) as { path: string; discarded: boolean }
      if (!discarded && !existsSync(path)) faults.push(`the catalog names a build that is not there: ${path}`)
    }
  }
  if (tables.has('surveys')) {
    const known = new Set(rowsOf(database, 'SELECT id FROM surveys').map((row) => row['id']))
    for (const name of sketchNames)
      if (!known.has(basename(name).split('.')[0])) faults.push(`a sketch of no survey: ${name}`)
  }
  return faults
}

function rowsOf(database: Database.Database, sql: string): Row[] {
  return database.prepare(sql).all() as Row[]
}

function isJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, 'utf8'))
    return true
  } catch {
    return false
  }
}
