import type { SurveyDocument } from '../../contract/dto/survey'
import type { Catalog } from '../catalog/catalog'
import type { SketchFolder } from './sketchFolder'

/**
 * The number of whole surveys of the same roots whose sketches are kept, for each way of counting:
 * some mebibytes each.
 */
export const SKETCHES_KEPT = 5

/**
 * Removes the sketches of surveys that have five newer whole ones of the same roots and with the
 * same counts, those with and without exclusions apart: no survey builds on them any more. The
 * surveys themselves stay; only `survey merge` can no longer use them.
 */
export async function pruneSketches(
  catalog: Catalog,
  sketches: SketchFolder,
  roots: readonly string[],
): Promise<void> {
  const newer = new Map<string, number>()
  for (const { surveyId } of catalog.earlierSurveys(roots)) {
    if (!sketches.has(surveyId)) continue
    const document = catalog.readableSurvey(surveyId)
    if (!document) continue
    const key = countsOf(document)
    const kept = newer.get(key) ?? 0
    if (kept >= SKETCHES_KEPT) await sketches.remove(surveyId)
    else if (!document.partial) newer.set(key, kept + 1)
  }
}

/** The settings that a survey must share with the next for that to build on it. */
function countsOf({ sha256, fixedBlocks, samples, excluded }: SurveyDocument): string {
  // One from which nothing was left out is what later ones with other rules build on.
  return `${sha256} ${fixedBlocks[0]?.blockSize} ${samples === 'quick'} ${excluded === undefined}`
}
