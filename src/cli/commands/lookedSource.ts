import { type LookDocument, lookDocumentSchema } from '../../contract/dto/look'
import { type Rules, walkRequestSchema } from '../../contract/dto/survey'
import { absolutePath } from '../../files/absolutePath'
import { checked } from '../arguments'
import type { Session } from '../session'

/**
 * Lists folders and reads a sample of their files.
 * @throws AppError as the two jobs fail
 */
export async function lookAt(
  session: Session,
  paths: readonly string[],
  rules: Rules,
): Promise<LookDocument> {
  const walkId = await walkOf(session, paths, rules, true)
  await session.run(() => session.engine.survey.look({ walkId }))
  return lookDocumentSchema.parse(await session.engine.survey.looked({ walkId }))
}

/**
 * Lists folders; gives the ID of the walk.
 * @param look a sample is drawn for a look
 */
export function walkOf(
  session: Session,
  paths: readonly string[],
  rules: Rules,
  look: boolean,
): Promise<string> {
  const request = checked(
    walkRequestSchema,
    { paths: paths.map((path) => absolutePath(path)), rules, look },
    { paths: 'too many paths for one look: name a folder that holds them' },
  )
  return session.run(() => session.engine.survey.walk(request))
}
