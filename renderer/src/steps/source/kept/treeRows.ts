import type { SourceFolder, SourceRow } from '../../../../../src/contract/dto/survey'
import type { Folders } from '../../../state/source/keptState'

/** A line of the tree: a folder or file, or the files of a folder without a line of their own. */
export type TreeRow = {
  readonly key: string
  /** From 1. */
  readonly level: number
} & (
  | { readonly kind: 'entry'; readonly row: SourceRow; readonly isOpen: boolean | undefined }
  | { readonly kind: 'others'; readonly others: SourceFolder['others'] }
  | { readonly kind: 'loading' }
)

/**
 * The lines of the open folders, in the order in which they are shown.
 * @param open paths of the folders that are open
 * @param files paths of sources that are files, and cannot be opened
 */
export function treeRows(folders: Folders, open: ReadonlySet<string>, files: ReadonlySet<string>): TreeRow[] {
  const lines: TreeRow[] = []
  const add = (path: string | null, level: number): void => {
    const folder = folders.get(path)
    if (!folder) {
      lines.push({ kind: 'loading', key: `${path ?? ''}\0loading`, level })
      return
    }
    for (const row of folder.rows) {
      const opens =
        row.isFolder && row.rule === null && row.files + row.excludedFiles > 0 && !files.has(row.path)
      const isOpen = opens ? open.has(row.path) : undefined
      lines.push({ kind: 'entry', key: row.path, level, row, isOpen })
      if (isOpen) add(row.path, level + 1)
    }
    const { others } = folder
    if (others.files + others.excludedFiles > 0)
      lines.push({ kind: 'others', key: `${path ?? ''}\0others`, level, others })
  }
  add(null, 1)
  return lines
}

/** The place of the line that a line is in; -1 for one at the top. */
export function parentOf(rows: readonly Pick<TreeRow, 'level'>[], index: number): number {
  const level = rows[index]?.level ?? 1
  for (let at = index - 1; at >= 0; at--) if ((rows[at]?.level ?? 1) < level) return at
  return -1
}
