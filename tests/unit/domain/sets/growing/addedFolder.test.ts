import { expect, it } from 'vitest'
import { addedFolder } from '../../../../../src/domain/sets/growing/addedFolder'

it.each([
  [[], 'added-2'],
  [['added-20/a', 'my added-2', 'x/added-2'], 'added-2'],
  [['added-2/a.zst'], 'added-2-2'],
  [['Added-2', 'added-2-2/b/c.7z', 'added-2-2/d'], 'added-2-3'],
])('containers that are added have a folder that earlier volumes do not: %j', (before, folder) => {
  expect(addedFolder(2, before)).toBe(folder)
})
