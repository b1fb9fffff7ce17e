import type { PlanEntry } from '../../../contract/dto/plan'
import type { ContentPlace } from '../../files/read'
import { PENDING_SHA256 } from '../volume/lists/indexTsv'
import type { IndexRow } from '../volume/lists/setIndex'

/**
 * The entries that lie on a volume, by the rows of its index.
 * @param contents where the content of each file is, which also says how long one is that the index
 *   does not know
 * @param created when files and folders were made, by path, where that is known
 */
export function rowEntries(
  rows: readonly IndexRow[],
  contents: ReadonlyMap<string, ContentPlace>,
  created: ReadonlyMap<string, string>,
): PlanEntry[] {
  // Folders and links of a packed source are in its containers, which alone have a method.
  const isPacked = rows.some(({ method }) => method !== null)
  return rows.flatMap((row): PlanEntry[] => {
    const { path } = row
    if (isPacked && row.method === null) return []
    const createdNs = created.get(path)
    const facts = {
      path,
      source: path,
      ...(row.mtimeNs !== null && { mtimeNs: String(row.mtimeNs) }),
      ...(row.mode !== null && { mode: row.mode }),
      ...(createdNs !== undefined && { createdNs }),
    }
    if (row.kind === 'folder') return [{ kind: 'folder', ...facts }]
    if (row.kind === 'symlink') {
      const { mode: _, ...rest } = { mode: 0, ...facts }
      return row.target === null ? [] : [{ kind: 'symlink', ...rest, target: row.target }]
    }
    if (row.kind === 'file') {
      const hasDigest = row.sha256 !== PENDING_SHA256
      const bytes = hasDigest ? row.bytes : (contents.get(path)?.bytes ?? 0)
      return [
        {
          kind: 'file',
          ...facts,
          bytes,
          sha256: row.sha256,
          ...(row.linkOf !== null && { linkOf: row.linkOf }),
        },
      ]
    }
    const { bytes, sha256, offset, whole, wholeSha256 } = row
    // Which part it is, and of how many, does not show in an image.
    const parts = { part: 1, parts: 2, wholePath: whole, wholeBytes: offset + bytes, wholeSha256 }
    return [{ kind: 'part', ...facts, bytes, sha256, offset, ...parts }]
  })
}
