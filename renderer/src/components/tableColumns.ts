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

/** The rows in the order asked for; as given when no column sorts. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: { key: string; down: boolean } | null,
): readonly Row[] {
  const by = sort && columns.find((column) => column.key === sort.key)?.sortBy
  if (!by) return rows
  const sign = sort.down ? -1 : 1
  return [...rows].sort((one, other) => {
    const a = by(one)
    const b = by(other)
    return a === b ? 0 : (a < b ? -1 : 1) * sign
  })
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
