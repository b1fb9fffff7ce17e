import type { YearBytes } from '../../../src/contract/dto/survey'

/** The bytes of one year, or of all years before those that have a column each. */
export interface YearColumn {
  readonly first: number
  readonly last: number
  readonly bytes: number
}

/** Columns that can be told apart in a narrow window. */
const MOST_COLUMNS = 60

/** One column a year from the oldest to the newest, empty years among them. */
export function yearColumns(years: readonly YearBytes[]): YearColumn[] {
  const [oldest, newest] = [years[0]?.year, years.at(-1)?.year]
  if (oldest === undefined || newest === undefined) return []
  const start = Math.max(oldest, newest - MOST_COLUMNS + 1)
  const bytes = new Map<number, number>()
  for (const each of years) {
    const column = Math.max(start, each.year)
    bytes.set(column, (bytes.get(column) ?? 0) + each.bytes)
  }
  return Array.from({ length: newest - start + 1 }, (_, at) => ({
    first: at === 0 ? oldest : start + at,
    last: start + at,
    bytes: bytes.get(start + at) ?? 0,
  }))
}
