import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openCatalog } from '../../../../../src/engine/catalog/openCatalog'
import { planDocument, savePlan, saveSurvey } from '../../../../support/catalogPlan'
import { temporaryFolder } from '../../../../support/temporaryFolder'

test('a list parses the documents that have changed since the last one, and no others', async () => {
  const folder = await temporaryFolder()
  const catalog = openCatalog(folder)
  saveSurvey(catalog, 's-1', 'a.jpg')
  for (const id of ['p-1', 'p-2', 'p-3']) savePlan(catalog, planDocument(id, 's-1', 2))
  const [third, second, first] = catalog.listedPlans().map(({ plan }) => plan)

  const other = new Database(join(folder, 'catalog.db'))
  const moved = { ...planDocument('p-2', 's-1', 2), roots: ['/elsewhere'] }
  other.prepare('UPDATE plans SET document = ? WHERE id = ?').run(JSON.stringify(moved), 'p-2')
  other.close()
  catalog.remove(['p-3'])

  const [changed, same, ...others] = catalog.listedPlans().map(({ plan }) => plan)
  expect(others).toEqual([])
  expect(same).toBe(first)
  expect(changed).toMatchObject({ id: 'p-2', roots: ['/elsewhere'] })
  expect(second?.roots).toEqual(['/archive'])
  expect(third?.id).toBe('p-3')
  expect(catalog.plans().map(({ roots }) => roots)).toEqual([['/elsewhere'], ['/archive']])
  catalog.close()
})
