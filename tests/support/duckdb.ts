import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** DuckDB as `scripts/bootstrap/duckdb.mjs` installs it for tests. */
const DUCKDB = join(process.cwd(), '.cache/duckdb')

/** Why DuckDB cannot be asked here, or null. */
export function duckdbMissing(): string | null {
  return existsSync(join(DUCKDB, 'installed')) ? null : 'DuckDB is not installed in .cache/duckdb'
}

/** Lets the command find it in the tests of a file. */
export function useDuckdb(): void {
  const before = process.env['STOWAGE_DUCKDB']
  beforeAll(() => {
    process.env['STOWAGE_DUCKDB'] = DUCKDB
  })
  afterAll(() => {
    if (before === undefined) delete process.env['STOWAGE_DUCKDB']
    else process.env['STOWAGE_DUCKDB'] = before
  })
}
