import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { archivesDocumentSchema } from '../../../../src/contract/dto/archive'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import { nextAddition } from '../../../../src/engine/archives/addition'
import { archiveRecords } from '../../../../src/engine/archives/archiveRecords'
import { formerRoots } from '../../../../src/engine/archives/formerRoots'
import {
  forgetArchive,
  keepArchive,
  placeSource,
  renameArchive,
} from '../../../../src/engine/archives/keepArchive'
import type { Catalog } from '../../../../src/engine/catalog/catalog'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { planDocument, runDocument, savePlan, saveSurvey } from '../../../support/catalogPlan'
import { temporaryFolder } from '../../../support/temporaryFolder'

let folder: string
let catalog: Catalog
beforeEach(async () => {
  folder = await temporaryFolder()
  catalog = openCatalog(folder)
  saveSurvey(catalog, 's-1', 'a.jpg')
})
afterEach(() => catalog.close())

const archiveOf = (number: number): { id: string; name: string } => ({
  id: `pr-${String(number).padStart(12, '0')}`,
  name: `Archive ${number}`,
})

/** Saves a plan that adds to others, given oldest first. */
function plan(id: string, more: Partial<PlanDocument> = {}, after: readonly string[] = []): void {
  const addsTo = after.map((planId, at) => ({
    generation: at + 1,
    planId,
    setId: 'ab'.repeat(32),
    createdWallMs: 2,
    volumes: [{ index: 1, label: 'A_01' }],
  }))
  savePlan(catalog, { ...planDocument(id, 's-1', 1), ...more, ...(addsTo.length > 0 && { addsTo }) })
}

function build(planId: string): void {
  catalog.saveRun(runDocument(`b-${planId}`, planId, 'build', 100, ['done']))
}

const sets = (): unknown =>
  archiveRecords(catalog).archives.map(({ name, sets: ofIt }) => [
    name,
    ofIt.map(({ plans }) => plans.map(({ id }) => id)),
  ])

const keep = (planId: string, more: { archiveId?: string; name?: string } = {}) =>
  keepArchive(catalog, { planId, ...more }, { nowWallMs: 9, newId: (kind) => `${kind}-${'f'.repeat(12)}` })

describe('the archives of a catalog', () => {
  it('are the projects of plans, by the plan that was stored last, whatever the clock said', () => {
    plan('p-1', { project: archiveOf(1), createdWallMs: 500 })
    plan('p-2', { project: archiveOf(2), createdWallMs: 1 })
    plan('p-3', { project: archiveOf(1), createdWallMs: 400 }, ['p-1'])
    plan('p-4', { createdWallMs: 300 })
    expect(sets()).toEqual([
      ['Archive 1', [['p-1', 'p-3']]],
      ['Archive 2', [['p-2']]],
    ])
    expect(archiveRecords(catalog).sets.map(({ id }) => id)).toEqual(['p-4'])
  })

  it('hold a set whose first plan the catalog no longer has', () => {
    plan('p-1')
    plan('p-2', {}, ['p-1'])
    keep('p-2', { name: 'Family' })
    plan('p-3', {}, ['p-1', 'p-2'])
    catalog.remove(['p-1'])
    expect(sets()).toEqual([['Family', [['p-2', 'p-3']]]])
  })

  it('are added to where something was made last, and say what another set lacks', () => {
    plan('p-1', { project: archiveOf(1) })
    build('p-1')
    plan('p-2', { project: archiveOf(1) })
    build('p-2')
    plan('p-3', { project: archiveOf(1) }, ['p-2'])
    build('p-3')
    plan('p-4', { project: archiveOf(1) })
    const { id } = archiveOf(1)
    expect(nextAddition(catalog, id)).toMatchObject({
      planId: 'p-3',
      unbuilt: null,
      behind: [{ setId: 'p-1', plans: 1, bytes: 5 }],
    })
  })

  it('keep name, names of sources and folder while their answers follow their plans', () => {
    plan('p-1', { project: archiveOf(1), roots: [folder], copies: 2 })
    const first = keep('p-1', { name: 'Family' })
    expect(first).toMatchObject({ id: archiveOf(1).id, name: 'Family', copies: 2, isDerived: false })
    const [source] = first.sources
    plan('p-2', { project: archiveOf(1), roots: [folder, '/more'], copies: 3 })
    expect(keep('p-2')).toMatchObject({
      name: 'Family',
      copies: 3,
      sources: [
        { name: source?.name, path: folder, isThere: true },
        { name: 'more', isThere: false },
      ],
    })
  })

  it('know where a source is now and where it was, until a plan was made there', () => {
    plan('p-1', { project: archiveOf(1), roots: ['/gone'] })
    const { id } = archiveOf(1)
    const moved = placeSource(catalog, { archiveId: id, source: 'gone', path: folder })
    expect(moved.sources).toEqual([{ name: 'gone', path: folder, isThere: true }])
    renameArchive(catalog, id, 'Renamed')
    expect(formerRoots(catalog, archiveOf(1))).toEqual(new Map([[folder, '/gone']]))
    plan('p-2', { project: archiveOf(1), roots: [folder] }, ['p-1'])
    expect(keep('p-2').sources).toEqual([{ name: 'gone', path: folder, isThere: true }])
    expect(formerRoots(catalog, archiveOf(1)).size).toBe(0)
    expect(() => placeSource(catalog, { archiveId: id, source: 'other', path: folder })).toThrow(
      'has no source "other": its sources are gone',
    )
    expect(() => placeSource(catalog, { archiveId: id, source: 'gone', path: join(folder, 'no') })).toThrow(
      'no such file or folder',
    )
  })

  it('are forgotten without their sets, and listed again when a set is adopted', () => {
    plan('p-1', { project: archiveOf(1) })
    forgetArchive(catalog, archiveOf(1).id)
    expect(archiveRecords(catalog)).toMatchObject({ archives: [], sets: [{ id: 'p-1' }] })
    plan('p-2', { project: archiveOf(1) }, ['p-1'])
    expect(archiveRecords(catalog).archives).toEqual([])
    keep('p-2')
    expect(sets()).toEqual([['Archive 1', [['p-1', 'p-2']]]])
  })

  it('of two names, and 200 of them, are listed whole', () => {
    for (let number = 1; number <= 200; number++)
      plan(`p-${number}`, { project: { ...archiveOf(number), name: number < 3 ? 'Same' : `A ${number}` } })
    const document = archivesDocumentSchema.parse(archiveRecords(catalog))
    expect(document.archives).toHaveLength(200)
    expect(document.archives.filter(({ name }) => name === 'Same')).toHaveLength(2)
  })

  it('are adopted only into archives that there are', () => {
    plan('p-1')
    expect(() => keep('p-1', { archiveId: archiveOf(7).id })).toThrow('no archive')
    expect(() => keep('p-9')).toThrow('no plan p-9')
    expect(keep('p-1', { name: 'New' })).toMatchObject({ id: `pr-${'f'.repeat(12)}`, name: 'New' })
  })
})
