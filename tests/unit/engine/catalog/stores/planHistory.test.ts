import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Catalog } from '../../../../../src/engine/catalog/catalog'
import { openCatalog } from '../../../../../src/engine/catalog/openCatalog'
import { planDocument, savePlan, saveSurvey } from '../../../../support/catalogPlan'

const ADDED = { generation: 1, planId: 'p-1', setId: 'ab'.repeat(32), createdWallMs: 1, volumes: [] }

let folder: string
let catalog: Catalog
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-plan-history-'))
  catalog = openCatalog(folder)
  for (const id of ['s-1', 's-2']) saveSurvey(catalog, id, 'a')
  savePlan(catalog, planDocument('p-1', 's-1', 2))
  const { volumes, ...second } = planDocument('p-2', 's-2', 1)
  const labelled = volumes.map((volume) => Object.assign(volume, { label: 'A_03' }))
  const lines = [
    { line: 'moved\tfile-1.jpg', path: 'new name.jpg', bytes: 5, holder: 'p-1', volume: 1 },
    { line: 'unchanged\t', path: 'file-2.jpg', bytes: 5, holder: 'p-1', volume: 2 },
    { line: 'gone\t', path: null, bytes: 5, holder: 'p-1', volume: 2 },
    { line: 'on a plan that is not here\t', path: 'elsewhere.jpg', bytes: 5, holder: 'p-0', volume: 1 },
  ]
  const document = { ...second, volumes: labelled, addsTo: [ADDED] }
  catalog.savePlan(document, [{ index: 1, entries: [] }], false, lines)
})
afterEach(() => {
  catalog.close()
  rmSync(folder, { recursive: true, force: true })
})

const found = (pattern: string) =>
  catalog.find(pattern, 10).map(({ path, volume }) => [path, volume?.planId, volume?.label, volume?.needs])

it('keeps the lines of a plan in their order', () => {
  const [moved, ...others] = [...catalog.planHistory('p-2')]
  expect([moved, others.length]).toEqual(['moved\tfile-1.jpg', 3])
  expect([...catalog.planHistory('p-1')]).toEqual([])
  expect(() => [...catalog.planHistory('p-0')]).toThrow('no plan p-0')
})

it('finds a moved file on the volume that holds it, and the one whose index has its name', () => {
  expect(found('new name*')).toEqual([['new name.jpg', 'p-1', 'A_01', ['A_01', 'A_03']]])
})

it('finds a file that stays where it is once, and none on a plan that is not known', () => {
  expect(found('file-2*')).toEqual([['file-2.jpg', 'p-1', 'A_02', undefined]])
  expect(found('elsewhere*')).toEqual([])
})

it('follows a content of the plan itself to the volume that packing put it on', () => {
  const { volumes, ...third } = planDocument('p-3', 's-2', 2)
  const copied = { line: 'copied\tfile\\t1.jpg', path: 'copy.jpg', bytes: 5, holder: 'p-3', volume: 1 }
  const ofOther = { ...copied, path: 'other.jpg', holder: 'p-1' }
  const lists = volumes.map(({ index }) => ({ index, entries: [] }))
  catalog.savePlan({ ...third, volumes, addsTo: [ADDED] }, lists, false, [copied, ofOther])
  catalog.planPacked('p-3', volumes, new Map(), new Map([['file\\t1.jpg', 2]]))
  expect(found('copy*').map(([, planId, label]) => [planId, label])).toEqual([['p-3', volumes[1]?.label]])
  expect(found('other*').map(([, planId, label]) => [planId, label])).toEqual([['p-1', 'A_01']])
})

it('goes with its plan', () => {
  catalog.remove(['p-2'])
  expect(found('new name*')).toEqual([])
  const database = new Database(join(folder, 'catalog.db'), { readonly: true })
  expect(database.prepare('SELECT count(*) FROM plan_history').pluck().get()).toBe(0)
  database.close()
})
