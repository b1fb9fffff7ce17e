import { expect, onTestFinished, test } from 'vitest'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import { EMPTY_DOCUMENT, fileEntry } from '../../../support/catalogSurvey'
import { temporaryFolder } from '../../../support/temporaryFolder'

test('caches can be freed at any time, also while entries are being read', async () => {
  const catalog = openCatalog(await temporaryFolder())
  onTestFinished(() => catalog.close())
  const writer = catalog.beginSurvey('s')
  writer.add([0, 1, 2].map((key) => fileEntry(key, `file ${key}`, 1, 1)))
  writer.finish({ ...EMPTY_DOCUMENT, id: 's', roots: ['/r'] })
  catalog.freeCaches()
  const paths: string[] = []
  for (const { path } of catalog.surveyEntries('s')) {
    catalog.freeCaches()
    paths.push(path)
  }
  expect(paths).toEqual(['file 0', 'file 1', 'file 2'])
})
