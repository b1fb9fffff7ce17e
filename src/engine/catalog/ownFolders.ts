import { lastComponent } from '../../domain/sets/naming/volumePaths'
import { isBelow } from '../../primitives/isBelow'
import { joinPath, realPathAt } from '../files/fileSystem'
import { planIdIn } from '../files/read'
import { folderOf } from '../files/write'
import type { Catalog } from './catalog'

/**
 * Stowage's own folders, which are no part of a source: the data folder, and the folders of
 * exported plans whose `plan.json` is still that of the plan that the catalog knows there.
 * Absolute, without links in them; those that cannot be looked at are left out.
 */
export function ownFolders(catalog: Pick<Catalog, 'ownPlaces'>): string[] {
  const { dataFolder, plans } = catalog.ownPlaces()
  const planFolders = plans.filter(({ id, directory }) => planIdIn(directory) === id)
  const real = [dataFolder, ...planFolders.map(({ directory }) => directory)].map(realPathAt)
  return [...new Set(real.filter((path) => path !== null))]
}

/**
 * True when one of Stowage's own folders is below a root, so that the root holds more than was
 * surveyed.
 * @param made what is being made, in a folder that exists: it counts too
 */
export function holdsOwnFolders(
  catalog: Pick<Catalog, 'ownPlaces'>,
  roots: readonly string[],
  made: string,
): boolean {
  const folder = realPathAt(folderOf(made))
  const own = [...ownFolders(catalog), ...(folder === null ? [] : [joinPath(folder, lastComponent(made))])]
  return own.some((path) => roots.some((root) => isBelow(path, root)))
}
