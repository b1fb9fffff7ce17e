import type { ReactNode } from 'react'
import type { Provenance } from '../../../src/primitives/estimate'

/** The track of a column of moments: `28 Feb 2026, 14:05`. */
export const MOMENT_TRACK = '20ch'

export interface Column<Row> {
  readonly key: string
  readonly header: string
  /** The header is for screen readers alone: what is below needs no words. */
  readonly isHeaderHidden?: boolean
  /** Where all its figures are known in one way: the mark of it, once in the head. */
  readonly mark?: Provenance | undefined
  /** A grid track: `120px`, `minmax(160px, 2fr)`. */
  readonly track: string
  readonly align?: 'end'
  readonly cell: (row: Row) => ReactNode
  /** The value that sorting compares; a column without it cannot be sorted. */
  readonly sortBy?: (row: Row) => number | string
  /**
   * The columns of the CSV for this one, by header: plain numbers, whole texts. Without it there
   * are none.
   */
  readonly csv?: Readonly<Record<string, (row: Row) => string | number>>
  /** The column tells rows apart and does no more: it is left out while they all have one value. */
  readonly isForComparing?: boolean
}

/** The columns that say something of these rows; the CSV has all. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): readonly Column<Row>[] {
  const [first] = rows
  if (first === undefined || rows.length === 1) return columns
  return columns.filter(
    ({ isForComparing, sortBy }) =>
      !isForComparing || !sortBy || rows.some((row) => row === undefined || sortBy(row) !== sortBy(first)),
  )
}

/** The column that sorts, and in which direction; null for the order as given. */
export type Sorting = { readonly key: string; readonly down: boolean } | null

/** The rows in the order asked for; as given when no column sorts. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sorting,
): readonly Row[] {
  const compare = comparing(columns, sort)
  return compare ? [...rows].sort(compare) : rows
}

/** How the rows of a tree lie in one another. */
export interface TreeLevels<Row> {
  /** From 1. */
  readonly levelOf: (row: Row) => number
  /** True for a row that comes after those next to it in any order, such as one for all others. */
  readonly isLast?: (row: Row) => boolean
}

/**
 * The rows of a tree, those in one row in the order asked for and still below it; as given when no
 * column sorts.
 */
export function sortTree<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: Sorting,
  { levelOf, isLast }: TreeLevels<Row>,
): readonly Row[] {
  const compare = comparing(columns, sort)
  if (!compare) return rows
  const tops: Branch<Row>[] = []
  const above: Branch<Row>[] = []
  for (const row of rows) {
    above.length = Math.min(above.length, levelOf(row) - 1)
    const branch = { row, below: [] }
    const siblings = above.at(-1)?.below ?? tops
    siblings.push(branch)
    above.push(branch)
  }
  const placed: Row[] = []
  const place = (branches: Branch<Row>[]): void => {
    const last = (row: Row): number => Number(isLast?.(row) ?? false)
    branches.sort(({ row: one }, { row: other }) => last(one) - last(other) || compare(one, other))
    for (const { row, below } of branches) {
      placed.push(row)
      place(below)
    }
  }
  place(tops)
  return placed
}

interface Branch<Row> {
  readonly row: Row
  readonly below: Branch<Row>[]
}

/** The order of two rows; undefined where no column sorts. */
function comparing<Row>(
  columns: readonly Column<Row>[],
  sort: Sorting,
): ((one: Row, other: Row) => number) | undefined {
  const by = sort && columns.find((column) => column.key === sort.key)?.sortBy
  if (!by) return undefined
  const sign = sort.down ? -1 : 1
  return (one, other) => {
    const a = by(one)
    const b = by(other)
    return a === b ? 0 : (a < b ? -1 : 1) * sign
  }
}

/** The header and rows that a table's CSV has. */
export function csvOf<Row>(
  columns: readonly Pick<Column<Row>, 'csv'>[],
  rows: readonly Row[],
): { header: string[]; rows: (string | number)[][] } {
  const kept = columns.flatMap(({ csv }) => Object.entries(csv ?? {}))
  return {
    header: kept.map(([header]) => header),
    rows: rows.map((row) => kept.map(([, value]) => value(row))),
  }
}
