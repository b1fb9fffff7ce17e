import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Catalog } from '../../../../src/engine/catalog/catalog'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { ownIdentity } from '../../../../src/engine/files/processIdentity'
import { planDocument, runDocument, savePlan, saveSurvey } from '../../../support/catalogPlan'
import { temporaryFolder } from '../../../support/temporaryFolder'

let folder: string
let catalog: Catalog
beforeEach(async () => {
  folder = await temporaryFolder()
  catalog = openCatalog(folder)
  for (const at of [1, 2]) {
    saveSurvey(catalog, `s-${at}`, `a-${at}.jpg`)
    savePlan(catalog, planDocument(`p-${at}`, `s-${at}`, 2))
    catalog.saveRun(runDocument(`b-${at}`, `p-${at}`, 'build', 100, ['done', 'done']))
  }
})
afterEach(() => catalog.close())

/** The rows of every table that has some. */
function rows(): Record<string, number> {
  const database = new Database(join(folder, 'catalog.db'), { readonly: true })
  const tables = ['surveys', 'survey_entries', 'plans', 'volumes', 'plan_entries', 'runs', 'measurements']
  const counts = tables.map((table) => [
    table,
    database.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
  ])
  database.close()
  return Object.fromEntries(counts) as Record<string, number>
}

const ALL = { surveys: 2, survey_entries: 2, plans: 2, volumes: 4, plan_entries: 8, runs: 2, measurements: 0 }

test('removes a plan with its entries and leaves its survey and its runs', () => {
  expect(catalog.remove(['p-1'])).toEqual([{ kind: 'plan', id: 'p-1' }])
  expect(rows()).toEqual({ ...ALL, plans: 1, volumes: 2, plan_entries: 4 })
  expect(catalog.plans().map(({ id }) => id)).toEqual(['p-2'])
  expect(catalog.find('a-1.jpg', 10)).toMatchObject([{ volume: null, surveyId: 's-1' }])
})

test('removes a survey together with the plan that was made from it, in any order', () => {
  expect(catalog.remove(['s-1', 'b-1', 'p-1', 's-1'])).toEqual([
    { kind: 'survey', id: 's-1' },
    { kind: 'run', id: 'b-1' },
    { kind: 'plan', id: 'p-1' },
  ])
  const halves = Object.entries(ALL).map(([table, count]) => [table, count / 2])
  expect(rows()).toEqual(Object.fromEntries(halves))
  expect(catalog.find('*-1.jpg', 10).map(({ volume }) => volume?.planId)).toEqual(['p-2'])
})

test('removes measurements, band sweeps and option builds by their IDs', () => {
  const database = new Database(join(folder, 'catalog.db'))
  for (const [table, id] of [
    ['measurements', 'm-1'],
    ['band_sweeps', 'b-9'],
  ])
    database
      .prepare(
        `INSERT INTO ${table} (id, device_key, created_wall_ms, item, document) VALUES (?, 'k', 1, '', '')`,
      )
      .run(id)
  database.exec(
    `INSERT INTO option_builds (id, family, created_wall_ms, document) VALUES ('o-1', 'iso', 1, '')`,
  )
  database.close()
  expect(rows()).toEqual({ ...ALL, measurements: 1 })
  expect(catalog.remove(['m-1', 'b-9', 'o-1']).map(({ kind }) => kind)).toEqual([
    'measurement',
    'band sweep',
    'option build',
  ])
  expect(rows()).toEqual(ALL)
  expect([catalog.measurements(), catalog.sweeps(), catalog.optionBuilds()]).toEqual([[], [], []])
})

test.each([
  ['an unknown ID', ['p-1', 'x-1'], 'cannot remove x-1: nothing in the catalog has this ID'],
  [
    'a survey that a plan was made from',
    ['b-1', 's-1', 'p-2'],
    'cannot remove survey s-1: plan p-1 was made from it',
  ],
])('removes nothing for %s', (_, ids, message) => {
  expect(() => catalog.remove(ids)).toThrow(expect.objectContaining({ code: 'refused', message }))
  expect(rows()).toEqual(ALL)
})

test('removes no survey that is not finished, and no plan that is not exported yet', () => {
  const writer = catalog.beginSurvey('s-3')
  expect(() => catalog.remove(['s-3'])).toThrow(/nothing in the catalog has this ID/)
  writer.discard()
  catalog.withdrawPlan('p-1')
  expect(() => catalog.remove(['p-1'])).toThrow(/nothing in the catalog has this ID/)
  expect(() => catalog.remove(['s-1'])).toThrow(/plan p-1 was made from it/)
  expect(rows()).toEqual(ALL)
})

test('removes no survey while this or another process surveys, which may take SHA-256 from it', () => {
  saveSurvey(catalog, 's-4', 'b.jpg')
  const running = catalog.beginSurvey('s-3')
  const database = new Database(join(folder, 'catalog.db'))
  for (const owner of [ownIdentity(), String(process.ppid)]) {
    database.prepare("UPDATE surveys SET owner = ? WHERE id = 's-3'").run(owner)
    expect(() => catalog.remove(['s-4'])).toThrow(
      'cannot remove survey s-4: a survey that is running may build on it',
    )
  }
  // Another process has the number of one that has ended.
  const ended = ownIdentity().replace(/^(\d+) \d+/, '$1 1')
  database.prepare("UPDATE surveys SET owner = ? WHERE id = 's-3'").run(ended)
  database.close()
  expect(catalog.remove(['s-4'])).toEqual([{ kind: 'survey', id: 's-4' }])
  running.discard()
})

test('removes a plan or survey whose document is damaged', () => {
  const database = new Database(join(folder, 'catalog.db'))
  database.exec("UPDATE plans SET document = ''; UPDATE surveys SET document = ''")
  database.close()
  expect(catalog.remove(['p-1', 's-1', 'p-2', 's-2'])).toHaveLength(4)
  expect(rows()).toEqual({ ...ALL, surveys: 0, survey_entries: 0, plans: 0, volumes: 0, plan_entries: 0 })
})
