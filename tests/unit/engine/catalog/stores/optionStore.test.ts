import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { OPTION_BUILD_SCHEMA, type OptionBuild } from '../../../../../src/contract/dto/options'
import { MIGRATIONS, migrate } from '../../../../../src/engine/catalog/migrate'
import { openCatalog } from '../../../../../src/engine/catalog/openCatalog'
import { exact } from '../../../../../src/primitives/estimate'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-builds-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function build(id: string, createdWallMs: number): OptionBuild {
  const figure = exact(10, 'a test')
  return {
    schema: OPTION_BUILD_SCHEMA,
    id,
    createdWallMs,
    surveyId: 's-1',
    sourceBytes: 20,
    sourceFiles: 2,
    roots: ['/a'],
    variant: 'iso',
    family: 'iso',
    name: 'ISO image',
    path: '/b.iso',
    discarded: false,
    tool: 'xorriso',
    version: '1.5.4',
    command: 'xorriso …',
    forecast: { bytes: figure, buildSeconds: figure, ramBytes: figure },
    uncalibrated: { bytes: 10, buildSeconds: 10, ramBytes: 10 },
    actual: { bytes: 11, buildSeconds: 9, ramBytes: null, cpuSeconds: null },
    sha256: null,
    notes: [],
  }
}

it('keeps builds over a restart, newest first', () => {
  const catalog = openCatalog(folder)
  catalog.saveOptionBuild(build('o-1', 5))
  catalog.saveOptionBuild(build('o-2', 7))
  catalog.close()
  const again = openCatalog(folder)
  expect(again.optionBuilds()).toEqual([build('o-2', 7), build('o-1', 5)])
  expect(again.optionBuild('o-1')).toEqual(build('o-1', 5))
  expect(() => again.optionBuild('o-3')).toThrow(expect.objectContaining({ code: 'not-found' }))
  again.close()
})

it('keeps CPU time and load of new builds, and reads older builds without them', () => {
  const catalog = openCatalog(folder)
  const older = build('o-1', 5)
  const newer = {
    ...build('o-2', 7),
    uncalibrated: { ...older.uncalibrated, cpuSeconds: 8 },
    otherCores: 1.5,
  }
  catalog.saveOptionBuild(older)
  catalog.saveOptionBuild(newer)
  expect(catalog.optionBuilds()).toEqual([newer, older])
  catalog.close()
})

it('0100 leaves sweeps as they are', () => {
  const db = new Database(':memory:')
  for (const step of MIGRATIONS) if (step.version <= 90) db.exec(step.sql)
  db.pragma('user_version = 90')
  db.exec(
    `INSERT INTO band_sweeps (id, device_key, created_wall_ms, item, document) VALUES ('b-1', 'k', 1, '{}', '{}')`,
  )
  migrate(db, 'catalog')
  expect(db.prepare('SELECT id FROM band_sweeps').pluck().all()).toEqual(['b-1'])
  expect(db.prepare('SELECT count(*) FROM option_builds').pluck().get()).toBe(0)
})
