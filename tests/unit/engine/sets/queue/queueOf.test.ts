import { expect, onTestFinished, test } from 'vitest'
import { queueRequestSchema } from '../../../../../src/contract/dto/restoreQueue'
import { openCatalog } from '../../../../../src/engine/catalog/openCatalog'
import { queueOf } from '../../../../../src/engine/sets/queue/queueOf'
import { planDocument, savePlan, saveSurvey } from '../../../../support/catalogPlan'
import { noNotes } from '../../../../support/noNotes'
import { temporaryFolder } from '../../../../support/surveyedFolder'

test('a listed file is missing only where no plan of the catalog has it', async () => {
  const catalog = openCatalog(temporaryFolder())
  onTestFinished(() => catalog.close())
  saveSurvey(catalog, 's-1', 'a')
  // One with `file-1.jpg` alone, one with `file-2.jpg` too.
  for (const volumes of [1, 2]) savePlan(catalog, planDocument(`p-${volumes}`, 's-1', volumes))
  const { signal } = new AbortController()
  const filesOf = async (planIds: string[], listed: string[]): Promise<number> => {
    const request = queueRequestSchema.parse({ planIds, files: [], listed })
    return (await queueOf(request, { catalog, notes: noNotes, nowWallMs: 0, signal })).files
  }
  for (const planIds of [
    ['p-1', 'p-2'],
    ['p-2', 'p-1'],
  ]) {
    expect(await filesOf(planIds, ['file-2.jpg'])).toBe(1)
    await expect(filesOf(planIds, ['file-2.jpg', 'file-3.jpg'])).rejects.toThrow(
      '"file-3.jpg" is not in this set',
    )
  }
})
