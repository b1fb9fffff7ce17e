import { packedIfPossible, takesNoMore } from './fillShares'
import type { InventoryItem, Packing } from './inventory'
import type { PackingOptions } from './packVolumes'
import { branchingFolder } from './volumeShares'

/** The orders in which volumes are filled where a person chose none and they cost nothing. */
export type UsualOrder = 'name' | 'date'

/** A packing in an order, with the options that it was made with. */
export interface OrderedPacking {
  readonly order: UsualOrder
  readonly options: PackingOptions
  readonly packing: Packing
}

/** Orders are tried while they look at this many entries in all. */
const ENTRIES_ORDERED = 1_500_000

/**
 * Packs once more in an order that a person understands: by date where folders are years, else by
 * name. Pins and kept folders stay. Deterministic, like all packing.
 * @param packing for the fewest volumes, in no order of a person's
 * @param options that it was made with
 * @param modifiedMs when an entry was last written to, by its index
 * @returns null where every order takes more volumes of a medium or splits more files, and for a
 *   single volume; null too, untried, for more entries than are packed twice
 */
export function orderedPacking(
  items: readonly InventoryItem[],
  packing: Packing,
  options: PackingOptions,
  modifiedMs: (index: number) => number,
): OrderedPacking | null {
  if (packing.volumes.length < 2) return null
  let looked = 0
  for (const order of usualOrders(items, modifiedMs)) {
    looked += items.length
    if (looked > ENTRIES_ORDERED) return null
    const found = packedInOrder(items, packing, withOrder(options, order, modifiedMs))
    if (found) return { order, ...found }
  }
  return null
}

/** The same options with volumes filled in an order. */
export function withOrder(
  options: PackingOptions,
  order: UsualOrder,
  modifiedMs: (index: number) => number,
): PackingOptions {
  const { pins = [], keep = [] } = options.placement ?? {}
  return { ...options, placement: { pins, keep, order, modifiedMs } }
}

/** @returns null for what cannot be packed with these options, or takes more than `than` */
export function packedInOrder(
  items: readonly InventoryItem[],
  than: Packing,
  options: PackingOptions,
): Omit<OrderedPacking, 'order'> | null {
  const packing = packedIfPossible(items, options)
  return packing && takesNoMore(packing, than, options) ? { options, packing } : null
}

/** The orders to try, the best one first. */
function usualOrders(
  items: readonly InventoryItem[],
  modifiedMs: (index: number) => number,
): readonly UsualOrder[] {
  return isOfYears(items, modifiedMs) ? ['date', 'name'] : ['name']
}

/** 1900 to 2099, with whatever follows: `2019`, `2019-05 Rome`, `20190517`. */
const YEAR = /^(?:19|20)\d\d/

/**
 * True where most bytes lie in folders whose name begins with the year in which their files were
 * last written to. Dates that contradict the names are those of a copy, and would mix the folders
 * up.
 * @param modifiedMs the year is that of UTC, so that a plan is the same everywhere
 */
function isOfYears(items: readonly InventoryItem[], modifiedMs: (index: number) => number): boolean {
  const branching = branchingFolder(items)
  const from = branching === '' ? 0 : branching.length + 1
  let [all, dated] = [0, 0]
  for (const { kind, path, bytes, index } of items) {
    if (kind !== 'file') continue
    all += bytes
    const [year] = YEAR.exec(path.slice(from, from + 4)) ?? []
    const isInFolder = path.includes('/', from)
    if (year !== undefined && isInFolder && new Date(modifiedMs(index)).getUTCFullYear() === Number(year))
      dated += bytes
  }
  return 2 * dated > all
}
