import type { PlanEntry } from '../planDocument'
import type { InventoryItem } from './inventory'

/**
 * For each file of a volume whose content an earlier one has too: the path of that one. Empty files
 * and parts are left out.
 * @param entries of one volume, with their digests
 */
export function equalFiles(entries: readonly PlanEntry[]): Map<string, string> {
  const first = new Map<string, string>()
  const equal = new Map<string, string>()
  for (const entry of entries) {
    if (entry.kind !== 'file' || entry.bytes === 0) continue
    const content = `${entry.bytes}:${entry.sha256}`
    const known = first.get(content)
    if (known === undefined) first.set(content, entry.path)
    else equal.set(entry.path, known)
  }
  return equal
}

/**
 * An inventory in which files with the content of an earlier one are further names of it: packing
 * puts them on its volume, where they take no more room.
 * @param digests of the files, by their numbers
 * @param mostBytes of a file; larger ones may be split, and stay as they are
 * @param groupOf the files that a path may share a volume with, by any name for them
 */
export function withEqualFiles(
  items: readonly InventoryItem[],
  digests: ReadonlyMap<number, string>,
  mostBytes: number,
  groupOf: (path: string) => string = () => '',
): InventoryItem[] {
  const first = new Map<string, number>()
  const equal = new Map<number, number>()
  for (const { index, path, kind, bytes } of items) {
    const digest = digests.get(index)
    if (kind !== 'file' || bytes === 0 || bytes > mostBytes || digest === undefined) continue
    const content = `${bytes}:${digest}:${groupOf(path)}`
    const known = first.get(content)
    if (known === undefined) first.set(content, index)
    else equal.set(index, known)
  }
  return items.map((item) => {
    const linkOf = equal.get(item.kind === 'hardLink' ? (item.linkOf ?? -1) : item.index)
    return linkOf === undefined ? item : { ...item, kind: 'hardLink', linkOf }
  })
}
