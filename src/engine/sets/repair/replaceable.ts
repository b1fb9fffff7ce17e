import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { cannot, lstatAt } from '../../files/fileSystem'
import { otherIdentity, type VolumeIdentity, volumeAt } from '../volume/open/volumeAt'

/**
 * Makes sure that an image may be written to a path: nothing is there or, where it is to be
 * replaced (`force`), an image of the same volume. Files that Stowage did not write are never
 * replaced.
 * @throws AppError `exists`
 */
export async function requireReplaceable(
  path: string,
  wanted: VolumeIdentity,
  force: boolean,
): Promise<void> {
  if (lstatAt(path) === null) return
  if (!force)
    throw new AppError('exists', said`${pathForDisplay(path)} is already there (--force replaces it)`, {
      path,
    })
  const there = await volumeAt(path)
  if (there !== null && otherIdentity(there, wanted) === null) return
  throw cannot(
    'exists',
    'write',
    path,
    said`what is there is no image of ${wanted.label}; choose another name`,
  )
}
