import type { PlanEntry } from './planDocument'

/**
 * The entries of one volume that lie on it. The further names of a split file do not: no volume has
 * the file as a whole, so that they are in the index alone, on the volume of its last part.
 */
export function storedEntries(entries: readonly PlanEntry[]): readonly PlanEntry[] {
  const split = splitPaths(entries)
  return split.size === 0 ? entries : entries.filter((entry) => !isNameOf(entry, split))
}

function splitPaths(entries: readonly PlanEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => (entry.kind === 'part' ? entry.wholePath : [])))
}

function isNameOf(entry: PlanEntry, split: ReadonlySet<string>): boolean {
  return entry.kind === 'file' && entry.linkOf !== undefined && split.has(entry.linkOf)
}
