import { type CountedScheme, SumsByGroup } from '../../domain/fleet/fleetCounts'
import type { Sums } from '../../domain/fleet/sampledBytes'
import { AppError } from '../../primitives/appError'
import type { AskedScheme } from './askedSchemes'
import { type Bounds, type Database, tableBytes } from './duckdb'
import { definePrints, type HashRange, partOfRange } from './prints'
import { defineShared, QUERIES } from './sharedSql'

/** Memory of a row while rows are grouped: measured, with a margin. */
const GROUPED_ROW_BYTES = 160
/** A range that does not fit is halved this often: hashes are spread evenly. */
const MOST_HALVINGS = 8

interface Counting {
  readonly withPairs: boolean
  readonly bounds: Bounds
  /** The rows in the range. */
  readonly rows: number
  /** Takes the share of the range that is done. */
  onShare(share: number): void
}

/** The sums of a scheme over a range of hashes, of which as much at a time as fits into memory. */
export async function countScheme(
  database: Database,
  asked: AskedScheme,
  range: HashRange,
  { withPairs, bounds, rows, onShare }: Counting,
): Promise<CountedScheme> {
  const [own, adds, onlyHere, pairs] = [
    new SumsByGroup(),
    new SumsByGroup(),
    new SumsByGroup(),
    new SumsByGroup(),
  ]
  await inRanges(range, partsOf(rows, bounds), onShare, async (some) => {
    await definePrints(database, asked, some)
    await defineShared(database)
    const found: (() => void)[] = []
    for await (const row of database.rows(QUERIES.own, { source: 'number', ...SUMS }))
      found.push(() => own.add(row.source, row))
    const firsts = { source: 'number', only_here: 'number', ...SUMS } as const
    for await (const row of database.rows(QUERIES.new, firsts))
      found.push(() => {
        adds.add(row.source, row)
        if (row.only_here === 1) onlyHere.add(row.source, row)
      })
    if (withPairs)
      for await (const row of database.rows(QUERIES.pairs, { one: 'number', other: 'number', ...SUMS }))
        found.push(() => pairs.add(row.one, row, row.other))
    // Only once all of a range is known: it may not fit.
    for (const add of found) add()
  })
  return {
    ...asked.facts,
    own: own.counted,
    adds: adds.counted,
    onlyHere: onlyHere.counted,
    pairs: withPairs ? pairs.counted : null,
  }
}

/** The columns of sums. */
export const SUMS = { contents: 'whole', bytes: 'whole', squares: 'whole' } as const satisfies Record<
  keyof Sums,
  'whole'
>

/** In how many parts so many rows fit into memory while they are grouped. */
export function partsOf(rows: number, bounds: Bounds): number {
  return Math.max(1, Math.ceil((rows * GROUPED_ROW_BYTES) / tableBytes(bounds)))
}

/**
 * Does work on a range of hashes in parts, and in halves of a part where memory is not enough.
 * @param work throws AppError `no-space` then, and leaves nothing of that part
 */
export async function inRanges(
  all: HashRange,
  parts: number,
  onShare: (share: number) => void,
  work: (range: HashRange) => Promise<void>,
): Promise<void> {
  const halved = async (range: HashRange, halvings: number): Promise<void> => {
    try {
      await work(range)
    } catch (thrown) {
      if (AppError.from(thrown).code !== 'no-space' || halvings === MOST_HALVINGS) throw thrown
      for (const half of [0, 1]) await halved(partOfRange(range, half, 2), halvings + 1)
    }
  }
  for (let index = 0; index < parts; index++) {
    await halved(partOfRange(all, index, parts), 0)
    onShare((index + 1) / parts)
  }
}
