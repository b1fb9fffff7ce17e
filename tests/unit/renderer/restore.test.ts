import { describe, expect, it } from 'vitest'
import drillGerman from '../../../assets/copy/de/drill.json'
import restoreGerman from '../../../assets/copy/de/restore.json'
import queueGerman from '../../../assets/copy/de/restoreQueue.json'
import treeGerman from '../../../assets/copy/de/restoreTree.json'
import drillEnglish from '../../../assets/copy/en/drill.json'
import restoreEnglish from '../../../assets/copy/en/restore.json'
import queueEnglish from '../../../assets/copy/en/restoreQueue.json'
import treeEnglish from '../../../assets/copy/en/restoreTree.json'
import type { AskedDiscs } from '../../../renderer/src/steps/restore/queueState'
import { initialRestore, reduceRestore } from '../../../renderer/src/steps/restore/restoreState'
import { unitWordOf } from '../../../renderer/src/steps/restore/restoreWords'
import { pagesFor, setLines, unfoldedAtFirst } from '../../../renderer/src/steps/restore/setLines'
import { checkedOf, partlyChosen, toggled } from '../../../renderer/src/steps/restore/setMarks'
import type { OpenedSet, SetRow } from '../../../src/contract/dto/openedSet'
import type { PlanListItem } from '../../../src/contract/dto/plan'
import { type ChoiceMarks, isChosen } from '../../../src/contract/dto/restore'
import { messagesOf } from '../../../src/language/messages'
import { seededRandom } from '../../../src/primitives/seededRandom'

const NONE: ChoiceMarks = new Map()
const ROWS: Readonly<Record<string, readonly string[]>> = {
  '': ['2003', '2004', 'note'],
  '2003': ['2003/Alps', '2003/Iceland'],
  '2003/Alps': ['2003/Alps/1', '2003/Alps/2', '2003/Alps/3'],
  '2003/Iceland': ['2003/Iceland/1'],
  '2004': ['2004/1'],
}
const ALL = Object.values(ROWS).flat()
const entriesOf = (folder: string): number | undefined => ROWS[folder]?.length
const stateOf = (marks: ChoiceMarks, path: string) => checkedOf(marks, partlyChosen(marks), path)

describe.each([
  ['en', [drillEnglish, restoreEnglish, queueEnglish, treeEnglish], /disc|volume/i],
  ['de', [drillGerman, restoreGerman, queueGerman, treeGerman], /disc|datenträger/i],
] as const)('the words for a set of folders in %s', (language, files, discs) => {
  const texts: Readonly<Record<string, string>> = Object.assign({}, ...files)
  const messages = messagesOf(language, texts)
  const values = (unit: 'folder' | 'disc') => ({
    unit,
    ...Object.fromEntries(
      ['label', 'size', 'moment', 'what', 'place', 'given', 'wanted', 'time', 'discs'].map((name) => [
        name,
        'X',
      ]),
    ),
    ...Object.fromEntries(['count', 'places', 'files', 'read', 'copy', 'disc'].map((name) => [name, 2])),
  })
  const chosen = Object.keys(texts).filter((key) => texts[key]?.includes('{unit, select'))

  it('name no disc', () => {
    expect(chosen.length).toBeGreaterThan(20)
    for (const key of chosen) expect(messages.say(key, values('folder'))).not.toMatch(discs)
  })

  it('name discs where the volumes are discs', () => {
    for (const key of chosen) {
      const [folder, disc] = (['folder', 'disc'] as const).map((unit) => messages.say(key, values(unit)))
      expect(folder).not.toBe(disc)
    }
  })
})

describe('the word for the volumes of a set', () => {
  const plans = [
    { id: 'p-disk', mediumId: 'disk', directory: '/media/backup/plan' },
    { id: 'p-discs', mediumId: 'bd-r-25', directory: null },
  ] as PlanListItem[]
  const opened = (planId: string | null) => ({ ...initialRestore, set: { planId } as OpenedSet })

  it('is that of its plan, also while the set is opened by its folder', () => {
    expect(unitWordOf(opened('p-disk'), plans)).toBe('folder')
    expect(unitWordOf({ ...initialRestore, volumes: ['/media/backup/plan'] }, plans)).toBe('folder')
    expect(unitWordOf(opened('p-discs'), plans)).toBe('disc')
  })

  it('is disc where no plan of it is known', () => {
    expect(unitWordOf(opened(null), plans)).toBe('disc')
    expect(unitWordOf({ ...initialRestore, volumes: ['/media/other'] }, plans)).toBe('disc')
  })
})

describe('the check boxes of a set', () => {
  it('choose a folder with everything in it, but for what is left out again', () => {
    const year = toggled(NONE, '2003', entriesOf)
    expect([...year]).toEqual([['2003', true]])
    const without = toggled(year, '2003/Alps/2', entriesOf)
    expect(ALL.filter((path) => stateOf(without, path) === 'partly').toSorted()).toEqual([
      '2003',
      '2003/Alps',
    ])
    expect(stateOf(without, '2003/Alps/1')).toBe('yes')
    expect([...toggled(without, '2003/Alps/2', entriesOf)]).toEqual([['2003', true]])
    expect([...toggled(without, '2003', entriesOf)]).toEqual([['2003', true]])
    expect([...toggled(year, '2003', entriesOf)]).toEqual([])
  })

  it('become one mark of the set when every row of it is chosen by itself', () => {
    const files = ['2003/Alps/1', '2003/Alps/2', '2003/Alps/3', '2003/Iceland/1', '2004/1', 'note']
    const all = files.reduce((marks, path) => toggled(marks, path, entriesOf), NONE)
    expect([...all]).toEqual([['', true]])
  })

  it('agree with each file by itself, whatever is pressed', () => {
    const random = seededRandom(5)
    const files = ALL.filter((path) => ROWS[path] === undefined)
    const below = (path: string): string[] =>
      files.filter((file) => path === '' || file === path || file.startsWith(`${path}/`))
    let marks = NONE
    const chosen = new Set<string>()
    for (let round = 0; round < 400; round++) {
      const path = ['', ...ALL][random.below(ALL.length + 1)] ?? ''
      const own = below(path)
      const isAll = own.every((file) => chosen.has(file))
      for (const file of own)
        if (isAll) chosen.delete(file)
        else chosen.add(file)
      marks = toggled(marks, path, entriesOf)
      expect(files.filter((file) => isChosen(marks, file))).toEqual(files.filter((file) => chosen.has(file)))
      for (const each of ['', ...ALL]) {
        const count = below(each).filter((file) => chosen.has(file)).length
        const expected = count === 0 ? 'no' : count === below(each).length ? 'yes' : 'partly'
        expect(stateOf(marks, each), `${each} of ${JSON.stringify([...marks])}`).toBe(expected)
      }
    }
  })
})

describe('the lines of a set', () => {
  const set = {
    files: 3,
    bytes: 3,
    volumes: [{ index: 1, label: 'A', atHand: true }],
  } as unknown as OpenedSet
  const row = (path: string, entries = 0): SetRow => ({
    path,
    kind: entries > 0 ? 'folder' : 'file',
    entries,
    files: 1,
    bytes: 1,
    volumes: [1],
    volumeCount: 1,
  })

  it('are holes for rows that are not there yet, of which only those near view are asked for', () => {
    const rows: SetRow[] = [row('big', 5000), row('small', 2)]
    rows.length = 2500
    const folders = new Map([['', { total: 2500, rows }]])
    const { lines, gaps } = setLines(set, folders, new Set(['big', 'small']))
    expect(lines).toHaveLength(1 + 2500 + 5000 + 2)
    expect(lines[1]).toMatchObject({ level: 2, isOpen: true })
    expect(lines[2]).toBeUndefined()
    expect(gaps).toEqual([
      { at: 2, count: 5000, folder: 'big', offset: 0 },
      { at: 5003, count: 2, folder: 'small', offset: 0 },
      { at: 5005, count: 2498, folder: '', offset: 2 },
    ])
    expect(pagesFor(gaps, 990, 1010)).toEqual([
      { folder: 'big', offset: 0 },
      { folder: 'big', offset: 1000 },
    ])
    expect(pagesFor(gaps, 5000, 5010)).toEqual([
      { folder: 'big', offset: 4000 },
      { folder: 'small', offset: 0 },
      { folder: '', offset: 0 },
    ])
    expect(pagesFor(gaps, 0, 2)).toEqual([])
  })

  it('are those in the top folders too at first, where all are seen at once', () => {
    expect([...unfoldedAtFirst([row('2003', 2), row('2004', 6), row('note')])]).toEqual(['2003', '2004'])
    expect([...unfoldedAtFirst([row('2003', 2), row('2004', 7), row('note')])]).toEqual([])
  })
})

describe('the state of a restore', () => {
  const set = { setId: 'x', generation: 2 } as OpenedSet
  const opened = reduceRestore(initialRestore, { type: 'opened', set })
  const asked = { reading: [] } as unknown as AskedDiscs

  it.each([
    ['of everything', new Map([['', true]]), true],
    [
      'of everything but a folder',
      new Map([
        ['', true],
        ['2003', false],
      ]),
      false,
    ],
    ['of a folder', new Map([['2003', true]]), false],
  ])('keeps a choice %s in another generation only where that is sure: %o', (_name, marks, isKept) => {
    const chosen = reduceRestore(opened, { type: 'marked', marks })
    expect(reduceRestore(chosen, { type: 'asOf', generation: 1 }).marks).toEqual(isKept ? marks : new Map())
  })

  it('asks for no discs of an earlier choice', () => {
    const asking = reduceRestore(opened, { type: 'asked', asked })
    expect(reduceRestore(asking, { type: 'marked', marks: new Map() }).asked).toBeNull()
    expect(reduceRestore(asking, { type: 'asOf', generation: 1 }).asked).toBeNull()
  })

  it('takes pages of the set that is open alone, with room for all rows of the folder', () => {
    const row = { path: '2003', kind: 'folder' } as unknown as SetRow
    const page = { total: 3, rows: [row] }
    const late = reduceRestore(opened, { type: 'page', state: 'x 1', folder: '', offset: 0, page })
    expect(late).toBe(opened)
    const shown = reduceRestore(opened, { type: 'page', state: 'x 2', folder: '', offset: 1, page })
    expect(shown.folders.get('')).toMatchObject({ total: 3 })
    expect(shown.folders.get('')?.rows).toHaveLength(3)
    expect(shown.folders.get('')?.rows[1]).toBe(row)
  })
})

it('a folder is partly chosen only where something in it is marked otherwise', () => {
  const marks = new Map([
    ['2003', true],
    ['2003/Alps', true],
  ])
  expect([...partlyChosen(marks)]).toEqual([''])
})
