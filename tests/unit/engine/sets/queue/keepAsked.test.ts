import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  type QueueRequest,
  queueRequestSchema,
  type RestoreQueue,
} from '../../../../../src/contract/dto/restoreQueue'
import { restoreQueue } from '../../../../../src/domain/sets/queue/restoreQueue'
import { type Catalog } from '../../../../../src/engine/catalog/catalog'
import { openCatalog } from '../../../../../src/engine/catalog/openCatalog'
import { keepAsked } from '../../../../../src/engine/sets/queue/keepAsked'

function emptyCatalog(): { folder: string; catalog: Catalog } {
  const folder = mkdtempSync(join(tmpdir(), 'stowage-asked-'))
  const catalog = openCatalog(folder)
  onTestFinished(() => {
    catalog.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, catalog }
}

/** A queue with these discs left. */
function left(...labels: string[]): RestoreQueue {
  const volumes = labels.map((label, at) => ({
    planId: 'p-1',
    index: at + 1,
    label,
    copies: [{ copy: 1, place: 'shelf', state: 'good' as const, path: null }],
    wholeBytes: 10,
    seconds: null,
  }))
  const files = labels.map((path, at) => ({ path, bytes: 10, ways: [[at]] }))
  return { schema: 'stowage.restoreQueue/1', atWallMs: 7, ...restoreQueue(files, volumes, 5) }
}

const request = (more: Partial<QueueRequest> = {}): QueueRequest =>
  queueRequestSchema.parse({ volumes: ['/plan'], to: '/back', ...more })

test('a queue for a target is kept with the discs that are read, until none is left', () => {
  const { catalog, folder } = emptyCatalog()
  keepAsked(catalog, request(), left('A', 'B', 'C'))
  keepAsked(catalog, request({ given: ['A'], near: 'shelf' }), left('B', 'C'))
  keepAsked(catalog, request({ to: '/other' }), left('C'))
  const again = openCatalog(folder)
  onTestFinished(() => again.close())
  expect(again.askedRestores().find(({ to }) => to === '/back')).toMatchObject({
    volumes: ['/plan'],
    chosen: { paths: [''], except: [] },
    discs: 3,
    given: ['A'],
    near: 'shelf',
    next: { label: 'B', place: 'shelf' },
  })
  keepAsked(catalog, request({ given: ['A', 'B', 'C'] }), left())
  expect(again.askedRestores().map(({ to }) => to)).toEqual(['/other'])
})

test('a disc that is asked for again does not count as read', () => {
  const { catalog } = emptyCatalog()
  keepAsked(catalog, request(), left('A', 'B', 'C'))
  keepAsked(catalog, request({ given: ['A', 'B'], resumes: true }), left('B', 'C'))
  expect(catalog.askedRestores()).toMatchObject([{ discs: 3, given: ['A'] }])
})

test('no password and no queue without a target is kept', () => {
  const { catalog } = emptyCatalog()
  keepAsked(catalog, queueRequestSchema.parse({ volumes: ['/plan'] }), left('A'))
  expect(catalog.askedRestores()).toEqual([])
  keepAsked(catalog, request({ password: new TextEncoder().encode('secret') }), left('A'))
  expect(JSON.stringify(catalog.askedRestores())).not.toMatch(/secret|password|115/)
})
