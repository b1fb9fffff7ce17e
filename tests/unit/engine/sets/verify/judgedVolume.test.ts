import { hash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  judgedVolume,
  type OpenedVolume,
  verdictOn,
} from '../../../../../src/engine/sets/verify/judgedVolume'
import type { Expected } from '../../../../../src/engine/sets/volume/lists/expectedTree'
import { openFolder } from '../../../../../src/engine/sets/volume/lists/volume'
import { contentsOf } from '../../../../../src/engine/sets/volume/open/expectedFiles'
import { buffered, readBackTree } from '../../../../../src/engine/sets/volume/open/readBack'
import { temporaryFolder } from '../../../../support/archiveRun'

const folder = temporaryFolder('judged')
afterAll(() => folder.dispose())

/** What must be on each volume: two files with the same content, and another. */
const WANTED = { a: 'twice', b: 'twice', c: 'once' }
const { signal } = new AbortController()
const watch = { signal, onBytes: () => undefined }

/** A folder that holds some files in place of those that are wanted. */
async function opened(
  name: string,
  files: Readonly<Record<string, string>>,
  recovery: OpenedVolume['recovery'],
): Promise<OpenedVolume> {
  const path = join(folder.path, name)
  mkdirSync(path)
  for (const [file, content] of Object.entries({ ...WANTED, ...files }))
    writeFileSync(join(path, file), content)
  const expected = new Map<string, Expected>(
    Object.entries(WANTED).map(([file, text]) => [
      file,
      { kind: 'file', bytes: text.length, sha256: hash('sha256', text) },
    ]),
  )
  const volume = await openFolder(path)
  return {
    label: name,
    volume,
    own: 'STOWAGE',
    expected: contentsOf(expected),
    recovery,
    held: [],
    bytes: 14,
    read: (how) => readBackTree(volume, expected, buffered, how),
  }
}

test.each([
  ['whole', {}, [], []],
  ['with a damaged file whose content is there twice', { a: 'TWICE' }, [], [['a', 'repairable']]],
  ['with a damaged file whose content is there once', { c: 'ONCE' }, [], [['c', 'lost']]],
  ['with a file that is not wanted', { extra: '' }, [], []],
  ['on which nothing gives a file back', { a: 'TWICE' }, null, [['a', 'lost']]],
] as const)('a volume %s is judged', async (name, files, recovery, damaged) => {
  const judged = await judgedVolume(await opened(name, files, recovery), null, watch)
  expect(judged).toMatchObject({ inside: [], contents: 0 })
  expect([...judged.damaged]).toEqual(damaged)
  const named = judged.reading.differences.map((one) => ('path' in one ? one.path : one.code))
  expect(named).toEqual(Object.keys(files))
})

test('files in archives are compared where the archives on a volume are complete', async () => {
  const inside = [
    { label: 'A_01', difference: { path: 'member', code: 'other-member', container: 'c' } as const },
  ]
  let checked = 3
  const contents = {
    get checked() {
      return checked
    },
    differences: async (_: unknown, places: ReadonlyMap<string, unknown>) => {
      checked += places.size
      return inside
    },
  }
  const judged = await judgedVolume(await opened('archives', { a: 'TWICE' }, []), contents, watch)
  expect(judged).toMatchObject({ inside, contents: 2 })
  expect([...judged.damaged]).toEqual([['a', 'repairable']])
})

test('progress never falls, from reading over recovery data to what is unpacked', async () => {
  const seen: number[] = []
  const contents = {
    checked: 0,
    differences: async (_: unknown, __: unknown, onBytes: (done: number) => void) => {
      onBytes(6)
      return []
    },
  }
  const onBytes = (done: number): void => void seen.push(done)
  await judgedVolume(await opened('progress', {}, []), contents, { signal, onBytes })
  expect(seen).toEqual(seen.toSorted((one, other) => one - other))
  expect(seen.at(-1)).toBe(20)
})

const MEMBER = { label: 'A_01', difference: { path: 'm', code: 'other-member', container: 'c' } } as const

test.each([
  ['that is right', {}, [], [], [], 'good'],
  ['with damage that recovery data gives back', { a: 'TWICE' }, [], [], [], 'repairable'],
  [
    'with such damage and an archive that is wrong though it is right',
    { a: 'TWICE' },
    [],
    [MEMBER],
    [],
    'lost',
  ],
  ['with an archive that is wrong alone', {}, [], [MEMBER], [], 'lost'],
  ['with a split file that is wrong as a whole', {}, [], [], [{ path: 's', code: 'other-whole' }], 'lost'],
  ['with a file too many', { extra: '' }, [], [], [], 'repairable'],
  ['with a file too many, on which nothing gives a file back', { extra: '' }, null, [], [], 'lost'],
] as const)('the verdict on a volume %s', async (name, files, recovery, inside, ofSet, verdict) => {
  const judged = await judgedVolume(await opened(name, files, recovery), null, watch)
  expect(verdictOn({ ...judged, inside }, recovery, ofSet)).toBe(verdict)
})
