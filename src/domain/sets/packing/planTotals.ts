import { AppError } from '../../../primitives/appError'
import type { PlanTotals } from '../planDocument'
import type { InventoryItem, Packing } from './inventory'

/**
 * The totals of a packed inventory. Folders are those of the inventory, the volume's own root not
 * counted.
 */
export function planTotals(
  items: readonly InventoryItem[],
  packing: Packing,
  fewestVolumes?: number,
): PlanTotals {
  const totals = { files: 0, folders: 0, symlinks: 0, bytes: 0 }
  for (const item of items) {
    if (item.kind === 'folder') totals.folders += item.path === '' ? 0 : 1
    else if (item.kind === 'symlink') totals.symlinks += 1
    else {
      totals.files += 1
      if (item.kind === 'file') totals.bytes += item.bytes
    }
  }
  return {
    ...totals,
    volumes: packing.volumes.length,
    splitFiles: packing.splitFiles,
    lowerBoundVolumes: packing.lowerBoundVolumes,
    ...(fewestVolumes === undefined ? {} : { fewestVolumes }),
  }
}

/**
 * Proves that a packing is what a plan must be: every entry of the inventory is on the volumes
 * exactly once (folders at least once), the parts of each split file are the file without gap or
 * overlap, and no volume exceeds its capacity.
 * @param sectors the size of each finished image in the order of the volumes, as the mastering
 *   tool tells it.
 * @param capacities of the volumes in their order, or that of all of them
 * @throws AppError `internal` naming the first entry or volume that is wrong: the plan must not
 *   be used.
 */
export function checkPlan(
  items: readonly InventoryItem[],
  packing: Packing,
  sectors: readonly number[],
  capacities: number | readonly number[],
): void {
  const placed = new Map<number, number>()
  const parts = new Map<number, { offset: number; bytes: number }[]>()
  packing.volumes.forEach((volume, k) => {
    const size = sectors[k] ?? Number.POSITIVE_INFINITY
    const capacitySectors = typeof capacities === 'number' ? capacities : (capacities[k] ?? 0)
    if (size > capacitySectors) {
      throw new AppError(
        'internal',
        `volume ${k + 1} has ${size} sectors, its medium holds ${capacitySectors}`,
      )
    }
    for (const one of volume.assignments) {
      if (one.kind === 'whole' || one.kind === 'name') placed.set(one.index, (placed.get(one.index) ?? 0) + 1)
      else if (one.kind === 'part') {
        const others = parts.get(one.index)
        if (others) others.push(one)
        else parts.set(one.index, [one])
      }
    }
  })
  for (const item of items) {
    if (item.path === '') continue
    const times = placed.get(item.index) ?? 0
    const pieces = parts.get(item.index)
    const isRight = pieces
      ? times === 0 && covers(pieces, item.bytes)
      : item.kind === 'folder'
        ? times > 0
        : times === 1
    if (!isRight) {
      throw new AppError('internal', `the plan does not hold ${item.path} exactly once`, { path: item.path })
    }
  }
}

function covers(pieces: readonly { offset: number; bytes: number }[], whole: number): boolean {
  let end = 0
  for (const piece of pieces.toSorted((a, b) => a.offset - b.offset)) {
    if (piece.offset !== end) return false
    end += piece.bytes
  }
  return end === whole
}
