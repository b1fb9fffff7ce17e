import { expect, test } from 'vitest'
import { expectedFiles } from '../../../../../../src/engine/sets/volume/open/expectedFiles'
import type { VolumeLists } from '../../../../../../src/engine/sets/volume/open/volumeLists'

test('a file is expected with what the index and the checksums say of it, and only where one of them has it', () => {
  const row = { kind: 'file', bytes: 1, sha256: 'a', packed: null, method: null, volume: 1 }
  const rows = [
    { ...row, path: 'both' },
    { ...row, path: 'index' },
    { ...row, path: 'elsewhere', volume: 2 },
    { ...row, path: 'packed', packed: { in: 'x.7z', member: 'packed' } },
    { ...row, path: 'left out' },
  ]
  const sums = new Map([
    ['both', 'b'],
    ['sums', 'c'],
  ])
  const skipped = new Map([['left out', 'changed']])
  const lists = { index: { rows }, sums, own: 'STOWAGE', number: 1, skipped } as unknown as VolumeLists
  expect(expectedFiles(lists).map(({ path, bytes, sha256 }) => [path, bytes, [...sha256]])).toEqual([
    ['both', 1, ['a', 'b']],
    ['index', 1, ['a']],
    ['sums', null, ['c']],
    ['STOWAGE/INDEX.tsv', null, []],
    ['STOWAGE/SHA256SUMS', null, []],
  ])
})
