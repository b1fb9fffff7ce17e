import { describe, expect, it } from 'vitest'
import {
  type Column,
  csvOf,
  type Sorting,
  shownColumns,
  sortTree,
} from '../../../renderer/src/components/tableColumns'

interface Row {
  readonly a: number
  readonly b: number
}

interface Line {
  readonly name: string
  readonly level: number
  readonly size: number
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

describe('a tree', () => {
  const columns: Column<Line>[] = [
    { key: 'size', header: 'size', track: '1fr', cell: () => null, sortBy: ({ size }) => size },
  ]
  const line = (name: string, level: number, size: number): Line => ({ name, level, size })
  const LINES = [
    line('top', 1, 9),
    line('large', 2, 6),
    line('large/small', 3, 1),
    line('large/middle', 3, 4),
    line('little', 2, 2),
    line('and others', 2, 100),
    line('second', 1, 3),
  ]
  const sorted = (sort: Sorting): string[] =>
    sortTree(LINES, columns, sort, {
      levelOf: ({ level }) => level,
      isLast: ({ name }) => name === 'and others',
    }).map(({ name }) => name)

  it('sorts what is in each row, below that row', () => {
    expect(sorted({ key: 'size', down: false })).toEqual([
      'second',
      'top',
      'little',
      'large',
      'large/small',
      'large/middle',
      'and others',
    ])
    expect(sorted({ key: 'size', down: true }).slice(0, 5)).toEqual([
      'top',
      'large',
      'large/middle',
      'large/small',
      'little',
    ])
  })

  it('is as given while no column sorts it', () => {
    expect(sorted(null)).toEqual(LINES.map(({ name }) => name))
    expect(sorted({ key: 'unknown', down: true })).toEqual(LINES.map(({ name }) => name))
  })
})
