import { entryKey, entryRange } from './entryKey'

/** Rows of one page: a few milliseconds of reading. */
const PAGE_ROWS = 1024

/**
 * The entries of a survey or plan in pages, in the order of their keys. No statement stays open
 * between two pages: the connection sees what was written meanwhile.
 * @param read gives at most so many rows from the first key to the last
 * @param placeOf the place of a row's entry: its key without the number of the survey or plan
 */
export function* keyPages<Row>(
  number: number,
  read: (first: bigint, last: bigint, most: number) => Row[],
  placeOf: (row: Row) => number,
): IterableIterator<Row[]> {
  const [start, last] = entryRange(number)
  let first = start
  for (;;) {
    const rows = read(first, last, PAGE_ROWS)
    yield rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < PAGE_ROWS) return
    first = entryKey(number, placeOf(end) + 1)
  }
}
