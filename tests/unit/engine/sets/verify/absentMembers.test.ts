import { expect, test } from 'vitest'
import type { PlanEntry } from '../../../../../src/contract/dto/plan'
import { absentInIndex } from '../../../../../src/engine/sets/check/setContents'
import { absentMembers } from '../../../../../src/engine/sets/verify/absentMembers'
import { heldOf, membersOf } from '../../../../../src/engine/sets/verify/packedContents'
import type { IndexRow, SetIndex } from '../../../../../src/engine/sets/volume/lists/setIndex'
import { differenceFailure } from '../../../../../src/engine/sets/volume/open/difference'

const SHA256 = '0'.repeat(64)

function file(path: string, more: object = {}): PlanEntry {
  return { kind: 'file', path, source: path, bytes: 1, sha256: SHA256, ...more }
}

function part(number: number): PlanEntry {
  return {
    ...file(`all.7z.00${number}`, { method: '7z-files' }),
    kind: 'part',
    part: number,
    parts: 2,
    offset: 0,
    wholePath: 'all.7z',
    wholeBytes: 2,
    wholeSha256: SHA256,
  } as PlanEntry
}

const failed = (members: PlanEntry[], entries: PlanEntry[]): string[] =>
  absentMembers(membersOf(members), heldOf(entries)).map(
    (difference) => differenceFailure(null, difference).message,
  )

test.each([
  ['an archive', 'all.7z', [file('all.7z', { method: '7z-files' })], null],
  ['every part of an archive', 'all.7z', [part(2), part(1)], null],
  ['a repository', 'borg', [file('borg/config', { method: 'borg-1-none' })], null],
  ['no archive', 'all.7z', [file('other.7z', { method: '7z-files' })], 'is on no volume'],
  ['one part twice', 'all.7z', [part(1), part(1)], 'lacks a part on the volumes'],
  ['no file of a repository', 'borg', [], 'is on no volume'],
  ['a plain file of that name', 'all.7z', [file('all.7z')], 'is on no volume'],
])('a file is counted where the volumes have %s', (_, container, entries, because) => {
  const members = [file('a', { in: container }), file('b', { in: container, linkOf: 'a' })]
  const message = `verification of the set failed: a: its container ${container} ${because}`
  expect(failed(members, entries)).toEqual(because === null ? [] : [message])
})

test('an index without any container names its files as absent', () => {
  const row = { kind: 'file', path: 'a', bytes: 1, sha256: SHA256, linkOf: null, method: null, volume: 1 }
  const packed = { ...row, packed: { in: 'borg', member: 'a' } } as unknown as IndexRow
  const plain = { ...row, path: 'b', packed: null } as unknown as IndexRow
  expect(absentInIndex({ rows: [packed, plain] } as unknown as SetIndex).map(({ path }) => path)).toEqual([
    'a',
  ])
})
