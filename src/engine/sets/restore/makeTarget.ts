import { stat } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { isBelow } from '../../../primitives/isBelow'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { cannot, fileFailure, fsPath, realPathAt } from '../../files/fileSystem'
import { ensureFolder } from '../../files/write'

/**
 * Makes the folder that is restored into, with those above it, or finds it.
 * @throws AppError `not-a-folder`, …
 */
export async function makeTarget(to: string): Promise<void> {
  try {
    ensureFolder(to)
    if ((await stat(fsPath(to))).isDirectory()) return
  } catch (thrown) {
    throw fileFailure(thrown, 'restore to', to)
  }
  throw cannot('not-a-folder', 'restore to', to, said`it is not a folder`)
}

/** The surveyed folder that the target lies inside, null if none; a damaged catalog knows none. */
export function surveyedAround(catalog: Pick<Catalog, 'surveyedRoots'>, to: string): string | null {
  const target = realPathAt(to) ?? to
  try {
    return catalog.surveyedRoots().find((root) => isBelow(target, root)) ?? null
  } catch (thrown) {
    if (AppError.from(thrown).code !== 'catalog-broken') throw thrown
    return null
  }
}

/** The note for a target inside a surveyed folder. */
export function insideNote(to: string, around: string): string {
  return said`${pathForDisplay(to)} lies inside ${pathForDisplay(around)}, so the next survey of that counts the restored files`
}
