import { nameBytes } from '../../domain/sets/naming/nameBytes'
import { type SourceRoot, volumePaths } from '../../domain/sets/naming/volumePaths'
import type { Ownership } from '../../domain/sets/ownership'
import type { InventoryItem } from '../../domain/sets/packing/inventory'
import type { SurveyEntry } from '../catalog/entry'
import { joinPath } from '../files/fileSystem'

/** Everything of a survey that goes on volumes, by the index that the packing knows it by. */
export interface SourceEntries {
  readonly items: readonly InventoryItem[]
  readonly entries: ReadonlyMap<number, SurveyEntry>
  readonly roots: readonly string[]
  /** By the entry's id, where they were looked at. */
  readonly ownership?: ReadonlyMap<number, Ownership>
  /** Creation times in nanoseconds since 1970 by the entry's id, where they were looked at. */
  readonly created?: ReadonlyMap<number, bigint>
  /** Times after 2262 by the entry's id, where they were looked for. */
  readonly laterTimes?: ReadonlyMap<number, bigint>
}

/** A survey's entries as an inventory, each with its path on the volumes. */
export function sourceEntries(roots: readonly string[], entries: Iterable<SurveyEntry>): SourceEntries {
  const byId = new Map<number, SurveyEntry>()
  const rootKinds = new Map<number, SourceRoot['kind']>()
  for (const entry of entries) {
    byId.set(entry.id, entry)
    if (entry.path === '') rootKinds.set(entry.rootIndex, entry.kind === 'hardLink' ? 'file' : entry.kind)
  }
  const paths = volumePaths(roots.map((path, at) => ({ path, kind: rootKinds.get(at) ?? 'folder' })))
  const items = [...byId.values()].map(
    (entry): InventoryItem => ({
      index: entry.id,
      path: paths.pathOnVolume(entry.rootIndex, entry.path),
      kind: entry.kind,
      // A further name of a file weighs as much as the file, wherever the catalog keeps the size.
      bytes: (entry.linkOf === null ? undefined : byId.get(entry.linkOf)?.bytes) ?? entry.bytes,
      linkOf: entry.linkOf ?? undefined,
      targetBytes: entry.linkTarget === null ? undefined : nameBytes(entry.linkTarget),
    }),
  )
  return { items, entries: byId, roots }
}

/** The first name of each path: what is at the top of the volumes. */
export function topNames(entries: Iterable<{ readonly path: string }>): Set<string> {
  const names = new Set<string>()
  for (const { path } of entries) names.add(path.split('/', 1)[0] as string)
  return names
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

/** When an entry was last written to, in milliseconds since 1970; names of a file share it. */
export function modifiedMs(source: SourceEntries, index: number): number {
  const entry = source.entries.get(index)
  if (!entry) return 0
  const content = contentOf(source, entry)
  return Number((source.laterTimes?.get(content.id) ?? content.mtimeNs) / 1_000_000n)
}
