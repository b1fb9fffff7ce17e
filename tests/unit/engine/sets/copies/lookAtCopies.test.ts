import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FileSystems } from '../../../../../src/engine/files/fileSystems'
import { disksAt } from '../../../../../src/engine/sets/copies/lookAtCopies'
import { temporaryFolder } from '../../../../support/surveyedFolder'

test('a disk is named by its file system and itself, else by its device; a missing path has none', async () => {
  const root = temporaryFolder()
  const disksOf = (identity: object | null, path = root) =>
    disksAt(path, { of: async () => identity } as unknown as FileSystems)
  expect(await disksOf({ id: 'F', disk: 'D' })).toEqual(['file system F', 'disk D'])
  expect(await disksOf({ id: 'F', disk: null })).toEqual(['file system F'])
  expect(await disksOf(null)).toEqual([`device ${statSync(root).dev}`])
  expect(await disksOf(null, join(root, 'missing'))).toEqual([])
})
