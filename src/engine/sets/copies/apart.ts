import type { Apart } from '../../../contract/dto/copies'
import { realPathAt } from '../../files/fileSystem'
import type { FileSystems } from '../../files/fileSystems'
import { disksAt } from './lookAtCopies'

/**
 * How far two folders for copies are apart, by what is there now. Nothing is known of one that does
 * not exist.
 */
export async function apart(one: string, other: string, fileSystems: FileSystems): Promise<Apart> {
  if (isOneFolder(one, other)) return 'one-folder'
  const [first, second] = await Promise.all([one, other].map((path) => disksAt(path, fileSystems)))
  return first?.some((disk) => second?.includes(disk)) ? 'one-disk' : 'apart'
}

/** True for one folder, by whatever paths. */
export function isOneFolder(one: string, other: string): boolean {
  return one === other || (realPathAt(one) !== null && realPathAt(one) === realPathAt(other))
}
