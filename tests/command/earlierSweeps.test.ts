import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bandSweepDocumentSchema } from '../../src/contract/dto/bands'
import { openCatalog } from '../../src/engine/catalog/openCatalog'
import { stowage } from '../fixtures/stowageCommand'

/** A sweep of mounted images as an earlier version kept it: what a list shows, and the document. */
const [item, document] = readFileSync(join(import.meta.dirname, '../fixtures/mountedSweep.txt'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
const { id } = item

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'stowage-sweeps-'))
  openCatalog(home).close()
  const db = new Database(join(home, 'catalog.db'))
  db.prepare(
    'INSERT INTO band_sweeps (id, device_key, created_wall_ms, item, document) VALUES (?, ?, ?, ?, ?)',
  ).run(item.id, item.deviceKey, item.createdWallMs, JSON.stringify(item), JSON.stringify(document))
  db.close()
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

it('a sweep of an earlier version is listed and shown as it was stored', async () => {
  const listed = await stowage(['bands', '--list', '--json'], { home })
  expect(JSON.parse(listed.stdout)).toEqual({ schema: 'stowage.bandSweeps/1', sweeps: [item] })
  const shown = await stowage(['bands', '--show', id, '--json'], { home })
  expect(JSON.parse(shown.stdout)).toEqual(bandSweepDocumentSchema.parse(document))
  expect(JSON.parse(shown.stdout)).toEqual(document)
})

it('a sweep of an earlier version is compared size by size, with its warnings and its CSV', async () => {
  const csv = join(home, 'passes.csv')
  const { code, stdout } = await stowage(['bands', '--show', id, '--all', '--csv', csv], { home })
  const text = stdout.replaceAll(/\s+/g, ' ')
  expect(code).toBe(0)
  expect(text).toMatch(/raw file .* UDSB 1 MiB .* UDSB 2 MiB/)
  expect(text).toContain('This folder is in memory: the figures describe memory, not a disk.')
  expect(text).toContain('this test has never been run on a Mac')
  expect(readFileSync(csv, 'utf8').trimEnd().split('\r\n')).toHaveLength(1 + 3 * 3 * 3)
})
