import { joinPath } from '../../files/fileSystem'
import type { FileDifference } from '../volume/open/difference'
import { expectedFiles } from '../volume/open/expectedFiles'
import type { VolumeLists } from '../volume/open/volumeLists'
import { INDEX_NAME, SUMS_NAME } from '../volume/planned/ownNames'

/**
 * The checksums of a volume where they are damaged although every file is right by its index: they
 * cannot be used, or have another digest of some file.
 * @param read the differences that reading the files found; a damaged index says nothing of them
 */
export function damagedSums(lists: VolumeLists, read: readonly FileDifference[]): FileDifference[] {
  const { own, sums } = lists
  const [path, index] = [SUMS_NAME, INDEX_NAME].map((name) => joinPath(own, name))
  if (path === undefined || read.some((file) => file.path === path || file.path === index)) return []
  const differs = sums !== null && expectedFiles(lists).some(({ sha256 }) => sha256.size > 1)
  if (sums !== null && !differs) return []
  return [{ path, code: differs ? 'sums-differ' : 'damaged-lines' }]
}
