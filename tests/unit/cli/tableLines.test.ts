import { expect, it } from 'vitest'
import { cellText, ownTableLines, tableLines } from '../../../src/cli/shape/tableLines'
import type { TableColumn } from '../../../src/contract/tables/declaredTable'
import { cutTable, FOLDER_COPY_TABLE, typeTable } from '../../../src/contract/tables/surveyTables'

const copy = { path: '/a/New\nname', copyOf: '/b', files: 1204, bytes: 2_590_000, inEmpty: 0 }

it('a table has the named columns in order, right-aligned figures and printable paths', () => {
  expect(tableLines(FOLDER_COPY_TABLE, ['bytes', 'files', 'folder', 'copy_of'], [copy])).toEqual([
    '   size  files  folder       is a copy of',
    '2.59 MB  1,204  /a/New␊name  /b',
  ])
})

it('a given cell replaces the declared one', () => {
  const cells = { folder: () => '…name' }
  expect(tableLines(FOLDER_COPY_TABLE, ['folder', 'files'], [copy], { cells })).toEqual([
    'folder  files',
    '…name   1,204',
  ])
})

it('a range has its mark and the unit of its upper end, or the mark alone without a range', () => {
  const cut = {
    chunker: null,
    size: 4096,
    uniqueBytes: 42e6,
    low: 40.9e6,
    high: 43.9e6,
    exact: false,
    pieces: 2,
    uniquePieces: 1,
    zeroBytes: null,
  }
  const { range } = cutTable(100e6)
  expect(cellText(range, cut)).toBe('◐ 40.9–43.9 MB')
  expect(cellText(range, { ...cut, low: 42e6, high: 42e6 })).toBe('◐')
  expect(cellText(range, { ...cut, exact: true })).toBe('■ exact')
})

it('the ratio of a type shows by which codec, and nothing without one', () => {
  const compression = [{ codec: 'zstd-1', predictedBytes: 41, low: 39, high: 43 }]
  const row = { extension: 'txt', fileClass: 'text' as const, files: 1, bytes: 100 }
  const { ratio, range, share } = typeTable(400)
  expect(cellText(ratio, { ...row, compression })).toBe('0.41 z1')
  expect(cellText(range, { ...row, compression })).toBe('◐ 0.39–0.43')
  expect(cellText(share, row)).toBe('25.0 %')
  expect(cellText(ratio, row)).toBe('')
  expect(cellText(typeTable(0).share, row)).toBe('')
})

it('the mark of a whole column is in its heading, the mark of a row after its figure', () => {
  const columns: readonly TableColumn<number, string>[] = [
    { heading: 'all', kind: 'count', of: (row) => row, mark: 'exact' },
    { heading: 'each', kind: 'forecast', of: (row) => row, mark: () => 'assumed' },
    { heading: 'day', kind: 'day', of: () => null },
  ]
  expect(ownTableLines(columns, [40])).toEqual(['all ■    each  day', '   40  40 s ○'])
})
