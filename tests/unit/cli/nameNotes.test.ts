import { expect, test } from 'vitest'
import { nameNotes } from '../../../src/cli/shape/nameNotes'
import { readerNames } from '../../../src/domain/sets/naming/readerNames'
import type { InventoryItem } from '../../../src/domain/sets/packing/inventory'

const file = (path: string, index: number): InventoryItem => ({ kind: 'file', path, index, bytes: 1 })
const note = { code: 'survey-skips', message: '1 path could not be read', blocking: false }

test('names that a system shows otherwise take one line for each kind', () => {
  const paths = ['CON', 'x', 'X', ...Array.from({ length: 30 }, (_, at) => `a:${at}`)]
  const { names, others } = nameNotes([...readerNames(paths.map(file)), note])
  expect(names).toEqual([
    '31 names will look different on Windows: CON has the name of a device (and 30 more)',
    '1 name looks the same as another to Windows and Macs: X and x differ in upper and lower case only',
  ])
  expect(others).toEqual([note])
  expect(nameNotes([])).toEqual({ names: [], others: [] })
})
