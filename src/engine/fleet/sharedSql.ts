import cuts from '../../../fleet/sql/cuts.sql?raw'
import newData from '../../../fleet/sql/new.sql?raw'
import own from '../../../fleet/sql/own.sql?raw'
import owned from '../../../fleet/sql/owned.sql?raw'
import pairs from '../../../fleet/sql/pairs.sql?raw'
import type { Database } from './duckdb'

/** The queries that DuckDB and Spark run alike, without a change. */
export const QUERIES = { own, new: newData, pairs } as const

/** Defines what the queries ask, over the tables of hashes. */
export async function defineShared(database: Database): Promise<void> {
  await database.run(`CREATE OR REPLACE TEMP VIEW cuts AS ${cuts}`)
  await database.run(`CREATE OR REPLACE TEMP VIEW owned AS ${owned}`)
}
