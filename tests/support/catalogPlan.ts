import type { PlanDocument, PlanEntry } from '../../src/contract/dto/plan'
import { RUN_SCHEMA, type RunDocument, type RunVolume } from '../../src/contract/dto/run'
import type { Catalog } from '../../src/engine/catalog/catalog'
import { EMPTY_DOCUMENT, fileEntry } from './catalogSurvey'

/** A plan of CDs with one file of 5 bytes, `file-<n>.jpg`, and one link, `link-<n>`, on each. */
export function planDocument(id: string, surveyId: string, volumes: number): PlanDocument {
  return {
    schema: 'stowage.plan/1',
    id,
    createdWallMs: 2,
    surveyId,
    roots: ['/archive'],
    medium: {
      id: 'cd-700',
      name: 'CD-R 80',
      family: 'cd',
      kind: 'image',
      sectorBytes: 2048,
      capacitySectors: 359_424,
      capacityBytes: 736_100_352,
      source: 'test',
      note: '',
    },
    totals: {
      files: volumes,
      folders: 0,
      symlinks: volumes,
      bytes: 5 * volumes,
      volumes,
      splitFiles: 0,
      lowerBoundVolumes: 1,
    },
    mastering: { tool: 'stowage', version: '1', options: [], volumeDateWallMs: 0 },
    volumes: Array.from({ length: volumes }, (_, at) => ({
      index: at + 1,
      label: `A_0${at + 1}`,
      sectors: 200,
      capacitySectors: 359_424,
      files: 1,
      bytes: 5,
      reserveBytes: 0,
      shares: [],
    })),
    problems: [],
  }
}

export function savePlan(catalog: Catalog, plan: PlanDocument): void {
  const entriesOf = (index: number): PlanEntry[] => [
    {
      kind: 'file',
      path: `file-${index}.jpg`,
      source: `/archive/file-${index}.jpg`,
      bytes: 5,
      sha256: 'ab'.repeat(32),
    },
    { kind: 'symlink', path: `link-${index}`, source: `/archive/link-${index}`, target: 'file-1.jpg' },
  ]
  catalog.savePlan(
    plan,
    plan.volumes.map(({ index }) => ({ index, entries: entriesOf(index) })),
  )
}

/** A run of 10 ms over the first volumes of a plan of `planDocument`, in these states. */
export function runDocument(
  id: string,
  planId: string,
  kind: RunDocument['kind'],
  startedWallMs: number,
  states: readonly RunVolume['state'][],
): RunDocument {
  return {
    schema: RUN_SCHEMA,
    id,
    kind,
    planId,
    directory: '/plans/1',
    startedWallMs,
    elapsedMs: 10,
    outcome: states.includes('failed') ? 'failed' : 'done',
    volumes: states.map((state, at) => ({
      index: at + 1,
      label: `A_0${at + 1}`,
      state,
      forecastSectors: 200,
      actualSectors: null,
      files: 1,
      bytes: 5,
      elapsedMs: 1,
      errors: state === 'failed' ? [{ code: 'verification-failed', message: 'a file differs' }] : [],
    })),
  }
}

/** A finished survey of `/archive` with one file. */
export function saveSurvey(catalog: Catalog, id: string, path: string): void {
  const writer = catalog.beginSurvey(id)
  writer.add([fileEntry(0, path, 1, 5)])
  writer.finish({ ...EMPTY_DOCUMENT, id, roots: ['/archive'] })
}
