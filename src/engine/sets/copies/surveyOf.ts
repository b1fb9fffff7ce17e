import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { lstatAt } from '../../files/fileSystem'
import { surveyRoots } from '../../survey/surveyRoots'

/**
 * The survey of exactly these folders to judge a source by: the newest whole one that has the
 * SHA-256 of every file, else the newest. A folder that was surveyed by another path (a bind mount,
 * say) is known by its device and number.
 * @throws AppError `not-found` where there is none, and as the paths cannot be read
 */
export async function surveyOf(
  catalog: Pick<Catalog, 'earlierSurveys' | 'surveyedRoots' | 'readableSurvey' | 'missingSha256'>,
  paths: readonly string[],
): Promise<string> {
  const roots = await surveyRoots(paths)
  const exact = catalog.earlierSurveys(roots)
  const known = exact.length > 0 ? exact : catalog.earlierSurveys(surveyedAs(roots, catalog.surveyedRoots()))
  const surveys = known.flatMap(({ surveyId }) => {
    const document = catalog.readableSurvey(surveyId)
    return document ? [document] : []
  })
  const whole = surveys.find(({ id, partial }) => !partial && catalog.missingSha256(id).files === 0)
  const chosen = whole ?? surveys[0]
  if (chosen) return chosen.id
  const names = paths.map(pathForDisplay).join(', ')
  throw new AppError('not-found', said`no survey of ${names} in the catalog: "stowage survey" makes one`)
}

/** The paths by which the same folders were surveyed; their own where none is known. */
function surveyedAs(roots: readonly string[], surveyed: readonly string[]): string[] {
  const identity = (path: string): string | null => {
    try {
      const stats = lstatAt(path)
      return stats && `${stats.dev} ${stats.ino}`
    } catch {
      return null
    }
  }
  const known = new Map(surveyed.map((path) => [identity(path), path]))
  return roots.map((root) => known.get(identity(root)) ?? root)
}
