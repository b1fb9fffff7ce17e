import { AppError } from '../../../primitives/appError'
import { pathToBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { joinPath } from '../../files/fileSystem'
import { replaceFile } from '../../files/place'

/**
 * Writes the survey's files in the order in which a solid archive of them is smallest: their names'
 * own bytes, a zero byte after each, as `tar --null --verbatim-files-from --no-recursion -T FILE`
 * takes them whatever is in a name. Names are below the source if that is one folder (then
 * `-C FOLDER` goes before), else whole paths. Folders and links are not listed.
 * @throws AppError `not-found`, `exists` unless forced, `no-space`, `permission-denied`, `io`
 */
export async function saveOrderList(
  catalog: Catalog,
  surveyId: string,
  file: string,
  force: boolean,
): Promise<void> {
  const { roots } = catalog.survey(surveyId)
  const entries = catalog.contentOrder(surveyId)
  if (entries === null)
    throw new AppError('not-found', said`survey ${surveyId} has no file order: survey again with --full`)
  await replaceFile(catalog, file, force, function* () {
    for (const { rootIndex, path } of entries) {
      const root = roots[rootIndex] ?? ''
      const name = roots.length === 1 && path !== '' ? path : path === '' ? root : joinPath(root, path)
      yield Buffer.concat([pathToBytes(name), Buffer.of(0)])
    }
  })
}
