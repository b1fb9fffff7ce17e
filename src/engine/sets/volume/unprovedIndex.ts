import type { FoundLists } from './foundLists'
import { type FileRow, type IndexRow, indexId, readableIndex, type SetIndex, volumesIn } from './setIndex'

const NO_FACTS = { mode: null, mtimeNs: null, owner: null, attributes: [] } as const

/**
 * Returns what can be restored where no index matches its checksums: contents by their digests.
 * Rows keep name, size and digest, and no time, permission, owner or link; one that contradicts the
 * checksums of its volume is left out, and files that only the checksums have are added. Null where
 * there is neither.
 */
export async function unprovedIndex(found: readonly FoundLists[]): Promise<SetIndex | null> {
  const [longest] = found
    .flatMap(({ text }) => (text === null ? [] : [{ text, rows: readableIndex(text).rows }]))
    .toSorted((a, b) => b.rows.length - a.rows.length)
  const sums = new Map<string, { readonly sha256: string; readonly on: FoundLists }>()
  for (const on of found)
    for (const [path, sha256] of on.sums ?? [])
      if (!path.startsWith(`${on.own}/`)) sums.set(path, { sha256, on })
  if (longest === undefined && sums.size === 0) return null
  const rows: IndexRow[] = []
  for (const row of longest?.rows ?? []) {
    if (row.kind !== 'file' && row.kind !== 'part') continue
    const known = sums.get(row.path)
    sums.delete(row.path)
    if (known === undefined || row.sha256 === '' || known.sha256 === row.sha256)
      rows.push({ ...row, ...NO_FACTS })
  }
  for (const [path, { sha256, on }] of sums) {
    const place = await on.files.placeOf(path)
    if (place) rows.push(fileOf(path, place.bytes, sha256, on.files.label ?? ''))
  }
  return { id: longest ? indexId(longest.text) : '', rows, unreadable: [], volumes: volumesIn(rows) }
}

/** A file of which only name and digest are known. */
function fileOf(path: string, bytes: number, sha256: string, label: string): FileRow {
  const facts = { ...NO_FACTS, volume: 1, label, path, method: null }
  return { kind: 'file', ...facts, bytes, sha256, sector: null, linkOf: null, holes: false, packed: null }
}
