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
  folder = mkdtempSync(join(tmpdir(), 'stowage-folders-'))
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

/** Two plans, so that entries of another one would be seen; volumes of the second differ. */
function planned(first: readonly PlanEntry[], second: readonly PlanEntry[] = []): void {
  catalog.savePlan(planDocument('p-0', 's-1', 1), [{ index: 1, entries: [file('not/of/this', 1)] }])
  catalog.savePlan(planDocument('p-1', 's-1', 2), [
    { index: 1, entries: first },
    { index: 2, entries: second },
  ])
}

const rowsIn = (path: string, volume = 1) =>
  catalog.volumeFolder({ planId: 'p-1', volume, folder: path, offset: 0, limit: 100 })

it('lists folders before files, with the sums of all that is below them on this volume', () => {
  planned(
    [
      { kind: 'folder', path: 'p', source: '/archive/p' },
      { kind: 'folder', path: 'p/empty', source: '/archive/p/empty' },
      file('p/a.jpg', 3),
      file('p/z/1.jpg', 10),
      file('p/z/deep/2.jpg', 20),
      file('p/z/deep/again.jpg', 20, { linkOf: 'p/z/deep/2.jpg' }),
      { kind: 'symlink', path: 'p/link', source: '/archive/p/link', target: 'a.jpg' },
      file('pz', 5),
    ],
    [file('p/z/other.jpg', 400)],
  )
  expect(rowsIn('').rows).toEqual([
    { name: 'p', kind: 'folder', files: 4, bytes: 33 },
    { name: 'pz', kind: 'file', files: 1, bytes: 5 },
  ])
  expect(rowsIn('p')).toEqual({
    total: 4,
    rows: [
      { name: 'empty', kind: 'folder', files: 0, bytes: 0 },
      { name: 'z', kind: 'folder', files: 3, bytes: 30 },
      { name: 'a.jpg', kind: 'file', files: 1, bytes: 3 },
      { name: 'link', kind: 'symlink', files: 0, bytes: 0 },
    ],
  })
  expect(rowsIn('p/z', 2).rows).toEqual([{ name: 'other.jpg', kind: 'file', files: 1, bytes: 400 }])
  expect(rowsIn('p/empty')).toEqual({ total: 0, rows: [] })
  expect(rowsIn('absent')).toEqual({ total: 0, rows: [] })
  expect(() => catalog.volumeFolder({ planId: 'p-9', volume: 1, folder: '', offset: 0, limit: 1 })).toThrow(
    'no plan p-9',
  )
})

it('names the parts of split files as parts, and names that are no UTF-8 as they are', () => {
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
    file('v/\udcff.jpg', 1),
  ])
  expect(rowsIn('v').rows).toEqual([
    { name: 'film.mov.002', kind: 'part', files: 1, bytes: 7, part: 2, parts: 3 },
    { name: '\udcff.jpg', kind: 'file', files: 1, bytes: 1 },
  ])
})

it('gives pages of a long folder with the number of all its rows', () => {
  const names = Array.from({ length: 250 }, (_, at) => `n/${String(at).padStart(3, '0')}`)
  planned(names.toReversed().map((name) => file(name, 1)))
  const page = (offset: number) =>
    catalog.volumeFolder({ planId: 'p-1', volume: 1, folder: 'n', offset, limit: 100 })
  expect([0, 100, 200].flatMap((offset) => page(offset).rows.map(({ name }) => `n/${name}`))).toEqual(names)
  expect(page(200)).toMatchObject({ total: 250 })
})
