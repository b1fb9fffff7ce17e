import { describe, expect, it } from 'vitest'
import type { ExcludedPath } from '../../../../src/domain/survey/rules/rules'
import { type EntryBatch, NATIVE_KIND } from '../../../../src/engine/native/addon'
import { SourceTree } from '../../../../src/engine/survey/walk/sourceTree'

type Given = readonly [path: string, bytes: number | null, rootIndex?: number]

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
  } as unknown as EntryBatch
}

function treeOf(entries: readonly Given[], excluded: readonly ExcludedPath[] = []): SourceTree {
  const tree = new SourceTree(['/src', '/other'])
  tree.add(batchOf(entries))
  tree.addExcluded(excluded)
  tree.finish()
  return tree
}

const NOTHING = { files: 0, bytes: 0, excludedFiles: 0, excludedBytes: 0 }

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
    expect(tree.folder('/src/cache')).toEqual({ rows: [], others: NOTHING })
  })

  it('lists the hundred largest files of a folder, and adds the others up', () => {
    const files = Array.from({ length: 250 }, (_, at): Given => [`f/${at}`, 1 + ((at * 7919) % 250)])
    const tree = treeOf([['', null], ['f', null], ...files])
    const { rows, others } = tree.folder('/src/f')
    expect(rows.map(({ bytes }) => bytes)).toEqual(Array.from({ length: 100 }, (_, at) => 250 - at))
    expect(others).toEqual({ ...NOTHING, files: 150, bytes: (150 * 151) / 2 })
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

  it('refuses a path that the walk did not meet', () => {
    const tree = treeOf([['', null]])
    for (const path of ['/elsewhere', '/src/none', '/source']) expect(() => tree.folder(path)).toThrow(path)
  })
})
