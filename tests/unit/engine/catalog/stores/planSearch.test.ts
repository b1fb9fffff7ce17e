import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { PlanEntry } from '../../../../../src/contract/dto/plan'
import type { Catalog } from '../../../../../src/engine/catalog/catalog'
import { openCatalog } from '../../../../../src/engine/catalog/openCatalog'
import { planDocument, saveSurvey } from '../../../../support/catalogPlan'

let folder: string
let catalog: Catalog
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-plan-search-'))
  catalog = openCatalog(folder)
  saveSurvey(catalog, 's-1', 'a')
})
afterEach(() => {
  catalog.close()
  rmSync(folder, { recursive: true, force: true })
})

const SHA256 = 'ab'.repeat(32)
const file = (path: string, bytes: number, more: object = {}): PlanEntry => ({
  kind: 'file',
  path,
  source: `/archive/${path}`,
  bytes,
  sha256: SHA256,
  ...more,
})
const folderAt = (path: string): PlanEntry => ({ kind: 'folder', path, source: `/archive/${path}` })

function planned(...volumes: readonly (readonly PlanEntry[])[]): void {
  catalog.savePlan(planDocument('p-0', 's-1', 1), [
    { index: 1, entries: [file('Iceland of another plan', 1)] },
  ])
  catalog.savePlan(
    planDocument('p-1', 's-1', volumes.length),
    volumes.map((entries, at) => ({ index: at + 1, entries })),
  )
}

const search = (pattern: string, limit = 100) => catalog.searchPlan({ planId: 'p-1', pattern, limit })
const briefly = (pattern: string) =>
  search(pattern).found.map(({ path, kind, volume, files, bytes }) => [path, kind, volume, files, bytes])

it('names a matching folder once on each volume that holds a part of it, with its sums there', () => {
  planned(
    [
      folderAt('Photos'),
      folderAt('Photos/Iceland'),
      file('Photos/Iceland/1.jpg', 10),
      file('Photos/Iceland/deep/2.jpg', 20),
      file('Photos/Iceland/again.jpg', 20, { linkOf: 'Photos/Iceland/deep/2.jpg' }),
      file('Photos/Norway/1.jpg', 40),
    ],
    [file('Photos/Iceland/3.jpg', 100), file('to iceland.txt', 3)],
  )
  expect(search('iceland')).toEqual({
    total: 3,
    found: [
      { path: 'Photos/Iceland', kind: 'folder', volume: 1, files: 3, bytes: 30 },
      { path: 'Photos/Iceland', kind: 'folder', volume: 2, files: 1, bytes: 100 },
      { path: 'to iceland.txt', kind: 'file', volume: 2, files: 1, bytes: 3 },
    ],
    volumes: [
      { index: 1, files: 3, bytes: 30 },
      { index: 2, files: 2, bytes: 103 },
    ],
  })
})

it('takes the patterns of find: wildcards compare the name, a slash the path', () => {
  planned([
    file('Photos/Iceland 2011/a.jpg', 1),
    file('Photos/Iceland 2011/b.CR2', 2),
    file('Photos/b.jpg', 4),
    file('Ålesund/ö.txt', 8),
  ])
  expect(briefly('*.JPG')).toEqual([
    ['Photos/Iceland 2011/a.jpg', 'file', 1, 1, 1],
    ['Photos/b.jpg', 'file', 1, 1, 4],
  ])
  expect(briefly('Iceland*')).toEqual([['Photos/Iceland 2011', 'folder', 1, 2, 3]])
  expect(briefly('photos/?.jpg')).toEqual([['Photos/b.jpg', 'file', 1, 1, 4]])
  expect(briefly('ålesund')).toEqual([['Ålesund', 'folder', 1, 1, 8]])
  expect(search('100%')).toEqual({ total: 0, found: [], volumes: [] })
})

it('finds parts of a split file by its whole name, links, and names that are no UTF-8', () => {
  planned([
    {
      kind: 'part',
      path: 'v/film.mov.002',
      source: '/archive/v/film.mov',
      bytes: 7,
      sha256: SHA256,
      offset: 4,
      part: 2,
      parts: 3,
      wholePath: 'v/film.mov',
      wholeBytes: 20,
      wholeSha256: SHA256,
    },
    { kind: 'symlink', path: 'v/link.mov', source: '/archive/v/link.mov', target: 'a' },
    file('w/\udcff.raw', 1),
  ])
  expect(briefly('*.mov')).toEqual([
    ['v/film.mov.002', 'part', 1, 1, 7],
    ['v/link.mov', 'symlink', 1, 0, 0],
  ])
  expect(briefly('.raw')).toEqual([['w/\udcff.raw', 'file', 1, 1, 1]])
})

it('counts what it does not list', () => {
  planned([file('n/a1', 1), file('n/a2', 1)], [file('n/a3', 1)])
  const found = search('a?', 1)
  expect(found.found).toHaveLength(1)
  expect(found).toMatchObject({
    total: 3,
    volumes: [
      { index: 1, files: 2 },
      { index: 2, files: 1 },
    ],
  })
  expect(() => catalog.searchPlan({ planId: 'p-9', pattern: 'a', limit: 1 })).toThrow('no plan p-9')
})
