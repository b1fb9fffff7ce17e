import type { VolumeCopy } from '../../../domain/sets/copies/copy'
import { isBelow } from '../../../primitives/isBelow'
import { lstatAt, realPathAt } from '../../files/fileSystem'
import { folderOf } from '../../files/write'

/** True for copies in any of these folders, by whatever path they were reached. */
export function inFolders(folders: readonly string[]): (copy: Pick<VolumeCopy, 'path'>) => boolean {
  const identity = (path: string): string | null => {
    const stats = lstatAt(path)
    return stats && `${stats.dev} ${stats.ino}`
  }
  const identities = new Set(folders.flatMap((folder) => identity(folder) ?? []))
  return ({ path }) => {
    if (path === null) return false
    const real = realPathAt(path) ?? path
    if (folders.some((folder) => real === folder || isBelow(real, folder))) return true
    // A bind mount has another path, and the same folders.
    for (let above = real; ; above = folderOf(above)) {
      const own = identity(above)
      if (own !== null && identities.has(own)) return true
      if (above === folderOf(above)) return false
    }
  }
}
