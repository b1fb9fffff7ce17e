import { expect, it } from 'vitest'
import { folderOf } from '../../../../src/engine/files/write'

it.each([
  ['/home/ana/photos', '/home/ana'],
  ['/photos', '/'],
  ['photos', '.'],
  ['2026/may', '2026'],
  ['C:/Users/ana', 'C:/Users'],
  ['C:/photos', 'C:/'],
  ['//server/share/photos', '//server/share'],
])('the folder of %s is %s', (path, folder) => {
  expect(folderOf(path)).toBe(folder)
})
