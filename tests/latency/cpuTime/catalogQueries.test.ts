import { expect, onTestFinished, test } from 'vitest'
import { openCatalog } from '../../../src/engine/catalog/openCatalog'
import { EMPTY_DOCUMENT, fileEntry } from '../../support/catalogSurvey'
import { temporaryFolder } from '../../support/temporaryFolder'

test('the duplicate files among 200,000 are found within a second of work', async () => {
  const catalog = openCatalog(await temporaryFolder())
  onTestFinished(() => catalog.close())
  const writer = catalog.beginSurvey('s')
  writer.add(
    (function* () {
      for (let k = 0; k < 200_000; k++)
        yield fileEntry(k, `folder ${k % 977}/file ${k}`, (k * 7919) % 130_000, 1 + ((k * 7919) % 130_000))
    })(),
  )
  writer.finish({ ...EMPTY_DOCUMENT, id: 's', roots: ['/r'] })
  // Of this process: what else the machine does is no matter.
  const before = process.cpuUsage()
  const groups = catalog.duplicateFiles('s', 500)
  const { user, system } = process.cpuUsage(before)
  expect(groups).toHaveLength(500)
  expect(groups[0]).toMatchObject({ bytes: 130_000, copies: 2 })
  expect((user + system) / 1000).toBeLessThan(1000)
})
