import { expect, it } from 'vitest'
import { type SkippedFile, skipCause, skippedBy, skippedWords } from '../../../../src/domain/sets/skippedFile'

const run = (state: string, skipped?: SkippedFile[]) => ({ volumes: [{ index: 2, state, skipped }] })
const FILE = { path: 'a', cause: 'changed' } as const

it.each([
  ['the last build says', [run('done', [FILE]), run('done')], ['a']],
  ['a later build made the volume whole', [run('done'), run('done', [FILE])], []],
  ['a run that failed says nothing', [run('failed'), run('done', [FILE])], ['a']],
  ['a volume that is kept is not looked at', [run('kept'), run('done', [FILE])], ['a']],
  ['what was read back is', [run('kept', [FILE]), run('done')], ['a']],
  ['nothing is known', [], []],
])('files are left out as %s', (_, runs, expected) => {
  expect([...skippedBy(runs, 2).keys()]).toEqual(expected)
  expect([...skippedBy(runs, 1).keys()]).toEqual([])
})

it('a cause follows from the failure of the source', () => {
  expect((['changed', 'vanished', 'permission-denied', 'io'] as const).map(skipCause)).toEqual([
    'changed',
    'vanished',
    'unreadable',
    'unreadable',
  ])
  expect(skippedWords('vanished')).toBe('left out while building: vanished')
})
