import type { KeptDocument, KeptFolder, SourceRow } from '../../../../../src/contract/dto/survey'
import { keptShare } from '../../../../../src/contract/tables/surveyTables'
import { formatShare } from '../../../../../src/primitives/quantity'
import { t } from '../../../copy'

export type FolderRows = ReadonlyMap<string, KeptFolder>

/** The folders of a document by their paths; null where nothing is on a verified volume. */
export function folderRows(document: KeptDocument | null): FolderRows | null {
  if (document === null || storedSum(document).files === 0) return null
  return new Map(document.folders.map((row) => [row.path, row]))
}

/** Files and bytes that are on verified volumes. */
export function storedSum({ totals: { byDigest, byTime } }: KeptDocument): { files: number; bytes: number } {
  return { files: byDigest.files + byTime.files, bytes: byDigest.bytes + byTime.bytes }
}

/**
 * The row that shows how much of a folder or file is on verified volumes: its own, or that of the
 * nearest folder above, of which everything or nothing is; null where no row shows it.
 */
function rowFor(rows: FolderRows, path: string): KeptFolder | null {
  const own = rows.get(path)
  if (own) return own
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const above = rows.get(path.slice(0, end))
    if (above) return above.whole || above.keptFiles === 0 ? above : null
  }
  return null
}

/**
 * How much of a folder or file of the tree that is shown is on verified volumes. The tree may have
 * files that the survey has not seen: then what the survey found is at most that share of it, and
 * nothing is said where the tree has fewer files, or where a folder above may hold the new ones.
 * @param shownAt the row of the tree that is shown, by its path
 */
export function sayShown(
  rows: FolderRows,
  shownAt: (path: string) => Pick<SourceRow, 'files' | 'bytes'> | null,
  path: string,
): string {
  const row = rowFor(rows, path)
  const shown = row && shownAt(row.path)
  if (!row || !shown) return ''
  const byTime = (share: string) => (row.byTimeOnlyFiles > 0 ? t('stored.tree.byTime', { share }) : share)
  if (shown.files === row.files && shown.bytes === row.bytes) return byTime(sayShare(row))
  const isMore = shown.files >= row.files && shown.bytes >= row.bytes
  if (!isMore || row.path !== path || row.keptFiles === 0) return ''
  const part = shown.bytes > row.bytes ? row.keptBytes / shown.bytes : row.keptFiles / shown.files
  return byTime(t('stored.atMost', { share: formatShare(part) }))
}

/** `all`, `none` or the share of a folder's bytes that is on verified volumes. */
export function sayShare(row: KeptFolder): string {
  if (row.whole) return t('stored.all')
  return row.keptFiles === 0 ? t('stored.nothing') : formatShare(keptShare(row))
}
