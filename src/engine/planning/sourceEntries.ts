import type { PlanEntry } from '../../contract/dto/plan'
import type { Assignment, InventoryItem } from '../../domain/packing/inventory'
import { nameBytes } from '../../domain/packing/nameBytes'
import type { SurveyEntry } from '../catalog/entry'
import { joinPath } from '../exporters/fileSystem'

/** Everything of a survey that goes on volumes, by the index that the packing knows it by. */
export interface SourceEntries {
  readonly items: readonly InventoryItem[]
  readonly entries: ReadonlyMap<number, SurveyEntry>
  readonly roots: readonly string[]
}

/**
 * A survey's entries as an inventory. The contents of a single root stand at the top of the volumes; of several roots each
 * has a folder there under its own name (numbered where two have the same).
 */
export function sourceEntries(roots: readonly string[], entries: Iterable<SurveyEntry>): SourceEntries {
  const names = rootNames(roots)
  const byId = new Map<number, SurveyEntry>()
  const items: InventoryItem[] = []
  for (const entry of entries) {
    byId.set(entry.id, entry)
    const isSingleFolder = roots.length === 1 && entry.kind === 'folder' && entry.path === ''
    const prefix = roots.length > 1 || (entry.path === '' && !isSingleFolder) ? names[entry.rootIndex] : ''
    items.push({
      index: entry.id,
      path: [prefix, entry.path].filter((part) => part !== '').join('/'),
      kind: entry.kind,
      bytes: entry.bytes,
      ...(entry.linkOf === null ? {} : { linkOf: entry.linkOf }),
      ...(entry.linkTarget === null ? {} : { targetBytes: nameBytes(entry.linkTarget) }),
    })
  }
  return { items: withSizesOfLinks(items, byId), entries: byId, roots }
}

/** A further name of a file weighs as much as the file, wherever the catalog keeps the size. */
function withSizesOfLinks(items: InventoryItem[], byId: ReadonlyMap<number, SurveyEntry>): InventoryItem[] {
  return items.map((item) => {
    const file = item.linkOf === undefined ? undefined : byId.get(item.linkOf)
    return file === undefined ? item : Object.assign(item, { bytes: file.bytes })
  })
}

function rootNames(roots: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return roots.map((root) => {
    const name = root.replace(/\/+$/, '').split('/').pop() || 'root'
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

/** The absolute path of an entry's source. */
export function sourcePath(source: SourceEntries, entry: SurveyEntry): string {
  const root = source.roots[entry.rootIndex] as string
  return entry.path === '' ? root : joinPath(root, entry.path)
}

/** The file that holds an entry's content: itself, or the one whose further name it is. */
export function contentOf(source: SourceEntries, entry: SurveyEntry): SurveyEntry {
  return (entry.linkOf === null ? undefined : source.entries.get(entry.linkOf)) ?? entry
}

/** Digests that entries are written with: of whole files by the entry's id, of parts by `partKey`. */
export interface Digests {
  readonly files: ReadonlyMap<number, string>
  readonly parts: ReadonlyMap<string, string>
}

export function partKey(index: number, offset: number): string {
  return `${index}:${offset}`
}

/** Stands for a digest that is not known yet, where only its length matters. */
export const UNKNOWN_SHA256 = '0'.repeat(64)

/** The lines of one volume. Folders that only stand above others have no source and no line. */
export function planEntries(
  source: SourceEntries,
  paths: ReadonlyMap<number, string>,
  assignments: readonly Assignment[],
  digests: Digests,
): PlanEntry[] {
  return assignments.flatMap((assignment): PlanEntry[] => {
    if (assignment.kind === 'impliedFolder') return []
    const entry = source.entries.get(assignment.index) as SurveyEntry
    const path = paths.get(assignment.index) as string
    const from = sourcePath(source, entry)
    const content = contentOf(source, entry)
    const sha256 = digests.files.get(content.id) ?? UNKNOWN_SHA256
    if (assignment.kind === 'part') {
      const { part, parts, offset, bytes } = assignment
      return [
        {
          kind: 'part',
          path: assignment.path,
          source: from,
          bytes,
          sha256: digests.parts.get(partKey(assignment.index, offset)) ?? UNKNOWN_SHA256,
          offset,
          part,
          parts,
          wholePath: path,
          wholeBytes: content.bytes,
          wholeSha256: sha256,
        },
      ]
    }
    if (path === '') return []
    switch (entry.kind) {
      case 'folder':
        return [{ kind: 'folder', path, source: from }]
      case 'symlink':
        return [{ kind: 'symlink', path, source: from, target: entry.linkTarget ?? '' }]
      default:
        return [{ kind: 'file', path, source: from, bytes: content.bytes, sha256 }]
    }
  })
}
