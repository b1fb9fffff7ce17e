import { describe, expect, it } from 'vitest'
import type { ExcludedPath } from '../../../../src/domain/survey/rules/rules'
import { type EntryBatch, NATIVE_KIND } from '../../../../src/engine/native/addon'
import { SourceTree } from '../../../../src/engine/survey/walk/sourceTree'

type Given = readonly [path: string, bytes: number | null, rootIndex?: number, changed?: string]

/** As the walk tells entries; bytes of null for a folder. */
function batchOf(entries: readonly Given[]): EntryBatch {
  const paths = entries.map(([path]) => Buffer.from(path))
  let end = 0
  return {
    count: entries.length,
    rootIndex: Uint32Array.from(entries, ([, , rootIndex = 0]) => rootIndex),
    pathBytes: new Uint8Array(Buffer.concat(paths)),
    pathEnds: Uint32Array.from(paths, ({ length }) => (end += length)),
    kinds: Uint8Array.from(entries, ([, bytes]) => (bytes === null ? NATIVE_KIND.folder : NATIVE_KIND.file)),
    bytes: Float64Array.from(entries, ([, bytes]) => bytes ?? 0),
    mtimeNs: BigInt64Array.from(
      entries,
      ([, , , changed = '2020-06-01']) => BigInt(new Date(`${changed}T12:00`).getTime()) * 1_000_000n,
    ),
  } as unknown as EntryBatch
}

function treeOf(entries: readonly Given[], excluded: readonly ExcludedPath[] = []): SourceTree {
  const tree = new SourceTree(['/src', '/other'])
  tree.add(batchOf(entries))
  tree.addExcluded(excluded)
  tree.finish()
  return tree
}

const NOTHING = { files: 0, bytes: 0, excludedFiles: 0, excludedBytes: 0, classes: [], years: null }

describe('the tree of a source', () => {
  it('has the sources first, each with all that is in it', () => {
    const tree = treeOf([
      ['', null],
      ['a', null],
      ['a/one', 10],
      ['a/b', null],
      ['a/b/two', 30],
      ['three', 5],
      ['x', 7, 1],
    ])
    expect(tree.folder(null).rows.map(({ path, files, bytes }) => [path, files, bytes])).toEqual([
      ['/src', 3, 45],
      ['/other', 1, 7],
    ])
    const { rows, others } = tree.folder('/src')
    expect(rows.map(({ path, name, isFolder, bytes }) => [path, name, isFolder, bytes])).toEqual([
      ['/src/a', 'a', true, 40],
      ['/src/three', 'three', false, 5],
    ])
    expect(others).toEqual(NOTHING)
    expect(tree.folder('/src/a/b').rows).toMatchObject([{ path: '/src/a/b/two', files: 1, bytes: 30 }])
  })

  it('counts what is left out apart, by the rule that does', () => {
    const tree = treeOf(
      [
        ['', null],
        ['a', null],
        ['a/kept', 10],
      ],
      [
        { path: '/src/cache', isFolder: true, files: 4, bytes: 400, rule: 1 },
        { path: '/src/a/x.tmp', isFolder: false, bytes: 7, rule: 0 },
      ],
    )
    expect(tree.folder(null).rows[0]).toMatchObject({
      files: 1,
      bytes: 10,
      excludedFiles: 5,
      excludedBytes: 407,
      rule: null,
    })
    expect(tree.folder('/src').rows).toMatchObject([
      { name: 'cache', excludedFiles: 4, excludedBytes: 400, files: 0, rule: 1 },
      { name: 'a', excludedFiles: 1, excludedBytes: 7, files: 1, rule: null },
    ])
    expect(tree.folder('/src/a').rows).toMatchObject([
      { name: 'kept', rule: null },
      { name: 'x.tmp', rule: 0, excludedBytes: 7, files: 0 },
    ])
    expect(tree.folder('/src/cache')).toEqual({ rows: [], others: NOTHING, classes: [], years: [] })
  })

  it('lists the hundred largest files of a folder, and adds the others up', () => {
    const files = Array.from({ length: 250 }, (_, at): Given => [`f/${at}`, 1 + ((at * 7919) % 250)])
    const tree = treeOf([['', null], ['f', null], ...files])
    const { rows, others } = tree.folder('/src/f')
    expect(rows.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 100 }, (_, at) => 250 - at))
    expect(others).toMatchObject({ files: 150, bytes: (150 * 151) / 2, excludedFiles: 0 })
  })

  it('gives the largest 1,000 rows of a folder, and adds the others up', () => {
    const folders = Array.from({ length: 3000 }, (_, at): ExcludedPath => {
      const path = `/src/f/job-${at}`
      return { path, isFolder: true, files: 2, bytes: 3000 - at, rule: 0 }
    })
    const { rows, others } = treeOf([['', null]], folders).folder('/src/f')
    expect(rows.map(({ name }) => name)).toEqual(Array.from({ length: 1000 }, (_, at) => `job-${at}`))
    expect(others).toEqual({ ...NOTHING, excludedFiles: 4000, excludedBytes: (2000 * 2001) / 2 })
  })

  it('counts the bytes of each folder by class and year, with all below it', () => {
    const tree = treeOf(
      [
        ['', null],
        ['a', null],
        ['a/one.JPG', 600, 0, '2019-03-01'],
        ['a/two.jpg', 300, 0, '2021-12-31'],
        ['a/empty.txt', 0, 0, '1999-01-01'],
        ['a/b', null],
        ['a/b/film.mkv', 50, 0, '2022-01-01'],
        ['a/b/notes.txt', 40, 0, '2020-05-05'],
        ['a/b/x.zip', 30, 0, '2020-05-05'],
        ['x.flac', 7, 1, '2011-01-01'],
      ],
      [{ path: '/src/a/b/left.exe', isFolder: false, bytes: 9000, rule: 0 }],
    )
    const [src, other] = tree.folder(null).rows
    expect(src).toMatchObject({
      classes: [
        { fileClass: 'image', bytes: 900 },
        { fileClass: 'video', bytes: 50 },
        { fileClass: 'text', bytes: 40 },
      ],
      years: { first: 2019, last: 2022, middle: 2019 },
    })
    expect(other).toMatchObject({
      classes: [{ fileClass: 'audio', bytes: 7 }],
      years: { first: 2011, last: 2011, middle: 2011 },
    })
    expect(tree.folder(null).years).toEqual([
      { year: 2011, bytes: 7 },
      { year: 2019, bytes: 600 },
      { year: 2020, bytes: 70 },
      { year: 2021, bytes: 300 },
      { year: 2022, bytes: 50 },
    ])
    expect(tree.folder('/src/a').classes.map(({ fileClass }) => fileClass)).toEqual([
      'image',
      'video',
      'text',
      'archive',
    ])
    expect(tree.folder('/src/a/b').rows.map(({ name, classes, years }) => [name, classes, years])).toEqual([
      ['left.exe', [], null],
      ['film.mkv', [{ fileClass: 'video', bytes: 50 }], { first: 2022, last: 2022, middle: 2022 }],
      ['notes.txt', [{ fileClass: 'text', bytes: 40 }], { first: 2020, last: 2020, middle: 2020 }],
      ['x.zip', [{ fileClass: 'archive', bytes: 30 }], { first: 2020, last: 2020, middle: 2020 }],
    ])
  })

  it('gives classes and years of files that have no row of their own', () => {
    const files = Array.from({ length: 101 }, (_, at): Given => {
      const isLeast = at === 100
      return [`f/${at}.${isLeast ? 'txt' : 'jpg'}`, 101 - at, 0, isLeast ? '2004-02-29' : '2020-01-01']
    })
    expect(treeOf([['', null], ['f', null], ...files]).folder('/src/f').others).toEqual({
      ...NOTHING,
      files: 1,
      bytes: 1,
      classes: [{ fileClass: 'text', bytes: 1 }],
      years: { first: 2004, last: 2004, middle: 2004 },
    })
  })

  it('gives classes and years of the folders beyond the largest 1,000', () => {
    const files = Array.from({ length: 1002 }, (_, at): Given => {
      const isLeast = at >= 1000
      return [`f/${at}/x.${isLeast ? 'iso' : 'jpg'}`, 2000 - at, 0, isLeast ? '2004-02-29' : '2020-01-01']
    })
    expect(treeOf([['', null], ['f', null], ...files]).folder('/src/f').others).toMatchObject({
      files: 2,
      classes: [{ fileClass: 'discImage', bytes: 1000 + 999 }],
      years: { first: 2004, last: 2004, middle: 2004 },
    })
  })

  it('knows the class of a source that is itself a file', () => {
    const tree = new SourceTree(['/film.mkv'])
    tree.add(batchOf([['', 5]]))
    tree.finish()
    expect(tree.folder(null).rows[0]?.classes).toEqual([{ fileClass: 'video', bytes: 5 }])
  })

  it('refuses a path that the walk did not meet', () => {
    const tree = treeOf([['', null]])
    for (const path of ['/elsewhere', '/src/none', '/source']) expect(() => tree.folder(path)).toThrow(path)
  })
})
