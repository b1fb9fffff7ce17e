import type { Apart } from '../../../contract/dto/copies'
import type { FileSystems } from '../../files/fileSystems'
import { isOneThing } from '../../files/oneThing'
import { disksAt } from './lookAtCopies'

/**
 * How far two folders for copies are apart, by what is there now. Nothing is known of one that does
 * not exist.
 */
export async function apart(one: string, other: string, fileSystems: FileSystems): Promise<Apart> {
  if (isOneThing(one, other)) return 'one-folder'
  const [first, second] = await Promise.all([one, other].map((path) => disksAt(path, fileSystems)))
  return first?.some((disk) => second?.includes(disk)) ? 'one-disk' : 'apart'
}
