import { joinPath } from '../files/fileSystem'
import type { CheckedFingerprints } from '../fingerprints/checkFingerprints'
import { partName } from '../fingerprints/fingerprintTables'
import type { Database } from './duckdb'
import { parquet } from './prints'

/**
 * The folder in which all files of each source are, in the order of the sources; null where paths
 * were left out, or there are none.
 */
export async function sourceNames(
  database: Database,
  checked: readonly CheckedFingerprints[],
): Promise<(string | null)[]> {
  const names: (string | null)[] = []
  for (const { folder } of checked) {
    let name: string | null = null
    const files = parquet([joinPath(folder, partName('files'))])
    const ends = `SELECT MIN(path) AS first, MAX(path) AS last FROM ${files} HAVING COUNT(*) > 0`
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
  return (differs < 0 ? folders : folders.slice(0, differs)).join('/') || '/'
}
