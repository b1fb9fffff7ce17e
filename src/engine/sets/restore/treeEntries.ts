import { type IndexRow, partsByWhole, type SetIndex } from '../volume/lists/setIndex'
import type { ContentSources, RowSource } from './contentSources'
import { containersOf } from './setContainers'
import type { TreeEntry } from './setTree'

const NOWHERE: RowSource = { place: 0, container: 0 }

/** The entries of the source in the index of a set: a split file once, and no container. */
export function* treeEntries(rows: SetIndex['rows'], sources: ContentSources): Generator<TreeEntry> {
  const source = sourceOf(rows, sources)
  for (const [path, parts] of partsByWhole(rows.filter(({ method }) => method === null))) {
    const [first] = parts
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0)
    if (first) yield { path, kind: 'file', bytes, source: source(first) }
  }
  for (const row of rows) {
    if (row.method !== null || row.kind === 'part') continue
    const bytes = row.kind === 'file' ? row.bytes : 0
    yield { path: row.path, kind: row.kind, bytes, source: source(row) }
  }
}

/**
 * A function that gives, for a row of the index, the place of all volumes that are needed for the
 * whole file: those of its parts, or of its container.
 */
function sourceOf(rows: SetIndex['rows'], sources: ContentSources): (row: IndexRow) => RowSource {
  const parts = partsByWhole(rows)
  const packed = new Set(rows.flatMap((row) => (row.kind === 'file' && row.packed ? row.packed.in : [])))
  const containers = containersOf(rows, packed)
  const known = new Map<string, RowSource>()
  let met = 0
  const remembered = (
    path: string,
    of: readonly Pick<IndexRow, 'volume'>[],
    isContainer: boolean,
  ): RowSource => {
    const found = known.get(path)
    if (found) return found
    const place = sources.placeOf(of.map(({ volume }) => volume))
    const source = { place, container: isContainer ? (met += 1) : 0 }
    known.set(path, source)
    return source
  }
  return (row) => {
    const own = [row]
    if (row.kind === 'part') return remembered(row.whole, parts.get(row.whole) ?? own, false)
    if (row.kind !== 'file') return NOWHERE
    if (row.packed) return remembered(row.packed.in, containers.get(row.packed.in)?.rows ?? own, true)
    const split = row.linkOf === null ? undefined : parts.get(row.linkOf)
    return split
      ? remembered(row.linkOf ?? '', split, false)
      : { place: sources.placeOf([row.volume]), container: 0 }
  }
}
