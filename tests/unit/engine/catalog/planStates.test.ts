import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RunDocument } from '../../../../src/contract/dto/run'
import { monthsLater } from '../../../../src/domain/sets/volumeChecks'
import { eventOfNote, RECHECK_MONTHS } from '../../../../src/domain/sets/volumeEvent'
import type { Catalog } from '../../../../src/engine/catalog/catalog'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { copiesDue } from '../../../../src/engine/sets/copies/copiesDue'
import { runsOfPlan } from '../../../../src/engine/sets/runs/knownRuns'
import { exact } from '../../../../src/primitives/estimate'
import { planDocument, runDocument, savePlan, saveSurvey } from '../../../support/catalogPlan'
import { temporaryFolder } from '../../../support/temporaryFolder'

let folder: string
let catalog: Catalog
let lines: string[]
beforeEach(async () => {
  lines = []
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
  folder = await temporaryFolder()
  catalog = openCatalog(folder)
  saveSurvey(catalog, 's-1', 'a.jpg')
})
afterEach(() => {
  vi.restoreAllMocks()
  catalog.close()
})

const foundIn = (pattern: string) => catalog.find(pattern, 10).map(({ volume }) => volume)

describe('the state of volumes', () => {
  test('is found with their files, from the runs of their plan alone', () => {
    savePlan(catalog, planDocument('p-1', 's-1', 2))
    savePlan(catalog, planDocument('p-2', 's-1', 2))
    catalog.saveRun(runDocument('b-1', 'p-1', 'build', 100, ['done', 'failed']))
    catalog.saveRun(runDocument('v-1', 'p-1', 'verify', 200, ['done', 'pending']))
    const planned = {
      plannedWallMs: 2,
      builtWallMs: null,
      writtenWallMs: null,
      verifiedWallMs: null,
      failedWallMs: null,
      checkByWallMs: null,
    }
    const [second, unbuilt, first] = ['file-2.jpg', 'file-2.jpg', 'file-1.jpg'].map((name, at) =>
      foundIn(name).find((volume) => volume?.planId === (at === 0 ? 'p-2' : 'p-1')),
    )
    expect([second?.state, unbuilt?.state]).toEqual([planned, planned])
    expect(first).toEqual({
      planId: 'p-1',
      index: 1,
      label: 'A_01',
      state: {
        ...planned,
        builtWallMs: 110,
        verifiedWallMs: 210,
        checkByWallMs: monthsLater(210, RECHECK_MONTHS),
      },
    })
    expect(catalog.plans()).toMatchObject([
      { id: 'p-2', volumes: 2, built: 0, verified: 0, failed: 0 },
      { id: 'p-1', volumes: 2, built: 1, verified: 1, failed: 0 },
    ])
  })

  test('follows a packed plan whose archives filled fewer volumes, and joined volumes are all needed', () => {
    const plan = planDocument('p-1', 's-1', 3)
    const packing = { recipe: '7z-files', encryption: 'none', bytes: exact(10, 'a test') } as const
    savePlan(catalog, { ...plan, schema: 'stowage.plan/2', packing: { ...packing, arrangement: 'joined' } })
    expect(foundIn('file-3.jpg')).toMatchObject([{ index: 3, needs: ['A_01', 'A_02', 'A_03'] }])
    catalog.planPacked('p-1', plan.volumes.slice(0, 2), new Map([['file-3.jpg', 1]]))
    expect(foundIn('file-3.jpg')).toMatchObject([{ index: 1, label: 'A_01', needs: ['A_01', 'A_02'] }])
    expect(foundIn('link-3')).toMatchObject([{ index: 2, label: 'A_02' }])
    expect(catalog.plans()).toMatchObject([{ volumes: 2 }])

    savePlan(catalog, { ...plan, id: 'p-2', packing: { ...packing, arrangement: 'independent' } })
    expect(foundIn('file-3.jpg')[0]).not.toHaveProperty('needs')
  })
})

/** A write of the volume of `p-1` as one of its copies, which was read back where `verified`. */
function writeDocument(id: string, copy: number, startedWallMs: number, verified: boolean): RunDocument {
  const run = runDocument(id, 'p-1', 'write', startedWallMs, ['done'])
  const written = {
    sha256: 'cd'.repeat(32),
    bytes: 9,
    endedWallMs: startedWallMs + 10,
    writeMs: 1,
    verified,
    verifyMs: verified ? 1 : null,
    pipe: null,
  }
  const target = { kind: 'drive', path: '/dev/sr0', tool: null, speed: null, onTheFly: false, copy } as const
  return { ...run, target, volumes: run.volumes.map((volume) => Object.assign(volume, { written })) }
}

function note(kind: 'lost' | 'found', copy: number, notedWallMs: number): void {
  const about = { ofSet: 'p-1', volume: 1, label: 'A_01', place: null, medium: null }
  catalog.addEvents([eventOfNote({ ...about, kind, copy, notedWallMs })])
}

describe('the state of a volume with several copies', () => {
  const labels = () => catalog.verifiedFiles().volumes.map(({ label }) => label)
  beforeEach(() => {
    savePlan(catalog, planDocument('p-1', 's-1', 1))
    catalog.saveRun(runDocument('b-1', 'p-1', 'build', 100, ['done']))
  })

  test('is that of a verified further copy while the first is not verified', () => {
    catalog.saveRun(writeDocument('w-1', 1, 200, false))
    expect(labels()).toEqual([])
    catalog.saveRun(writeDocument('w-2', 2, 300, true))
    expect(labels()).toEqual(['A_01'])
    expect(foundIn('file-1.jpg')).toMatchObject([{ state: { builtWallMs: 110, verifiedWallMs: 310 } }])
    expect(catalog.plans()).toMatchObject([{ built: 1, good: 1, verifiedWallMs: 310 }])
    // The first copy is still to be verified.
    const due = copiesDue(catalog, 400)
    expect(due.map(({ copy, last, checkByWallMs }) => [copy, last === null, checkByWallMs])).toEqual([
      [1, true, 210],
      [2, false, monthsLater(310, RECHECK_MONTHS)],
    ])
  })

  test('is that of a further copy once the first is lost, and of none once all are', () => {
    catalog.saveRun(writeDocument('w-1', 1, 200, true))
    catalog.saveRun(writeDocument('w-2', 2, 300, true))
    note('lost', 1, 400)
    expect(catalog.plans()).toMatchObject([{ verifiedWallMs: 310 }])
    expect(labels()).toEqual(['A_01'])
    note('lost', 2, 500)
    expect(labels()).toEqual([])
    note('found', 2, 600)
    expect(labels()).toEqual(['A_01'])
  })

  test('is that of the first while that is good', () => {
    catalog.saveRun(writeDocument('w-1', 1, 200, true))
    catalog.saveRun(writeDocument('w-2', 2, 300, false))
    expect(catalog.plans()).toMatchObject([{ good: 1, verifiedWallMs: 210 }])
  })
})

describe.each([
  ['plan', 'plans', 'p-1'],
  ['run', 'runs', 'b-1'],
])('a %s whose document is damaged', (what, table, id) => {
  beforeEach(() => {
    for (const plan of ['p-1', 'p-2']) {
      savePlan(catalog, planDocument(plan, 's-1', 1))
      catalog.saveRun(runDocument(plan.replace('p', 'b'), plan, 'build', 100, ['done']))
    }
    const database = new Database(join(folder, 'catalog.db'))
    database.prepare(`UPDATE ${table} SET document = '{"id":' WHERE id = ?`).run(id)
    database.close()
  })

  test('is left out of lists and of what is found, and noted once', () => {
    const rest = what === 'plan' ? ['p-2'] : ['p-2', 'p-1']
    for (let time = 0; time < 2; time++) {
      expect(catalog.plans().map((plan) => plan.id)).toEqual(rest)
      expect(foundIn('file-1.jpg').map((volume) => volume?.planId)).toEqual(rest)
      expect(catalog.runs().map((run) => run.id)).toContain('b-2')
    }
    expect(lines).toEqual([`cannot read ${what} ${id}: its document in the catalog is damaged\n`])
  })

  test('is named in one line when it is asked for', () => {
    expect(() => (what === 'plan' ? catalog.plan(id) : catalog.run(id))).toThrow(
      expect.objectContaining({
        code: 'catalog-broken',
        message: `cannot read ${what} ${id}: its document in the catalog is damaged`,
      }),
    )
  })
})

test('files of a survey are found by the survey when its only plan is damaged', () => {
  savePlan(catalog, planDocument('p-1', 's-1', 1))
  expect(foundIn('a.jpg')).toEqual([])
  const database = new Database(join(folder, 'catalog.db'))
  database.exec(`UPDATE plans SET document = ''`)
  database.close()
  expect(foundIn('a.jpg')).toEqual([null])
})

test('the list of plans tells where a set is, how much of it is good and how its last run ended', () => {
  savePlan(catalog, planDocument('p-1', 's-1', 2))
  savePlan(catalog, planDocument('p-2', 's-1', 2))
  catalog.planExported('p-1', folder)
  catalog.planExported('p-2', join(folder, 'gone'))
  catalog.saveRun(runDocument('b-1', 'p-1', 'build', 100, ['done', 'done']))
  catalog.saveRun(runDocument('v-1', 'p-1', 'verify', 200, ['done', 'pending']))
  catalog.saveRun({ ...runDocument('b-2', 'p-2', 'build', 300, ['done', 'pending']), outcome: 'interrupted' })
  const plans = new Map(catalog.plans().map((plan) => [plan.id, plan]))
  expect(plans.get('p-1')).toMatchObject({
    directoryExists: true,
    firstLabel: 'A_01',
    lastLabel: 'A_02',
    project: null,
    good: 1,
    onMedia: 0,
    verifiedWallMs: 210,
    checkByWallMs: monthsLater(210, RECHECK_MONTHS),
    lastRun: { kind: 'verify', startedWallMs: 200, volumes: 2, done: 1, failed: 0 },
  })
  expect(plans.get('p-2')).toMatchObject({
    directoryExists: false,
    good: 0,
    verifiedWallMs: null,
    checkByWallMs: null,
    lastRun: { kind: 'build', outcome: 'interrupted', volumes: 2, done: 1, failed: 0 },
  })
})

test('the runs of a plan whose folder is not at hand show what was built and verified', () => {
  savePlan(catalog, planDocument('p-1', 's-1', 2))
  catalog.saveRun(runDocument('b-1', 'p-1', 'build', 100, ['done', 'done']))
  catalog.saveRun(runDocument('v-1', 'p-1', 'verify', 200, ['done', 'done']))
  expect(runsOfPlan('p-1', catalog).map(({ kind, volumes }) => [kind, volumes.length])).toEqual([
    ['build', 2],
    ['verify', 2],
  ])
})
