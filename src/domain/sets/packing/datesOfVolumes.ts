import type { YearSpan } from '../naming/volumeLabels'
import type { InventoryItem, PackedVolume } from './inventory'

/** The year of a date in UTC, so that a plan is the same everywhere. */
function yearOf(ms: number): number {
  return new Date(ms).getUTCFullYear()
}

/** The bytes of each year's files on a volume; an empty file counts as one byte. */
export function yearsOn(
  { assignments }: PackedVolume,
  itemOf: (index: number) => InventoryItem,
  modifiedMs: (index: number) => number,
): Map<number, number> {
  const years = new Map<number, number>()
  for (const one of assignments) {
    if (one.kind !== 'whole' && one.kind !== 'part') continue
    const item = itemOf(one.index)
    if (item.kind !== 'file' && item.kind !== 'hardLink') continue
    const year = yearOf(modifiedMs(one.index))
    const bytes = one.kind === 'part' ? one.bytes : item.bytes
    years.set(year, (years.get(year) ?? 0) + Math.max(1, bytes))
  }
  return years
}

/** A year with less of a volume's bytes does not give it its name. */
const LEAST_SHARE = 0.05

/** The first and the last year of a volume without those that hardly anything on it is of. */
export function yearSpan(years: ReadonlyMap<number, number>): YearSpan | null {
  const all = [...years.values()].reduce((sum, bytes) => sum + bytes, 0)
  const named = [...years].filter(([, bytes]) => bytes >= LEAST_SHARE * all).map(([year]) => year)
  const [largest] = [...years].toSorted(([, one], [, other]) => other - one)
  if (!largest) return null
  return { from: Math.min(largest[0], ...named), to: Math.max(largest[0], ...named) }
}
