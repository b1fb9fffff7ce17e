import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PlanDocument, PlanEntry } from '../../../../../src/contract/dto/plan'
import type { CopyOffer } from '../../../../../src/domain/sets/queue/restoreQueue'
import { catalogSet } from '../../../../../src/engine/sets/queue/catalogSet'
import { notYetRestored } from '../../../../../src/engine/sets/queue/notYetRestored'
import { offerVolumes } from '../../../../../src/engine/sets/queue/offeredVolumes'
import { waysToRestore } from '../../../../../src/engine/sets/queue/waysToRestore'
import { wantedOf } from '../../../../../src/engine/sets/restore/wantedFiles'
import type { IndexRow } from '../../../../../src/engine/sets/volume/lists/setIndex'
import { volumesIn } from '../../../../../src/engine/sets/volume/lists/setIndex'
import { fileRow, partRow } from '../../../../support/indexRows'
import { noNotes } from '../../../../support/noNotes'
import { temporaryFolder } from '../../../../support/surveyedFolder'

function indexOf(rows: readonly IndexRow[]) {
  return { id: '', rows, unreadable: [], volumes: volumesIn(rows) }
}

/** The ways to each file of a set, by path; volumes have their own numbers. */
function waysOf(rows: readonly IndexRow[], leftOut: readonly string[] = []) {
  const { files } = wantedOf(indexOf(rows), { files: [] })
  const placeOf = new Map(volumesIn(rows).map(({ index }) => [index, index]))
  const isLeftOut = (volume: number, path: string): boolean => leftOut.includes(`${volume} ${path}`)
  const ways = waysToRestore(rows, files, { placeOf, isLeftOut })
  return Object.fromEntries(ways.map((each) => [each.path, each.ways]))
}

describe('the ways to restore a file', () => {
  test('need every volume with a part, also for its further names', () => {
    const rows = [partRow('film', 1), partRow('film', 2), fileRow('again', 1, { linkOf: 'film' })]
    expect(waysOf(rows)).toEqual({ film: [[1, 2]], again: [[1, 2]] })
  })

  test('are none where a part was left out of its volume', () => {
    const rows = [partRow('film', 1), partRow('film', 2), fileRow('a', 1), fileRow('b', 2)]
    expect(waysOf(rows, ['2 film.002', '1 a'])).toEqual({ film: [], a: [], b: [[2]] })
  })

  test('of an archive that grows lead to any volume with the content, and for an empty file to any at all', () => {
    const rows = [
      fileRow('a', 1, { at: 'a', sha256: 'same' }),
      fileRow('moved', 2, { at: 'a', sha256: 'same' }),
      fileRow('empty', 1, { at: 'empty', bytes: 0 }),
    ]
    expect(waysOf(rows)).toEqual({ a: [[1], [2]], moved: [[1], [2]], empty: [[1], [2]] })
    expect(waysOf(rows, ['1 a'])['moved']).toEqual([[2]])
  })
})

const COPIES = [1, 2].map((number) => ({
  planId: 'p-1',
  volume: 1,
  copy: number,
  place: 'home',
  state: 'good',
  path: null,
}))

test('a copy that a person does without is not offered', () => {
  const plan = { id: 'p-1', volumes: [{ index: 1, label: 'D_1', bytes: 9 }] } as unknown as PlanDocument
  const offersOf = (without: { label: string; copy: number }[]): (number | null)[] => {
    const offered: { copies: readonly CopyOffer[] }[] = []
    const set = { index: indexOf([fileRow('a', 1)]), planId: 'p-1', plan, given: new Map<number, string>() }
    const facts = { copies: COPIES, catalog: { runs: () => [] }, given: [], without }
    offerVolumes(set, facts as unknown as Parameters<typeof offerVolumes>[1], offered as never)
    return offered.flatMap(({ copies: all }) => all.map(({ copy }) => copy))
  }
  expect(offersOf([])).toEqual([1, 2])
  expect(offersOf([{ label: 'D_1', copy: 1 }])).toEqual([2])
  expect(offersOf([{ label: 'D_2', copy: 1 }])).toEqual([1, 2])
})

test('a file with another time in the target is not yet restored', async () => {
  const to = temporaryFolder()
  const mtimeNs = 1_500_000_000_000_000_000n
  for (const [name, seconds] of [
    ['same', 1_500_000_000],
    ['other', 1_500_000_060],
  ] as const) {
    writeFileSync(join(to, name), 'abc')
    utimesSync(join(to, name), seconds, seconds)
  }
  mkdirSync(join(to, 'folder'))
  const rows = ['same', 'other', 'absent', 'folder'].map((path) => fileRow(path, 1, { mtimeNs }))
  const wanted = wantedOf(indexOf(rows), { files: [] })
  const left = await notYetRestored(to, wanted, rows, {
    notes: noNotes,
    signal: new AbortController().signal,
  })
  expect(left.map(({ path }) => path)).toEqual(['other', 'absent', 'folder'])
})

test.each([
  ['one archive over all volumes', { arrangement: 'joined', recipe: '7z-solid-64m-path' }, [[1, 2]]],
  ['a recipe that is not known', { arrangement: 'independent', recipe: 'unheard-of' }, [[1, 2]]],
  ['an archive for each volume', { arrangement: 'independent', recipe: '7z-solid-64m-path' }, [[1]]],
])('a packed file needs by the catalog, of %s, the volumes that hold it', (_, packing, ways) => {
  const volumes = [1, 2].map((index) => ({ index, label: `D_${index}` }))
  const plan = {
    id: 'p-1',
    volumes,
    packing,
    medium: { kind: 'image' },
    createdWallMs: 0,
  } as unknown as PlanDocument
  const entry = (path: string): PlanEntry => ({
    kind: 'file',
    path,
    source: path,
    bytes: 3,
    sha256: 'a'.repeat(64),
  })
  const catalog = {
    planEntries: (_id: string, volume: number) => [entry(volume === 1 ? 'a' : 'b')],
    planHistory: () => null,
  }
  const { index } = catalogSet(plan, catalog as unknown as Parameters<typeof catalogSet>[1])
  expect(waysOf(index.rows)['a']).toEqual(ways)
})
