import type { OpenedSet, SetRow } from '../../../../src/contract/dto/openedSet'

/** Lines of the tree that are seen at once. */
export const VISIBLE_ROWS = 12
/** Rows of one folder that are asked for at a time. */
export const PAGE_ROWS = 1000

/** The rows of a folder as far as they are there: holes for those that are not. */
export interface SetFolder {
  readonly total: number
  readonly rows: readonly SetRow[]
}

/** A line of the tree. */
export interface SetLine {
  readonly row: SetRow
  /** From 1. */
  readonly level: number
  /** Undefined for what does not open. */
  readonly isOpen: boolean | undefined
}

/** Lines whose rows are not there yet. */
export interface SetGap {
  /** The place of the first one among the lines. */
  readonly at: number
  readonly count: number
  readonly folder: string
  /** Its place among the rows of the folder. */
  readonly offset: number
}

/**
 * The lines of the open folders, below one for the whole set, in the order in which they are shown:
 * holes where rows are not there yet.
 */
export function setLines(
  set: OpenedSet,
  folders: ReadonlyMap<string, SetFolder>,
  open: ReadonlySet<string>,
): { readonly lines: readonly SetLine[]; readonly gaps: readonly SetGap[] } {
  const top = wholeSet(set, folders.get('')?.total ?? 0)
  const lines: SetLine[] = [{ row: top, level: 1, isOpen: undefined }]
  const gaps: SetGap[] = []
  const add = (folder: SetRow, level: number): void => {
    const known = folders.get(folder.path)
    const total = known?.total ?? folder.entries
    for (let index = 0; index < total; index++) {
      const row = known?.rows[index]
      if (row === undefined) {
        const last = gaps.at(-1)
        if (last && last.folder === folder.path && last.at + last.count === lines.length)
          gaps[gaps.length - 1] = { ...last, count: last.count + 1 }
        else gaps.push({ at: lines.length, count: 1, folder: folder.path, offset: index })
        lines.length += 1
        continue
      }
      const isOpen = row.entries > 0 ? open.has(row.path) : undefined
      lines.push({ row, level, isOpen })
      if (isOpen) add(row, level + 1)
    }
  }
  add(top, 2)
  return { lines, gaps }
}

/** The top folders, if all that is in them is seen at once below the line of the set; else none. */
export function unfoldedAtFirst(top: readonly SetRow[]): ReadonlySet<string> {
  const lines = top.reduce((sum, row) => sum + 1 + row.entries, 1)
  return new Set(lines <= VISIBLE_ROWS ? top.flatMap(({ path, entries }) => (entries > 0 ? [path] : [])) : [])
}

/** The set itself, as the folder of everything in it. */
function wholeSet({ files, bytes, volumes }: OpenedSet, entries: number): SetRow {
  return {
    path: '',
    kind: 'folder',
    entries,
    files,
    bytes,
    volumes: volumes.map(({ index }) => index),
    volumeCount: volumes.length,
  }
}

/** The pages with rows for these lines, by folder and offset. */
export function pagesFor(
  gaps: readonly SetGap[],
  from: number,
  to: number,
): { readonly folder: string; readonly offset: number }[] {
  return gaps.flatMap(({ at, count, folder, offset }) => {
    const first = Math.max(from, at)
    const last = Math.min(to, at + count) - 1
    if (last < first) return []
    const pageOf = (line: number): number => Math.floor((offset + line - at) / PAGE_ROWS)
    const pages = Array.from({ length: pageOf(last) - pageOf(first) + 1 }, (_, each) => pageOf(first) + each)
    return pages.map((page) => ({ folder, offset: page * PAGE_ROWS }))
  })
}
