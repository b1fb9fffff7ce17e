import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { isRepository } from '../unpack/unpack'
import type { FileRow, IndexRow, PartRow } from '../volume/lists/setIndex'

/**
 * A container of packed files, as the index of the set lists it: one file, the parts of one, or the
 * files of a repository.
 */
export interface SetContainer {
  readonly path: string
  /** The permanent name of the recipe that made it. */
  readonly method: string
  readonly kind: 'file' | 'parts' | 'repository'
  /** In the order of the index; parts in theirs. */
  readonly rows: readonly (FileRow | PartRow)[]
}

/**
 * The containers of a set.
 * @param paths of those that are wanted; one that the index does not have is left out
 */
export function containersOf(
  rows: readonly IndexRow[],
  paths: ReadonlySet<string>,
): Map<string, SetContainer> {
  const found = new Map<string, { kind: SetContainer['kind']; method: string; rows: (FileRow | PartRow)[] }>()
  for (const row of rows) {
    if (row.method === null || (row.kind !== 'file' && row.kind !== 'part')) continue
    const path = containerOf(row, row.method, paths)
    if (path === null) continue
    const known = found.get(path)
    if (known) known.rows.push(row)
    else {
      const kind = isRepository(row.method) ? 'repository' : row.kind === 'part' ? 'parts' : 'file'
      found.set(path, { kind, method: row.method, rows: [row] })
    }
  }
  for (const { kind, rows: own } of found.values())
    if (kind === 'parts') own.sort((a, b) => offsetOf(a) - offsetOf(b))
  return new Map([...found].map(([path, container]) => [path, { path, ...container }]))
}

function containerOf(row: FileRow | PartRow, method: string, paths: ReadonlySet<string>): string | null {
  if (!isRepository(method)) {
    const path = row.kind === 'part' ? row.whole : row.path
    return paths.has(path) ? path : null
  }
  for (let end = row.path.indexOf('/'); end > 0; end = row.path.indexOf('/', end + 1)) {
    const above = row.path.slice(0, end)
    if (paths.has(above)) return above
  }
  return null
}

function offsetOf(row: FileRow | PartRow): number {
  return row.kind === 'part' ? row.offset : 0
}

/** Says that a file cannot be restored from its container. */
export function notIn(path: string, container: string, because: string): AppError {
  const message = said`cannot restore ${pathForDisplay(path)} from ${pathForDisplay(container)}: ${because}`
  return new AppError('verification-failed', message, { path })
}
