import { existsSync, statSync } from 'node:fs'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import type { Session } from '../session'

/**
 * The id of the survey that `--survey` names: one of the catalog, or a file, which comes into the
 * catalog.
 * @throws AppError `usage` for a folder, and as reading the file fails
 */
export async function surveyGiven(session: Session, given: string): Promise<string> {
  const isThere = existsSync(given)
  if (!isThere && /^s-[0-9a-f]{12}$/.test(given)) return given
  if (isThere && statSync(given).isDirectory()) {
    const message = `--survey takes a survey, and ${pathForDisplay(given)} is a folder: leave out --survey`
    throw new AppError('usage', message, { path: given })
  }
  return session.openSurveyFile(absolutePath(given))
}
