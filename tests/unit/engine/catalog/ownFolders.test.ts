import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Catalog } from '../../../../src/engine/catalog/catalog'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { holdsOwnFolders, ownFolders } from '../../../../src/engine/catalog/ownFolders'
import { planDocument, savePlan, saveSurvey } from '../../../support/catalogPlan'
import { temporaryFolder } from '../../../support/temporaryFolder'

let folder: string
let home: string
let catalog: Catalog
beforeEach(async () => {
  folder = realpathSync(await temporaryFolder())
  home = join(folder, 'home')
  catalog = openCatalog(home)
  saveSurvey(catalog, 's-1', 'a.jpg')
})
afterEach(() => catalog.close())

/** A plan of the catalog that was exported to a folder, in which there is now the plan of another id. */
function exported(name: string, planId: string, there = planId): string {
  const directory = join(folder, name)
  mkdirSync(directory)
  const text = JSON.stringify({ ...planDocument(there, 's-1', 1), notes: 'x'.repeat(10_000) }, null, 2)
  writeFileSync(join(directory, 'plan.json'), text)
  savePlan(catalog, planDocument(planId, 's-1', 1))
  catalog.planExported(planId, directory)
  return directory
}

test('own folders are the data folder and the exported plans that are still there', () => {
  savePlan(catalog, planDocument('p-never', 's-1', 1))
  const kept = exported('kept', 'p-1')
  exported('replaced', 'p-2', 'p-3')
  rmSync(exported('removed', 'p-4'), { recursive: true })
  writeFileSync(join(exported('not a plan', 'p-5'), 'plan.json'), '{ "id": "p-5" }')
  rmSync(join(exported('emptied', 'p-6'), 'plan.json'))
  expect(ownFolders(catalog)).toEqual([home, kept])
})

test('own folders are given without links in their paths, each once', () => {
  const directory = exported('real', 'p-1')
  symlinkSync(directory, join(folder, 'link'))
  savePlan(catalog, planDocument('p-2', 's-1', 1))
  catalog.planExported('p-1', join(folder, 'link'))
  expect(ownFolders(catalog)).toEqual([home, directory])
})

test('a root holds own folders below it, and what is being made there', () => {
  mkdirSync(join(folder, 'photos'))
  const elsewhere = join(folder, 'elsewhere', 'new')
  mkdirSync(join(folder, 'elsewhere'))
  const photos = join(folder, 'photos')
  expect(holdsOwnFolders(catalog, [photos, home], elsewhere)).toBe(false)
  expect(holdsOwnFolders(catalog, [photos, home], join(photos, 'new'))).toBe(true)
  expect(holdsOwnFolders(catalog, [folder], elsewhere)).toBe(true)
  exported('photos/plan', 'p-1')
  expect(holdsOwnFolders(catalog, [photos], elsewhere)).toBe(true)
})
