import { describe, expect, it } from 'vitest'
import { foundArchives } from '../../../renderer/src/steps/catalog/foundArchives'
import type { ArchiveSet } from '../../../src/contract/dto/archive'
import { volumeCopy } from '../../fixtures/fakeEngine/fakeCopies'

const set = (id: string, firstLabel: string, lastLabel: string) =>
  ({ id, plans: [{ id, firstLabel, lastLabel }] }) as unknown as ArchiveSet
const KNOWN = {
  archives: [
    { id: 'pr-1', name: 'Family', sets: [set('p-1', 'FAM_01', 'FAM_09')] },
    { id: 'pr-2', name: 'Letters of the family', sets: [set('p-2', 'LETTERS_01', 'LETTERS_02')] },
  ],
  sets: [set('p-3', 'SCANS_01', 'SCANS_03')],
}
const COPIES = [
  volumeCopy(1, 'home', { planId: 'p-1', volume: 5, label: 'FAM_05' }),
  volumeCopy(1, 'home', { planId: null, setId: 'abc', volume: 2, label: 'UNCLE_02' }),
  volumeCopy(1, 'home', { planId: null, setId: 'abc', volume: 1, label: 'UNCLE_01' }),
]

describe('a search for archives and discs', () => {
  it.each([
    ['family', ['pr-1 Family: ', 'pr-2 Letters of the family: ']],
    ['fam_', ['pr-1 Family: FAM_01 FAM_05 FAM_09']],
    [' FAM_05 ', ['pr-1 Family: FAM_05']],
    ['letters', ['pr-2 Letters of the family: LETTERS_01 LETTERS_02']],
    ['scans_03', ['p-3 SCANS_01 to _03: SCANS_03']],
    ['uncle_02', ['abc UNCLE_01 to _02: UNCLE_02']],
    ['*.jpg', []],
    ['  ', []],
  ])('finds %j in names and labels', (words, lines) => {
    const found = foundArchives(words, KNOWN, COPIES)
    expect(found.map(({ key, name, labels }) => `${key} ${name}: ${labels.join(' ')}`)).toEqual(lines)
  })
})
