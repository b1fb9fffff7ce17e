import type { CsvColumns, DeclaredTable, TableColumn } from '../../contract/tables/declaredTable'
import { formatSize } from './sizes'

/** The CSV of a declared table: these columns, in this order, their names in camelCase. */
export function* csvLines<Row, Key extends string>(
  table: DeclaredTable<Row, Key>,
  keys: readonly Key[],
  rows: readonly Row[],
): Generator<string> {
  const columns = keys.flatMap((key) => Object.entries(csvOf(key, table[key])))
  yield csvLine(
    columns.map(([name]) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())),
  )
  for (const row of rows) yield csvLine(columns.map(([, of]) => of(row)))
}

function csvOf<Row>(key: string, column: TableColumn<Row>): CsvColumns<Row> {
  if (column.csv) return column.csv
  return {
    [key]: (row) => {
      const value = column.of(row, formatSize)
      return value === null ? '' : typeof value === 'object' ? value.value : value
    },
  }
}

/** One line, by RFC 4180 but for its end, which is that of Unix. */
export function csvLine(cells: readonly (string | number | boolean)[]): string {
  return `${cells.map((cell) => csvCell(String(cell))).join(',')}\n`
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
