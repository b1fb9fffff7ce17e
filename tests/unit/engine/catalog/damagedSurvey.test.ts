import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Catalog } from '../../../../src/engine/catalog/catalog'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import type { SketchFolder } from '../../../../src/engine/survey/sketchFolder'
import { pruneSketches } from '../../../../src/engine/survey/sketchPruning'
import { EMPTY_DOCUMENT } from '../../../support/catalogSurvey'
import { temporaryFolder } from '../../../support/temporaryFolder'

let folder: string
let catalog: Catalog
let lines: string[]
beforeEach(async () => {
  lines = []
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
  folder = await temporaryFolder()
  catalog = openCatalog(folder)
  for (const [at, id] of ['s-old', 's-damaged', 's-new'].entries())
    catalog.beginSurvey(id).finish({ ...EMPTY_DOCUMENT, id, createdWallMs: at + 1, roots: ['/r'] })
})
afterEach(() => {
  vi.restoreAllMocks()
  catalog.close()
})

/** Changes a row as another program, or an older version with an error, could have left it. */
function withDatabase(sql: string): void {
  const database = new Database(join(folder, 'catalog.db'))
  database.exec(sql)
  database.close()
}

describe.each([
  ['holds nulls in a list', `json_set(document, '$.solid', json('[null]'))`],
  ['is not JSON', `'{"id":'`],
  ['is empty', `''`],
])('a survey whose document %s', (_, damaged) => {
  beforeEach(() => withDatabase(`UPDATE surveys SET document = ${damaged} WHERE id = 's-damaged'`))

  test('is left out of the list and noted once, by its ID', () => {
    for (let time = 0; time < 2; time++)
      expect(catalog.surveys().map(({ id }) => id)).toEqual(['s-new', 's-old'])
    expect(lines).toEqual(['cannot read survey s-damaged: its document in the catalog is damaged\n'])
  })

  test('does not hinder that files of other surveys are found', () => {
    expect(catalog.find('*', 10)).toEqual([])
  })

  test('does not hinder the search for earlier surveys, nor the removal of old sketches', async () => {
    const ids = catalog.earlierSurveys(['/r']).map(({ surveyId }) => surveyId)
    expect(ids.filter((id) => id !== 's-damaged')).toEqual(['s-new', 's-old'])
    expect(catalog.readableSurvey('s-damaged')).toBeNull()
    expect(catalog.readableSurvey('s-new')?.id).toBe('s-new')
    const sketches: Pick<SketchFolder, 'has' | 'remove'> = {
      has: () => true,
      remove: () => Promise.resolve(),
    }
    await pruneSketches(catalog, sketches as SketchFolder, ['/r'])
  })

  test('is named in one line when it is asked for', () => {
    expect(() => catalog.survey('s-damaged')).toThrow(
      expect.objectContaining({
        code: 'catalog-broken',
        message: 'cannot read survey s-damaged: its document in the catalog is damaged',
      }),
    )
  })

  test('does not hinder the catalog from opening when its process was killed', () => {
    catalog.close()
    withDatabase(
      `UPDATE surveys SET state = 'open', owner = '2147483647', sketch_entries = 1 WHERE id = 's-damaged'`,
    )
    catalog = openCatalog(folder)
    expect(catalog.surveys().map(({ id }) => id)).toEqual(['s-new', 's-old'])
  })
})
