import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bandSweepDocumentSchema } from '../../src/contract/dto/bands'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import mounted from '../fixtures/mountedSweep.json' with { type: 'json' }
import { stowage } from '../fixtures/stowageCommand'

let home: string
/** A catalog with a sweep of mounted images, as an earlier version wrote its row. */
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'stowage-sweeps-'))
  openCatalog(home).close()
  const db = new Database(join(home, 'catalog.db'))
  const { item, document } = mounted
  db.prepare(
    'INSERT INTO band_sweeps (id, device_key, created_wall_ms, item, document) VALUES (?, ?, ?, ?, ?)',
  ).run(item.id, item.deviceKey, item.createdWallMs, JSON.stringify(item), JSON.stringify(document))
  db.close()
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

it('a sweep of an earlier version is listed and shown as it was stored', async () => {
  const { id } = mounted.item
  const listed = await stowage(['bands', '--list', '--json'], { home })
  expect(JSON.parse(listed.stdout)).toEqual({ schema: 'stowage.bandSweeps/1', sweeps: [mounted.item] })
  const shown = await stowage(['bands', '--show', id, '--json'], { home })
  expect(JSON.parse(shown.stdout)).toEqual(bandSweepDocumentSchema.parse(mounted.document))
  expect(JSON.parse(shown.stdout)).toEqual(mounted.document)
})

it('a sweep of an earlier version is compared size by size, with its warnings and its CSV', async () => {
  const { id } = mounted.item
  const csv = join(home, 'passes.csv')
  const { code, stdout } = await stowage(['bands', '--show', id, '--all', '--csv', csv], { home })
  const text = stdout.replaceAll(/\s+/g, ' ')
  expect(code).toBe(0)
  expect(text).toMatch(/raw file .* UDSB 1 MiB .* UDSB 2 MiB/)
  expect(text).toContain('This folder is in memory: the figures describe memory, not a disk.')
  expect(text).toContain('this test has never been run on a Mac')
  expect(readFileSync(csv, 'utf8').trimEnd().split('\r\n')).toHaveLength(1 + 3 * 3 * 3)
})
