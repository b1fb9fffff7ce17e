import { NODE, type PackingTree } from './packingTree'
import type { PackingPlacement } from './placedTrees'

/** Puts entries of one folder in the order in which volumes are filled. */
export type PersonOrder = (children: readonly number[]) => readonly number[]

/**
 * The order of a placement; null for the fewest volumes. By name, upper and lower case and accents
 * do not matter, and numbers count by their value. By date, a folder counts by the median of its
 * files, so that a few files with a wrong date do not move it; what has the same date goes by name.
 */
export function personOrder(
  tree: PackingTree,
  { order, modifiedMs }: Pick<PackingPlacement, 'order' | 'modifiedMs'>,
  indexOf: (item: number) => number,
): PersonOrder | null {
  if (order === 'size') return null
  if (order === 'name') return (children) => sortedBy(children, (node) => nameKey(tree.name(node)))
  const dateOf = (node: number): number => modifiedMs(indexOf(tree.item[node] as number))
  return (children) => {
    // The only entry of a folder needs no date, however much lies below it.
    if (children.length < 2) return children
    const byName = sortedBy(children, (node) => nameKey(tree.name(node)))
    return sortedBy(byName, (node) => medianDate(tree, node, dateOf))
  }
}

function sortedBy<K extends string | number>(
  children: readonly number[],
  keyOf: (node: number) => K,
): number[] {
  const keys = new Map(children.map((node) => [node, keyOf(node)]))
  return children.toSorted((a, b) => {
    const [one, other] = [keys.get(a) as K, keys.get(b) as K]
    return one < other ? -1 : one > other ? 1 : 0
  })
}

/** So many digits do numbers in names have at most; longer ones sort as text. */
const DIGITS = 20

function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\d+/g, (digits) => digits.padStart(DIGITS, '0'))
}

/** Of two in the middle the older one. A folder without anything in it has no date, and goes first. */
function medianDate(tree: PackingTree, node: number, dateOf: (node: number) => number): number {
  const { kind, end } = tree
  if (kind[node] !== NODE.folder) return dateOf(node)
  const dates: number[] = []
  for (let at = node + 1; at < (end[node] as number); at++) {
    if (kind[at] === NODE.file || kind[at] === NODE.symlink) dates.push(dateOf(at))
  }
  const sorted = Float64Array.from(dates).toSorted()
  return sorted[(sorted.length - 1) >> 1] ?? Number.NEGATIVE_INFINITY
}
