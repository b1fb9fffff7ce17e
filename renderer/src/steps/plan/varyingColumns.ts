import type { Column } from '../../components/DataTable'

/** The columns that say something of single rows: not those whose value is the same in all. */
export function varyingColumns<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): readonly Column<Row>[] {
  const [first] = rows
  if (first === undefined || rows.length === 1) return columns
  return columns.filter(({ sortBy }) => !sortBy || rows.some((row) => sortBy(row) !== sortBy(first)))
}
