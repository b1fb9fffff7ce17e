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
  const nameOf = remembered((node) => nameKey(tree.name(node)))
  if (order === 'name') return (children) => sortedBy(children, nameOf)
  const writtenAt = (node: number): number => modifiedMs(indexOf(tree.item[node] as number))
  const dateOf = remembered((node) => medianDate(tree, node, writtenAt))
  return (children) => {
    // The only entry of a folder needs no date, however much lies below it.
    if (children.length < 2) return children
    return sortedBy(sortedBy(children, nameOf), dateOf)
  }
}

/** Volumes are filled several times in the same order. */
function remembered<T>(valueOf: (node: number) => T): (node: number) => T {
  const known = new Map<number, T>()
  return (node) => {
    const value = known.get(node) ?? valueOf(node)
    known.set(node, value)
    return value
  }
}

function sortedBy(
  children: readonly number[],
  keyOf: ((node: number) => string) | ((node: number) => number),
): number[] {
  const keyed = children.map((node) => ({ node, key: keyOf(node) }))
  keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
  return keyed.map(({ node }) => node)
}

/** Digits to which numbers in names are filled up; longer ones sort as text. */
const DIGITS = 20

function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/\d+/g, (digits) => digits.padStart(DIGITS, '0'))
}

/** The older one of two in the middle. A folder without anything in it goes first. */
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
