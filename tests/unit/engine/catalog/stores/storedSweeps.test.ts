import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { BandSweepDocument } from '../../../../../src/contract/dto/bands'
import { MIGRATIONS, migrate } from '../../../../../src/engine/catalog/migrate'
import { openCatalog } from '../../../../../src/engine/catalog/openCatalog'
import { FakeSweeps } from '../../../../fixtures/fakeEngine/fakeSweeps'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-sweeps-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Sweeps of a made-up device, the newest first, with what a list shows of them. */
function sweeps() {
  const { get, list } = new FakeSweeps({}, [{ seed: 1 }, { seed: 2, isCached: true }]).handlers(
    () => ({ jobId: 'j' }),
    () => {},
  )
  const documents = ['b-before-0', 'b-before-1'].map((sweepId) => get({ sweepId }) as BandSweepDocument)
  return { documents, items: list() }
}

it('keeps sweeps whole over a restart and lists them newest first', () => {
  const { documents, items } = sweeps()
  const catalog = openCatalog(folder)
  for (const document of documents.toReversed()) catalog.saveSweep(document)
  catalog.close()
  const again = openCatalog(folder)
  expect(again.sweeps()).toEqual(items)
  expect(again.sweeps().map(({ plausible }) => plausible)).toEqual([true, false])
  for (const document of documents) expect(again.sweep(document.id)).toEqual(document)
  expect(() => again.sweep('b-1')).toThrow(expect.objectContaining({ code: 'not-found' }))
  again.close()
})

it('0090 leaves what was measured before as it is', () => {
  const db = new Database(':memory:')
  for (const step of MIGRATIONS) if (step.version <= 80) db.exec(step.sql)
  db.pragma('user_version = 80')
  db.exec(
    `INSERT INTO measurements (id, device_key, created_wall_ms, item, document) VALUES ('m-1', 'k', 1, '{}', '{}')`,
  )
  migrate(db, 'catalog')
  expect(db.prepare('SELECT id FROM measurements').pluck().all()).toEqual(['m-1'])
  expect(db.prepare('SELECT count(*) FROM band_sweeps').pluck().get()).toBe(0)
})
