import { NODE, type PackingTree } from './packingTree'
import type { PackingPlacement } from './placedTrees'

/** The order in which volumes are filled. */
export interface PersonOrder {
  /**
   * Puts the entries of a folder in it. Volumes are filled several times: entries are asked for and
   * sorted the first time.
   */
  readonly sorted: (folder: number, entries: () => readonly number[]) => readonly number[]
  /** True for a folder whose entries have places of their own in it, far from one another. */
  readonly divides: (folder: number) => boolean
}

/**
 * The order of a placement; null for the fewest volumes. By name, upper and lower case and accents
 * do not matter, and numbers count by their value. By date, a folder counts by the median of its
 * files, so that a few files with a wrong date do not move it; what has the same date goes by name.
 * Folders of several years are divided, so that each year is in one place.
 */
export function personOrder(
  tree: PackingTree,
  { order, modifiedMs }: Pick<PackingPlacement, 'order' | 'modifiedMs'>,
  indexOf: (item: number) => number,
): PersonOrder | null {
  if (order === 'size' || order === 'folders') return null
  const nameOf = remembered((node) => nameKey(tree.name(node)))
  const byName = (one: number, other: number): number => {
    const [a, b] = [nameOf(one), nameOf(other)]
    return a < b ? -1 : a > b ? 1 : 0
  }
  if (order === 'name')
    return { sorted: sortedOnce((entries) => entries.toSorted(byName)), divides: () => false }
  const written = new Float64Array(tree.size).fill(Number.NaN)
  const writtenAt = (node: number): number => {
    if (Number.isNaN(written[node])) written[node] = modifiedMs(indexOf(tree.item[node] as number))
    return written[node] as number
  }
  const datesOf = remembered((folder) => datesIn(tree, folder, writtenAt))
  const dateOf = (node: number): number =>
    tree.kind[node] === NODE.folder ? datesOf(node).median : writtenAt(node)
  return {
    sorted: sortedOnce((entries) => {
      // A single entry needs no date, however much lies below it.
      if (entries.length < 2) return entries
      const dates = Float64Array.from(entries, dateOf)
      const places = entries.map((_, at) => at)
      places.sort(
        (a, b) =>
          // Folders without anything in them have equal dates, which have no difference.
          (dates[a] as number) - (dates[b] as number) || byName(entries[a] as number, entries[b] as number),
      )
      return places.map((at) => entries[at] as number)
    }),
    divides: (folder) => datesOf(folder).spanMs > ONE_YEAR_MS,
  }
}

function sortedOnce(sort: (entries: readonly number[]) => readonly number[]): PersonOrder['sorted'] {
  const known = new Map<number, readonly number[]>()
  return (folder, entries) => {
    const value = known.get(folder) ?? sort(entries())
    known.set(folder, value)
    return value
  }
}

function remembered<T>(valueOf: (node: number) => T): (node: number) => T {
  const known = new Map<number, T>()
  return (node) => {
    const value = known.get(node) ?? valueOf(node)
    known.set(node, value)
    return value
  }
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

/** Files at each end of a folder's dates that are taken for wrong ones. */
const OUTER_SHARE = 0.2
/** A folder whose other files lie further apart is of several years. */
const ONE_YEAR_MS = 366 * 86_400_000

interface Dates {
  /** The older one of two in the middle; a folder without anything in it goes first. */
  readonly median: number
  /** The time between the first and the last date, without those that may be wrong. */
  readonly spanMs: number
}

function isDated(kind: number): boolean {
  return kind === NODE.file || kind === NODE.symlink || kind === NODE.companion
}

function datesIn({ kind, end }: PackingTree, folder: number, dateOf: (node: number) => number): Dates {
  const below = end[folder] as number
  const dates = new Float64Array(below - folder - 1)
  let count = 0
  for (let at = folder + 1; at < below; at++) {
    if (isDated(kind[at] as number)) dates[count++] = dateOf(at)
  }
  const last = count - 1
  if (last < 0) return { median: Number.NEGATIVE_INFINITY, spanMs: 0 }
  const median = ranked(dates, last, last >> 1)
  const from = ranked(dates, last, Math.ceil(OUTER_SHARE * last))
  const to = ranked(dates, last, Math.floor((1 - OUTER_SHARE) * last))
  return { median, spanMs: to - from }
}

/** The value that sorting would put at a place, by Hoare's selection: it moves the others about. */
function ranked(values: Float64Array, last: number, place: number): number {
  let [low, high] = [0, last]
  while (low < high) {
    const pivot = values[(low + high) >> 1] as number
    let [left, right] = [low, high]
    while (left <= right) {
      while ((values[left] as number) < pivot) left += 1
      while ((values[right] as number) > pivot) right -= 1
      if (left > right) break
      const value = values[left] as number
      values[left++] = values[right] as number
      values[right--] = value
    }
    if (place <= right) high = right
    else if (place >= left) low = left
    else break
  }
  return values[place] as number
}
