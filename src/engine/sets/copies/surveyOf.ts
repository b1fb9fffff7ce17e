import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { surveyRoots } from '../../survey/surveyRoots'

/**
 * The survey of exactly these paths to judge a source by: the newest whole one that has the SHA-256
 * of every file, else the newest.
 * @throws AppError `not-found` where there is none, and as the paths cannot be read
 */
export async function surveyOf(
  catalog: Pick<Catalog, 'earlierSurveys' | 'readableSurvey' | 'missingSha256'>,
  paths: readonly string[],
): Promise<string> {
  const surveys = catalog.earlierSurveys(await surveyRoots(paths)).flatMap(({ surveyId }) => {
    const document = catalog.readableSurvey(surveyId)
    return document ? [document] : []
  })
  const whole = surveys.find(({ id, partial }) => !partial && catalog.missingSha256(id).files === 0)
  const chosen = whole ?? surveys[0]
  if (chosen) return chosen.id
  const names = paths.map(pathForDisplay).join(', ')
  throw new AppError('not-found', said`no survey of ${names} in the catalog: "stowage survey" makes one`)
}
