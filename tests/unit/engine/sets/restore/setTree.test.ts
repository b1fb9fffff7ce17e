import { describe, expect, test } from 'vitest'
import type { SetRow } from '../../../../../src/contract/dto/openedSet'
import { isChosen } from '../../../../../src/domain/sets/restoreChoice'
import { ContentSources } from '../../../../../src/engine/sets/restore/contentSources'
import { SetTree, type TreeEntry } from '../../../../../src/engine/sets/restore/setTree'
import { seededRandom } from '../../../../../src/primitives/seededRandom'

const NAMES = ['a', 'b', 'B', '*', 'new\nline', '\udcff', 'é', 'a.b', 'a ']

/** A tree of random paths, on up to four volumes; some files are in archives. */
function randomTree(seed: number): {
  tree: SetTree
  entries: Map<string, TreeEntry>
  volumes: Map<string, number>
} {
  const random = seededRandom(seed)
  const sources = new ContentSources()
  const entries = new Map<string, TreeEntry>()
  const volumes = new Map<string, number>()
  const folders = ['']
  for (let round = 0; round < 120; round++) {
    const folder = folders[random.below(folders.length)] ?? ''
    const path = `${folder === '' ? '' : `${folder}/`}${NAMES[random.below(NAMES.length)]}`
    if (entries.has(path)) continue
    const kind = (['folder', 'file', 'file', 'symlink'] as const)[random.below(4)] ?? 'file'
    const volume = 1 + random.below(4)
    if (kind === 'folder') folders.push(path)
    if (kind === 'file') volumes.set(path, volume)
    const source = { place: kind === 'file' ? sources.placeOf([volume]) : 0, container: 0 }
    entries.set(path, { path, kind, bytes: kind === 'file' ? random.below(1000) : 0, source })
  }
  return { tree: new SetTree(entries.values(), sources), entries, volumes }
}

function rowsBelow(tree: SetTree, folder = ''): SetRow[] {
  const { rows } = tree.folder(folder, 0, 10_000)
  return rows.flatMap((row) => (row.kind === 'folder' ? [row].concat(rowsBelow(tree, row.path)) : [row]))
}

describe.each(Array.from({ length: 20 }, (_, seed) => seed))('a set of random paths, seed %i', (seed) => {
  test('has each path once, with the sums of its folders', () => {
    const { tree, entries, volumes } = randomTree(seed)
    const rows = rowsBelow(tree)
    expect(rows.map(({ path }) => path).toSorted()).toEqual([...entries.keys()].toSorted())
    for (const row of rows) {
      const inside = [...entries.values()].filter(
        ({ path, kind }) => kind === 'file' && (path === row.path || path.startsWith(`${row.path}/`)),
      )
      expect([row.files, row.bytes]).toEqual([
        inside.length,
        inside.reduce((sum, { bytes }) => sum + bytes, 0),
      ])
      const on = new Set(inside.map(({ path }) => volumes.get(path) ?? 0))
      expect(row.volumes).toEqual([...on].toSorted((one, other) => one - other))
    }
  })

  test('counts of a choice what the nearest mark above each path chooses', () => {
    const { tree, entries } = randomTree(seed)
    const random = seededRandom(1000 + seed)
    const paths = ['', ...entries.keys(), 'not/there']
    for (let round = 0; round < 20; round++) {
      const marks = new Map(
        Array.from({ length: random.below(6) }, () => [
          paths[random.below(paths.length)] ?? '',
          random.below(2) === 0,
        ]),
      )
      const chosen = [...entries.values()].filter(({ path }) => isChosen(marks, path))
      const count = (kind: string): number => chosen.filter((entry) => entry.kind === kind).length
      const bytes = chosen.reduce((sum, entry) => sum + entry.bytes, 0)
      const { byVolume, ...needs } = tree.needs(marks)
      expect(needs).toEqual({
        folders: count('folder'),
        files: count('file'),
        links: count('symlink'),
        bytes,
      })
      expect([...byVolume.values()].reduce((sum, each) => sum + each, 0)).toBe(bytes)
    }
  })
})

test('one file of an archive needs the whole of it', () => {
  const sources = new ContentSources()
  const place = sources.placeOf([2, 1])
  const file = (path: string, container: number, bytes: number): TreeEntry => ({
    path,
    kind: 'file',
    bytes,
    source: { place, container },
  })
  const tree = new SetTree([file('a', 1, 600), file('b', 1, 400), file('c', 2, 50)], sources)
  expect(tree.needs(new Map([['a', true]]))).toEqual({
    folders: 0,
    files: 1,
    links: 0,
    bytes: 600,
    byVolume: new Map([
      [1, 500],
      [2, 500],
    ]),
  })
})

test('a folder without a row of its own, and deeper than a stack, is there', () => {
  const path = `${'x/'.repeat(20_000)}file`
  const entry = { path, kind: 'file', bytes: 3, source: { place: 0, container: 0 } } as const
  const tree = new SetTree([entry], new ContentSources())
  expect(tree.folders).toBe(20_000)
  expect(tree.folder('x/x', 0, 10).rows[0]).toMatchObject({ path: 'x/x/x', files: 1, bytes: 3, entries: 1 })
  expect(() => tree.folder('y', 0, 10)).toThrow('no folder y in this set')
})
