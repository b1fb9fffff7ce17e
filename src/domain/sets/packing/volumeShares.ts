import type { VolumeShare } from '../planDocument'
import type { InventoryItem, PackedVolume } from './inventory'

/** Top folders with a share of their own. */
export const MOST_SHARES = 12

/**
 * The shares of a volume for its gauge: the twelve largest top folders (files at the volume's root
 * count by their own name), then one for the rest with an empty path if there is more. Shares add
 * up to the volume's files and bytes.
 * @param itemOf the entry of an index of the packed inventory.
 */
export function volumeShares(volume: PackedVolume, itemOf: (index: number) => InventoryItem): VolumeShare[] {
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
    const slash = item.path.indexOf('/')
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
