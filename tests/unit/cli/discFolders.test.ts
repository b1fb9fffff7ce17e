import { expect, it } from 'vitest'
import { discFolders } from '../../../src/cli/commands/discFolders'

const disc = (...paths: string[]) => ({ shares: paths.map((path) => ({ path, bytes: 1, files: 1 })) })

it('names the three largest folders of a disc and counts the others', () => {
  expect(discFolders(disc('a/2003', 'a/2009'), 40)).toBe('2003, 2009')
  expect(discFolders(disc('a/2003', 'a/2009', 'a/x', 'a/y', 'a/z'), 40)).toBe('2003, 2009, x and 2 more')
  expect(discFolders(disc('2003', '2009', 'x', 'y', ''), 40)).toBe('2003, 2009, x and more')
  expect(discFolders(disc(), 40)).toBe('')
})

it('names fewer where there is less room, and cuts the only one', () => {
  const folders = disc('Photos 2003', 'Scans', 'Letters', 'Films')
  expect(discFolders(folders, 29)).toBe('Photos 2003, Scans and 2 more')
  expect(discFolders(folders, 22)).toBe('Photos 2003 and 3 more')
  expect(discFolders(folders, 18)).toBe('Photos… and 3 more')
  expect(discFolders(disc('a'.repeat(60)), 16)).toBe(`${'a'.repeat(15)}…`)
})
