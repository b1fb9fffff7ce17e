import type { FleetBy, FleetCounts } from '../../domain/fleet/fleetCounts'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { formatSize } from '../../primitives/quantity'
import { said } from '../../primitives/said'
import { joinPath } from '../files/fileSystem'
import type { CheckedFingerprints } from '../fingerprints/checkFingerprints'
import { partName } from '../fingerprints/fingerprintTables'
import { type Bounds, type Database, tableBytes } from './duckdb'
import { parquet } from './prints'

/** The files of a source, for a query. */
export function filesOf({ folder }: CheckedFingerprints): string {
  return parquet([joinPath(folder, partName('files'))])
}

/** The files of a source with the parts of their paths. */
export function partedFiles(one: CheckedFingerprints): string {
  return `(SELECT file, path, size, sha256, string_split(path, '/') AS parts FROM ${filesOf(one)})`
}

/** In how many parts the path of a folder is. */
export function depthOf(folder: string | null): number {
  return folder === null ? 0 : folder.split('/').length
}

/**
 * The folder in which all files of each source are, in the order of the sources; null where paths
 * were left out, or there are none.
 */
export async function sourceNames(
  database: Database,
  checked: readonly CheckedFingerprints[],
): Promise<(string | null)[]> {
  const names: (string | null)[] = []
  for (const one of checked) {
    let name: string | null = null
    const ends = `SELECT MIN(path) AS first, MAX(path) AS last FROM ${filesOf(one)} HAVING COUNT(*) > 0`
    for await (const { first, last } of database.rows(ends, { first: 'text', last: 'text' }))
      name = first === '' ? null : commonFolder(first, last)
    names.push(name)
  }
  return names
}

/** The folder that all names between two have in common, in the order of characters. */
function commonFolder(first: string, last: string): string {
  const one = first.split('/')
  const other = last.split('/')
  const folders = one.slice(0, -1)
  const differs = folders.findIndex((part, at) => at === other.length - 1 || part !== other[at])
  return (differs < 0 ? folders : folders.slice(0, differs)).join('/')
}

/** @throws AppError `bad-input` for fingerprints without paths, where `what` needs them */
export function requirePaths(checked: readonly CheckedFingerprints[], what: string): void {
  const without = checked.find(({ note }) => !note.paths && note.totals.files > 0)
  if (without)
    throw new AppError(
      'bad-input',
      said`cannot use ${pathForDisplay(without.folder)}: ${what} needs paths, which were left out`,
      { path: without.folder },
    )
}

/** Groups apart from the smaller ones, which are one together. */
const MOST_GROUPS = 200
/** Memory of a file while its group is looked up. */
const GROUPED_FILE_BYTES = 40

/**
 * Divides the files of all sources by type or folder: defines the table `grouped` (source, file,
 * grp), and gives the groups, the largest first. The last one is of the contents that no file is
 * named for.
 * @param names as `sourceNames`
 * @throws AppError `bad-input` for fingerprints without paths, `cannot-fit` for too many files
 */
export async function defineGroups(
  database: Database,
  checked: readonly CheckedFingerprints[],
  names: readonly (string | null)[],
  by: Exclude<FleetBy, 'source'>,
  bounds: Bounds,
): Promise<FleetCounts['groups']> {
  requirePaths(checked, `--by ${by}`)
  const files = checked.reduce((sum, { note }) => sum + note.totals.files, 0)
  if (files * GROUPED_FILE_BYTES > tableBytes(bounds) / 2)
    throw new AppError(
      'cannot-fit',
      said`dividing ${files} files by ${by} needs ${formatSize(2.5 * files * GROUPED_FILE_BYTES)} of memory for the comparison`,
    )
  const named = checked.map(
    (one, at) =>
      `SELECT ${at} AS source, file, size, ${groupNameIn(by, names[at] ?? null)} AS name FROM ${partedFiles(one)}`,
  )
  await database.run(
    `CREATE OR REPLACE TEMP TABLE names AS
      SELECT name, CAST(COUNT(*) AS BIGINT) AS files, CAST(SUM(size) AS DECIMAL(38, 0)) AS bytes,
        CAST(LEAST(${MOST_GROUPS - 1}, row_number() OVER (ORDER BY SUM(size) DESC, name) - 1) AS INT) AS grp
      FROM (${named.join(' UNION ALL ')}) GROUP BY name`,
  )
  await database.run('CREATE OR REPLACE TEMP TABLE grouped (source INT, file INT, grp INT)')
  for (const one of named)
    await database.run(
      `INSERT INTO grouped SELECT source, file, grp FROM (${one}) named JOIN names ON named.name = names.name`,
    )
  const groups: FleetCounts['groups'] = []
  const rows = `SELECT grp, CASE WHEN COUNT(*) = 1 THEN MIN(name) ELSE '' END AS name,
    CAST(SUM(files) AS BIGINT) AS files, CAST(SUM(bytes) AS DECIMAL(38, 0)) AS bytes
    FROM names GROUP BY grp ORDER BY grp`
  const shape = { name: 'text', files: 'number', bytes: 'number' } as const
  for await (const { name, ...sums } of database.rows(rows, shape))
    groups.push({
      name: groups.length === MOST_GROUPS - 1 && name === '' ? SMALLER : name || NO_TYPE,
      ...sums,
    })
  await database.run('DROP TABLE names')
  return [...groups, { name: MANY, files: 0, bytes: 0 }]
}

/** The name of files without an ending. */
export const NO_TYPE = '(no type)'
const SMALLER = '(all smaller ones)'
const MANY = '(in more than 8 files)'

/** The name of a file's group, for a query of `partedFiles`. */
export function groupNameIn(by: Exclude<FleetBy, 'source'>, source: string | null): string {
  return by === 'type' ? TYPE : folderIn(source)
}

/** The ending of a file's name. */
const TYPE = `lower(regexp_extract(path, '[^/]\\.([A-Za-z0-9_-]{1,12})$', 1))`

/** The folder of a file directly below that of its source; for files directly in that, it. */
function folderIn(source: string | null): string {
  const depth = depthOf(source)
  return `array_to_string(parts[1:LEAST(${depth + 1}, len(parts) - 1)], '/')`
}
