import { expect, onTestFinished, test } from 'vitest'
import { openCatalog } from '../../../../src/engine/catalog/openCatalog'
import type { SketchFolder } from '../../../../src/engine/survey/sketchFolder'
import { pruneSketches, SKETCHES_KEPT } from '../../../../src/engine/survey/sketchPruning'
import { EMPTY_DOCUMENT } from '../../../support/catalogSurvey'
import { temporaryFolder } from '../../../support/temporaryFolder'

test('sketches are removed behind five newer whole surveys; those that were stopped are not counted', async () => {
  const catalog = openCatalog(await temporaryFolder())
  onTestFinished(() => catalog.close())
  const finish = (id: string, createdWallMs: number, partial: boolean): void =>
    catalog.beginSurvey(id).finish({ ...EMPTY_DOCUMENT, id, roots: ['/r'], createdWallMs, partial })
  finish('oldest', 1, false)
  for (let at = 0; at < SKETCHES_KEPT - 1; at++) finish(`whole-${at}`, 10 + at, false)
  for (let at = 0; at < SKETCHES_KEPT; at++) finish(`stopped-${at}`, 20 + at, true)
  const removed: string[] = []
  const sketches: Pick<SketchFolder, 'has' | 'remove'> = {
    has: (id) => !removed.includes(id),
    remove: (id) => Promise.resolve(void removed.push(id)),
  }
  await pruneSketches(catalog, sketches as SketchFolder, ['/r'])
  expect(removed).toEqual([])
  finish('newest', 30, false)
  await pruneSketches(catalog, sketches as SketchFolder, ['/r'])
  expect(removed).toEqual(['oldest'])
})
