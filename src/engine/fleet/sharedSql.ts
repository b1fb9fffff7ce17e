import cuts from '../../../fleet/sql/cuts.sql?raw'
import newData from '../../../fleet/sql/new.sql?raw'
import own from '../../../fleet/sql/own.sql?raw'
import owned from '../../../fleet/sql/owned.sql?raw'
import pairs from '../../../fleet/sql/pairs.sql?raw'
import type { Database } from './duckdb'

/** Every text by the name of its file, for engines that read files. */
export const SQL_TEXTS = { cuts, owned, own, new: newData, pairs } as const

/** The queries that DuckDB and Spark run alike, without a change. */
export const QUERIES = { own, new: newData, pairs } as const

/** Defines what the queries ask, over the tables of hashes. */
export async function defineShared(database: Database): Promise<void> {
  await database.run(`CREATE OR REPLACE TEMP VIEW cuts AS ${cuts}`)
  await database.run(`CREATE OR REPLACE TEMP VIEW owned AS ${owned}`)
}
