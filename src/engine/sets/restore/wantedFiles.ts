import type { RestoreRequest } from '../../../contract/dto/restore'
import { folderOf, isChosen, marksOf, type RestoreChoice } from '../../../domain/sets/restoreChoice'
import { AppError } from '../../../primitives/appError'
import { comparablePath, pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { namePattern } from '../../catalog/namePattern'
import {
  type FileRow,
  type FolderRow,
  type IndexRow,
  type PartRow,
  partsByWhole,
  type SetIndex,
  type SymlinkRow,
} from '../volume/lists/setIndex'

/** A file to be restored: one that is whole on its volume, or one whose parts are on several. */
export type WantedFile =
  | { readonly path: string; readonly bytes: number; readonly whole: FileRow }
  | { readonly path: string; readonly bytes: number; readonly parts: readonly PartRow[] }

/** The entries of a set that a person wants. */
export interface Wanted {
  readonly files: readonly WantedFile[]
  /** Those above wanted things too, as far as the index lists them. */
  readonly folders: readonly FolderRow[]
  readonly symlinks: readonly SymlinkRow[]
}

/**
 * The entries of a set that are chosen by their exact paths, or that patterns and listed paths
 * name; all if there is neither. A pattern without `*` and `?` names a file, or a folder with all
 * that is in it; one with them names files as `find` does. Split files count once.
 * @param missing takes patterns and listed paths that fit nothing, which are no failure then
 * @throws AppError `refused` where nothing fits, naming the pattern or the path
 */
export function wantedOf(
  index: SetIndex,
  { files: patterns, listed = [], chosen: choice }: Pick<RestoreRequest, 'files' | 'listed' | 'chosen'>,
  missing?: Set<string>,
): Wanted {
  const rows = index.rows.filter(({ method }) => method === null)
  const isAll = patterns.length === 0 && listed.length === 0
  const chosen = choice
    ? exactRows(rows, choice)
    : isAll
      ? rows
      : [...new Set([...chosenRows(rows, patterns, missing), ...listedRows(rows, listed, missing)])]
  const files: WantedFile[] = []
  const folders = new Map<string, FolderRow>()
  const symlinks = new Map<string, SymlinkRow>()
  for (const row of chosen) {
    if (row.kind === 'file') files.push({ path: row.path, bytes: row.bytes, whole: row })
    else if (row.kind === 'folder') folders.set(row.path, row)
    else if (row.kind === 'symlink') symlinks.set(row.path, row)
  }
  for (const [path, parts] of partsByWhole(chosen)) {
    files.push({ path, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), parts })
  }
  return { files, folders: withParents(index, chosen, folders), symlinks: [...symlinks.values()] }
}

function exactRows(rows: readonly IndexRow[], choice: RestoreChoice): IndexRow[] {
  const marks = marksOf(choice)
  const chosen = rows.filter((row) => isChosen(marks, pathOf(row)))
  if (chosen.length === 0) throw new AppError('refused', said`nothing that was chosen is in this set`)
  return chosen
}

/** The path in the source: of a part that of the whole. */
function pathOf(row: IndexRow): string {
  return row.kind === 'part' ? row.whole : row.path
}

/** The rows that patterns name; each pattern must name one. */
function chosenRows(
  rows: readonly IndexRow[],
  patterns: readonly string[],
  missing: Set<string> | undefined,
): IndexRow[] {
  const isGlob = (pattern: string): boolean => /[*?]/.test(pattern)
  const globs = [...new Set(patterns.filter(isGlob))]
  const found = [
    rowsAt(rows, new Set(patterns.filter((pattern) => !isGlob(pattern)))),
    ...globs.map((glob) => rowsLike(rows, glob)),
  ]
  const absent = new Set(found.flatMap((each) => each.absent))
  for (const pattern of patterns) {
    if (!absent.has(pattern)) continue
    if (!missing)
      throw new AppError('refused', said`nothing in this set matches "${pathForDisplay(pattern)}"`)
    missing.add(pattern)
  }
  return found.flatMap((each) => each.rows)
}

/** The rows at these paths and below; each path must be there. */
function listedRows(
  rows: readonly IndexRow[],
  listed: readonly string[],
  missing: Set<string> | undefined,
): IndexRow[] {
  const { rows: chosen, absent } = rowsAt(rows, new Set(listed))
  if (missing) for (const path of absent) missing.add(path)
  else if (absent.length > 0) throw notListed(absent)
  return chosen
}

/** Rows, and those of the things asked for that fit none. */
interface FoundRows {
  readonly rows: IndexRow[]
  readonly absent: readonly string[]
}

/** The rows at these paths, and in folders that are among them: one pass, however many paths. */
function rowsAt(rows: readonly IndexRow[], paths: ReadonlySet<string>): FoundRows {
  if (paths.size === 0) return { rows: [], absent: [] }
  const met = new Map([...paths].map((path) => [trimmed(path), false]))
  const found = rows.filter((row) => {
    let isNamed = false
    for (let at = comparablePath(pathOf(row)); at !== ''; at = folderOf(at)) {
      if (!met.has(at)) continue
      met.set(at, true)
      isNamed = true
    }
    return isNamed
  })
  return { rows: found, absent: [...paths].filter((path) => !met.get(trimmed(path))) }
}

function rowsLike(rows: readonly IndexRow[], glob: string): FoundRows {
  const { matches } = namePattern(glob)
  const found = rows.filter((row) => matches(pathOf(row)))
  return { rows: found, absent: found.length === 0 ? [glob] : [] }
}

/** The failure of listed paths that are in no set. */
export function notListed([first = '', ...more]: readonly string[]): AppError {
  const name = pathForDisplay(first)
  return new AppError(
    'refused',
    more.length === 0
      ? said`"${name}" is not in this set`
      : said`"${name}" and ${more.length} more are not in this set`,
  )
}

function trimmed(path: string): string {
  return comparablePath(path.replace(/^(\.?\/)+/, '').replace(/\/+$/, ''))
}

/**
 * The folders chosen, and those above anything chosen, each once, in the order of the index: those
 * above before those in them.
 */
function withParents(
  { rows }: SetIndex,
  chosen: readonly IndexRow[],
  folders: Map<string, FolderRow>,
): FolderRow[] {
  const above = new Set<string>(folders.keys())
  for (const row of chosen) {
    const path = pathOf(row)
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const parent = path.slice(0, slash)
      if (above.has(parent)) break
      above.add(parent)
    }
  }
  for (const row of rows) if (row.kind === 'folder' && above.has(row.path)) folders.set(row.path, row)
  return [...folders.values()].toSorted((a, b) => a.path.split('/').length - b.path.split('/').length)
}
