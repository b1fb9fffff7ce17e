import type { InventoryItem, Packing } from './inventory'
import type { PackingPlacement } from './placedTrees'

/** The number of the group that a file belongs to, by its index; undefined for none. */
export type GroupOf = (index: number) => number | undefined

/** Inventories are packed anew while they have this many entries in all. */
const ENTRIES_TRIED = 1_500_000
/** After each packing that takes too much, so many times as many groups may be divided. */
const MORE_DIVIDED = 4

/**
 * The inventory with files of one group together: first all groups, then without the largest ones,
 * which leave gaps on volumes. A group whose files a person pins to several volumes stays as it is.
 */
export function* withGroupsTogether(
  items: readonly InventoryItem[],
  groupOf: GroupOf,
  pins: PackingPlacement['pins'] = [],
): Generator<InventoryItem[]> {
  const groups = largestFirst(items, groupOf, pinOf(pins))
  let divided = 0
  for (let looked = 0; divided < groups.length; divided = Math.max(1, divided * MORE_DIVIDED)) {
    looked += items.length
    if (divided > 0 && looked > ENTRIES_TRIED) return
    const leaders = new Map<number, number>()
    for (const [first, ...others] of groups.slice(divided))
      for (const one of others) leaders.set(one, first as number)
    yield items.map((item) => {
      const leader = leaders.get(item.index)
      return leader === undefined ? item : { ...item, with: leader }
    })
  }
}

/** The indices of the files of each group that has several. */
function largestFirst(
  items: readonly InventoryItem[],
  groupOf: GroupOf,
  volumeOf: (path: string) => number | undefined,
): number[][] {
  const files = items.filter(({ kind, index }) => kind === 'file' && groupOf(index) !== undefined)
  const sum = (of: readonly InventoryItem[]): number => of.reduce((bytes, one) => bytes + one.bytes, 0)
  return [...Map.groupBy(files, ({ index }) => groupOf(index)).values()]
    .filter((group) => {
      const volumes = new Set(group.map(({ path }) => volumeOf(path)))
      volumes.delete(undefined)
      return group.length > 1 && volumes.size < 2
    })
    .map((group) => ({ bytes: sum(group), files: group.map(({ index }) => index) }))
    .toSorted((one, other) => other.bytes - one.bytes || (one.files[0] ?? 0) - (other.files[0] ?? 0))
    .map(({ files: indices }) => indices)
}

/** The volume of the pin that is nearest to a path. */
function pinOf(pins: PackingPlacement['pins']): (path: string) => number | undefined {
  const volumes = new Map(pins.map(({ path, volume }) => [path, volume]))
  return (path) => {
    if (volumes.size === 0) return undefined
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
      const volume = volumes.get(at)
      if (volume !== undefined || at === '') return volume
    }
  }
}

/** A group of which a packing has files on several volumes. */
export interface DividedGroup {
  readonly group: number
  readonly bytes: number
  readonly volumes: number
  /** No volume can hold all of it. */
  readonly isLarger: boolean
}

/** The number of groups of a packed inventory, and those that are on several volumes. */
export function groupsOnVolumes(
  items: readonly InventoryItem[],
  packing: Packing,
  groupOf: GroupOf,
): { readonly groups: number; readonly files: number; readonly divided: readonly DividedGroup[] } {
  const sums = new Map<number, { bytes: number; readonly on: Set<number> }>()
  const sumAt = new Map<number, { readonly on: Set<number> }>()
  let files = 0
  for (const { kind, index, bytes } of items) {
    const group = kind === 'file' ? groupOf(index) : undefined
    if (group === undefined) continue
    files += 1
    const sum = sums.get(group) ?? { bytes: 0, on: new Set() }
    sums.set(group, sum)
    sum.bytes += bytes
    sumAt.set(index, sum)
  }
  for (const [at, { assignments }] of packing.volumes.entries())
    for (const one of assignments) if (one.kind !== 'impliedFolder') sumAt.get(one.index)?.on.add(at)
  const larger = new Set(packing.apart.map((index) => groupOf(index)))
  const divided = [...sums].flatMap(([group, { bytes, on }]) =>
    on.size < 2 ? [] : [{ group, bytes, volumes: on.size, isLarger: larger.has(group) }],
  )
  return { groups: sums.size, files, divided }
}
