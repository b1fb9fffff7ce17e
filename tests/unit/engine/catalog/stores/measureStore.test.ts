import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MeasurementDocument, measurementDocumentSchema } from '../../../../../src/contract/dto/measure'
import { testSpecSchema } from '../../../../../src/domain/devices/testSpec'
import { MIGRATIONS, migrate } from '../../../../../src/engine/catalog/migrate'
import { openCatalog } from '../../../../../src/engine/catalog/openCatalog'
import { compareMeasurements } from '../../../../../src/engine/devices/compareMeasurements'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-measurements-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function measurement(given: Partial<MeasurementDocument> & { id: string }): MeasurementDocument {
  return measurementDocumentSchema.parse({
    schema: 'stowage.measurement/1',
    createdWallMs: 1000,
    directory: '/media/disk',
    device: {
      key: 'uuid:a',
      name: 'Disk',
      model: 'Disk',
      kind: 'hdd',
      bus: 'sata',
      fileSystem: 'ext4',
      mountPoint: '/media/disk',
      capacityBytes: 1e12,
      freeBytes: 5e11,
      linkBytesPerSecond: null,
      optical: null,
    },
    spec: testSpecSchema.parse({ tests: [{ sizes: ['1MB'] }] }),
    changes: [],
    readOnly: false,
    cache: { requested: 'uncached', obtained: 'uncached', because: null, plausible: true, evidence: [] },
    samples: [],
    write: null,
    read: null,
    streamWrite: null,
    streamRead: null,
    randomRead: null,
    randomWrite: null,
    tests: [],
    warnings: [],
    writtenBytes: 1,
    readBytes: 2,
    flushMs: 0,
    elapsedMs: 5,
    partial: false,
    error: null,
    ...given,
  })
}

describe('the catalog of measurements', () => {
  it('keeps documents whole, lists them newest first and by device', () => {
    const catalog = openCatalog(folder)
    const old = measurement({ id: 'm-old' })
    const other = measurement({ id: 'm-other', createdWallMs: 2000 })
    const elsewhere = measurement({
      id: 'm-else',
      createdWallMs: 3000,
      directory: '/media/\udcff',
      device: { ...old.device, key: 'uuid:b' },
    })
    for (const each of [old, elsewhere, other]) catalog.saveMeasurement(each)
    expect(catalog.measurement('m-else')).toEqual(elsewhere)
    expect(catalog.measurements().map(({ id }) => id)).toEqual(['m-else', 'm-other', 'm-old'])
    expect(catalog.measurements('uuid:a').map(({ id }) => id)).toEqual(['m-other', 'm-old'])
    expect(() => catalog.measurement('m-none')).toThrow('no measurement m-none in the catalog')
    catalog.close()
  })

  it('remembers a folder noted by a process that then died', () => {
    const before = openCatalog(folder)
    before.noteMeasureFolder('/media/\udcff disk', 'stowage-measure-1', 7)
    // No orderly end: another opens it while it is still open.
    const after = openCatalog(folder)
    expect(after.measureFolders()).toMatchObject([
      { directory: '/media/\udcff disk', folder: 'stowage-measure-1', notedWallMs: 7 },
    ])
    for (const noted of after.measureFolders()) after.measureFolderGone(noted)
    expect(before.measureFolders()).toEqual([])
    before.close()
    after.close()
  })

  it('comes into a catalog of before measuring without touching what is there', () => {
    const db = new Database(':memory:')
    const before = MIGRATIONS.filter(({ version }) => version < 70)
    for (const step of before) db.exec(step.sql)
    db.pragma(`user_version = ${before.at(-1)?.version}`)
    db.exec("INSERT INTO surveys (id, state, owner_pid, document) VALUES ('s-1', 'done', 1, '{}')")
    migrate(db, 'catalog')
    expect(db.prepare('SELECT id FROM surveys').pluck().all()).toEqual(['s-1'])
    expect(db.prepare('SELECT count(*) FROM measurements').pluck().get()).toBe(0)
    const plan = db
      .prepare('EXPLAIN QUERY PLAN SELECT id FROM measurements WHERE device_key = ? ORDER BY created_wall_ms')
      .all('uuid:a') as { detail: string }[]
    expect(plan[0]?.detail).toContain('measurements_by_device')
  })
})

describe('compareMeasurements', () => {
  it('lists the reasons against a comparison', () => {
    const a = measurement({ id: 'm-a' })
    expect(compareMeasurements(a, measurement({ id: 'm-b' })).notes).toEqual([])
    const b = measurement({
      id: 'm-b',
      partial: true,
      device: { ...a.device, key: 'uuid:b' },
      spec: { ...a.spec, seed: 2 },
      cache: { ...a.cache, obtained: 'buffered', plausible: false },
    })
    expect(compareMeasurements(a, b).notes).toEqual([
      'differentDevices',
      'differentSpecs',
      'differentCacheModes',
      'implausible',
      'partial',
    ])
  })
})
