import { expect, it } from 'vitest'
import { columnsOf, type Shown, type WindowTable } from '../../../renderer/src/components/declaredColumns'
import { csvOf } from '../../../renderer/src/components/tableColumns'

interface Row {
  readonly path: string
  readonly files: number | null
  readonly kept: number
  readonly order: string
  readonly place: string | null
}

const TABLE = {
  folder: { heading: 'folder', kind: 'path', of: ({ path }) => path },
  files: { heading: 'files', kind: 'count', of: ({ files }) => files },
  share: {
    heading: 'share',
    kind: 'share',
    of: ({ kept }) => kept / 4,
    csv: { kept_files: ({ kept }) => kept },
  },
  order: { heading: 'order', kind: 'code', of: ({ order }) => order },
  place: { heading: 'place', kind: 'words', of: ({ place }) => place ?? 'not noted' },
} satisfies WindowTable<Row>

const row: Row = { path: '/a', files: null, kept: 1, order: 'path', place: null }

const shown = (how: { readonly [Key in keyof typeof TABLE]?: string | Shown<Row> }) =>
  columnsOf<Row, keyof typeof TABLE>(TABLE, 'decimal', how)

it('columns have the given order and the headings of the window', () => {
  const columns = shown({ files: '3ch', folder: '2fr', share: { track: '1fr', align: 'start' } })
  expect(columns.map(({ key, header, track, align }) => [key, header, track, align])).toEqual([
    ['files', 'Files', '3ch', 'end'],
    ['folder', 'Folder', '2fr', undefined],
    ['share', 'Share', '1fr', undefined],
  ])
})

it('the CSV has bare values under the declared names, of shown columns only', () => {
  expect(csvOf(shown({ folder: '', share: '', files: '' }), [row])).toEqual({
    header: ['folder', 'kept_files', 'files'],
    rows: [['/a', 1, '']],
  })
})

it('a permanent name is exported unchanged, in whatever words the table shows it', () => {
  const columns = shown({ order: { track: '', say: () => 'By path' } })
  expect(columns.map(({ cell }) => cell(row))).toEqual(['By path'])
  expect(csvOf(columns, [row]).rows).toEqual([['path']])
})

it('words of the window are used in the cell, for sorting and in the CSV', () => {
  const columns = shown({ place: { track: '', say: () => 'nirgends' } })
  expect(columns.map(({ cell, sortBy }) => [cell(row), sortBy?.(row)])).toEqual([['nirgends', 'nirgends']])
  expect(csvOf(columns, [row]).rows).toEqual([['nirgends']])
})

it('a missing figure sorts first and shows a placeholder', () => {
  const columns = shown({ files: { track: '', absent: '–' } })
  expect(columns.map(({ cell, sortBy }) => [cell(row), sortBy?.(row)])).toEqual([['–', -1]])
})

it('a column whose heading is hidden does not sort', () => {
  const columns = shown({ place: { track: '', isHeaderHidden: true }, files: '' })
  expect(columns.map(({ sortBy }) => sortBy === undefined)).toEqual([true, false])
})
