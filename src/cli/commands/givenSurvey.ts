import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Session } from '../session'

/** The id of the survey that `--survey` names: one of the catalog, or a file, which comes into the catalog. */
export function surveyGiven(session: Session, given: string): Promise<string> {
  if (/^s-[0-9a-f]{12}$/.test(given) && !existsSync(given)) return Promise.resolve(given)
  return session.openSurveyFile(resolve(given))
}
