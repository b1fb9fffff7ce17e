import { expect, it } from 'vitest'
import { type Column, csvOf, shownColumns } from '../../../renderer/src/components/tableColumns'

interface Row {
  readonly a: number
  readonly b: number
}

const column = (key: 'a' | 'b', more: Partial<Column<Row>> = {}): Column<Row> => ({
  key,
  header: key,
  track: '1fr',
  cell: () => null,
  sortBy: (row) => row[key],
  csv: { [key]: (row) => row[key] },
  ...more,
})

const ROWS: readonly Row[] = [
  { a: 1, b: 2 },
  { a: 3, b: 2 },
]

it('columns that only tell rows apart vanish while all rows have one value, but not from a single row', () => {
  const comparing = { isForComparing: true }
  const columns = [column('a', comparing), column('b', comparing), column('b')]
  const keys = (rows: readonly Row[]) => shownColumns(columns, rows).map((each) => columns.indexOf(each))
  expect(keys(ROWS)).toEqual([0, 2])
  expect(keys(ROWS.slice(0, 1))).toEqual([0, 1, 2])
  expect(keys([])).toEqual([0, 1, 2])
})

it('the CSV has columns that vanished from the table', () => {
  const columns = [column('a'), column('b', { isForComparing: true })]
  expect(shownColumns(columns, ROWS)).toHaveLength(1)
  expect(csvOf(columns, ROWS)).toEqual({
    header: ['a', 'b'],
    rows: [
      [1, 2],
      [3, 2],
    ],
  })
})
