import { isContentOf } from '../image/imagePlaces'
import type { FoundLists } from '../lists/foundLists'
import { type FileRow, type IndexRow, readableIndex, type SetIndex, volumesIn } from '../lists/setIndex'

const NO_FACTS = { mode: null, mtimeNs: null, owner: null, attributes: [] } as const

interface Sum {
  readonly sha256: string
  readonly on: FoundLists
}

/**
 * Returns what can be restored where no index matches its checksums: contents by their digests.
 * Rows keep name, size and digest, and no time, permission, owner or link; one that contradicts the
 * checksums of every copy of its volume is left out, and files that only the checksums have are
 * added. Null where there is neither.
 */
export async function unprovedIndex(found: readonly FoundLists[]): Promise<SetIndex | null> {
  const indexes = found
    .flatMap(({ text }) => (text === null ? [] : readableIndex(text)))
    .toSorted((a, b) => b.rows.length - a.rows.length)
  const [longest] = indexes
  const sums = sumsOf(found)
  if (longest === undefined && sums.size === 0) return null
  const rows = new Map<string, IndexRow>()
  for (const { volumes, rows: listed } of indexes) {
    // Of another set, a row may be of another file.
    if (!volumes.some(({ label }) => longest?.volumes.some((volume) => volume.label === label))) continue
    for (const row of listed) {
      if ((row.kind !== 'file' && row.kind !== 'part') || rows.has(row.path)) continue
      const known = sums.get(row.path)
      if (known === undefined || row.sha256 === '' || known.some(({ sha256 }) => sha256 === row.sha256))
        rows.set(row.path, { ...row, ...NO_FACTS })
    }
  }
  for (const [path, known] of sums) {
    const row = rows.has(path) ? null : await summedRow(path, known)
    if (row) rows.set(path, row)
  }
  const all = [...rows.values()]
  return { id: longest?.id ?? '', rows: all, unreadable: [], volumes: volumesIn(all) }
}

/** The digests of paths by the checksums of all volumes: copies of one may have different ones. */
function sumsOf(found: readonly FoundLists[]): Map<string, Sum[]> {
  const sums = new Map<string, Sum[]>()
  for (const on of found)
    for (const [path, sha256] of on.sums ?? []) {
      if (path.startsWith(`${on.own}/`)) continue
      const known = sums.get(path)
      if (known) known.push({ sha256, on })
      else sums.set(path, [{ sha256, on }])
    }
  return sums
}

/** A file that only checksums have, by that one of them which its content on a volume has. */
async function summedRow(path: string, known: readonly Sum[]): Promise<FileRow | null> {
  const digests = [...new Set(known.map(({ sha256 }) => sha256))]
  let first: FileRow | null = null
  for (const { on } of known) {
    const place = await on.files.placeOf(path)
    if (place === null) continue
    for (const sha256 of digests) {
      const row = fileOf(path, place.bytes, sha256, on.files.label ?? '')
      if (digests.length === 1 || (await isContentOf(row, place))) return row
      first ??= row
    }
  }
  return first
}

/** A file of which only name and digest are known. */
function fileOf(path: string, bytes: number, sha256: string, label: string): FileRow {
  const facts = { ...NO_FACTS, volume: 1, label, path, method: null }
  return { kind: 'file', ...facts, bytes, sha256, sector: null, linkOf: null, holes: false, packed: null }
}
