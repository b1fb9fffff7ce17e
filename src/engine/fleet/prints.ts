import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { joinPath } from '../files/fileSystem'
import type { CheckedFingerprints } from '../fingerprints/checkFingerprints'
import { partName, type TableName } from '../fingerprints/fingerprintTables'
import type { Database } from './duckdb'

/** A half-open range of hashes, of which 0 is the lowest: both are from 0 to 2^64. */
export interface HashRange {
  readonly from: bigint
  readonly to: bigint
}

const HASHES = 1n << 64n

/** The hashes that the share 2^-shift keeps. */
export function keptRange(shift: number): HashRange {
  return { from: 0n, to: HASHES >> BigInt(shift) }
}

/** Part `index`, from 0, of `count` parts of a range; together they are all of it. */
export function partOfRange({ from, to }: HashRange, index: number, count: number): HashRange {
  const at = (part: number): bigint => from + ((to - from) * BigInt(part)) / BigInt(count)
  return { from: at(index), to: at(index + 1) }
}

/** A scheme of some sources, as it is looked up. */
export interface PrintsOf {
  readonly table: Extract<TableName, 'blocks' | 'chunks' | 'contents'>
  /** Undefined for the table of whole files. */
  readonly scheme: string | undefined
  /** The sources that have it, by their places in the report. */
  readonly sources: readonly { readonly index: number; readonly fingerprints: CheckedFingerprints }[]
  /**
   * The group of contents that no file is named for, where the table `grouped` divides files; null
   * where sources are compared.
   */
  readonly manyGroup: number | null
}

/** The tables of hashes, whose rows have a source's place and the name of a scheme. */
const HASH_TABLES = ['blocks', 'chunks', 'contents'] as const

/**
 * Defines the tables of the shared SQL text: the rows of one scheme whose hashes lie in a range.
 * The others are empty.
 */
export async function definePrints(
  database: Database,
  { table, scheme, sources, manyGroup }: PrintsOf,
  range: HashRange,
): Promise<void> {
  for (const name of HASH_TABLES) {
    const rows =
      name === table && sources.length > 0
        ? sources
            .map(({ index, fingerprints: { folder } }) =>
              rowsOf(joinPath(folder, partName(table, scheme)), index),
            )
            .join(' UNION ALL ')
        : EMPTY
    const named = name === 'contents' ? '' : `'${scheme ?? ''}' AS scheme, `
    const columns = manyGroup === null ? '*' : groupedColumns(manyGroup)
    const grouped = manyGroup === null ? '' : GROUPED
    await database.run(
      `CREATE OR REPLACE TEMP VIEW ${name} AS SELECT ${named}${columns} FROM (${rows}) rows${grouped} WHERE ${within(range)}`,
    )
  }
}

/** Each row with the group of its file as its source. */
const GROUPED = ' LEFT JOIN grouped ON rows.source = grouped.source AND rows.file = grouped.file'

function groupedColumns(manyGroup: number): string {
  return `COALESCE(grp, ${manyGroup}) AS source, hash, bytes, rows.file AS file, count`
}

const EMPTY = 'SELECT 0 AS source, 0::BIGINT AS hash, 0::BIGINT AS bytes, 0 AS file, 0 AS count WHERE false'

function rowsOf(path: string, source: number): string {
  return `SELECT ${source} AS source, hash, bytes, file, count FROM ${parquet([path])}`
}

/**
 * A table of Parquet files for a query.
 * @throws AppError `name-unsupported` for a path that is not Unicode
 */
export function parquet(paths: readonly string[]): string {
  return `read_parquet([${paths.map(literalPath).join(', ')}], hive_partitioning = false)`
}

/** A path in SQL, in which nothing stands for other names. */
function literalPath(path: string): string {
  if (!path.isWellFormed())
    throw new AppError(
      'name-unsupported',
      said`cannot use ${pathForDisplay(path)}: DuckDB reads no file whose path is not Unicode`,
      { path },
    )
  return `'${path.replaceAll(/[*?[]/g, '[$&]').replaceAll("'", "''")}'`
}

/** The condition for hashes in a range; the lowest signed number cannot be written in DuckDB. */
function within({ from, to }: HashRange): string {
  const signed = (hash: bigint): bigint => hash - HASHES / 2n
  const bounds = [
    ...(from > 0n ? [`hash >= ${signed(from)}`] : []),
    ...(to < HASHES ? [`hash < ${signed(to)}`] : []),
  ]
  return bounds.length === 0 ? 'true' : bounds.join(' AND ')
}
