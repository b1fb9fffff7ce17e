import type { PlanEntry, VolumeShare } from '../planDocument'
import type { InventoryItem, PackedVolume } from './inventory'

/** Top folders with a share of their own. */
export const MOST_SHARES = 12

/** The deepest folder that holds all files of an inventory; empty for the root of the volumes. */
export function branchingFolder(items: Iterable<Pick<PlanEntry | InventoryItem, 'path' | 'kind'>>): string {
  let common: string | null = null
  for (const { path, kind } of items) {
    if (kind === 'folder' || kind === 'symlink') continue
    const folder = parentOf(path)
    if (common === null) common = folder
    while (common !== '' && folder !== common && !folder.startsWith(`${common}/`)) common = parentOf(common)
    if (common === '') break
  }
  return common ?? ''
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/**
 * The shares of a volume for its gauge: the twelve largest folders in `branching` (files there
 * count by their own name), then one for the rest with an empty path if there is more. Shares add
 * up to the volume's files and bytes.
 * @param itemOf the entry of an index of the packed inventory
 * @param branching the folder that holds all of the plan's files: those above it divide nothing
 */
export function volumeShares(
  volume: PackedVolume,
  itemOf: (index: number) => InventoryItem,
  branching: string,
): VolumeShare[] {
  const from = branching === '' ? 0 : branching.length + 1
  const shares = new Map<string, { bytes: number; files: number }>()
  const counted = new Set<number>()
  for (const one of volume.assignments) {
    if (one.kind === 'impliedFolder' || one.kind === 'name') continue
    const item = itemOf(one.index)
    if (item.kind === 'folder' || item.kind === 'symlink') continue
    const content = item.linkOf ?? item.index
    let bytes = one.kind === 'part' ? one.bytes : item.bytes
    if (one.kind === 'whole') {
      if (counted.has(content)) bytes = 0
      counted.add(content)
    }
    const slash = item.path.indexOf('/', from)
    const top = slash < 0 ? item.path : item.path.slice(0, slash)
    const share = shares.get(top)
    if (share) {
      share.bytes += bytes
      share.files += 1
    } else shares.set(top, { bytes, files: 1 })
  }
  const sorted = [...shares]
    .map(([path, share]): VolumeShare => ({ path, bytes: share.bytes, files: share.files }))
    .toSorted((a, b) => b.bytes - a.bytes || b.files - a.files || (a.path < b.path ? -1 : 1))
  if (sorted.length <= MOST_SHARES) return sorted
  const rest = { path: '', bytes: 0, files: 0 }
  for (const share of sorted.slice(MOST_SHARES)) {
    rest.bytes += share.bytes
    rest.files += share.files
  }
  return [...sorted.slice(0, MOST_SHARES), rest]
}
