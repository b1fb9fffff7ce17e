import type { RestoreRequest } from '../../../contract/dto/restore'
import type { PlaceNotes } from '../../files/scratch'
import { openEncryptedIndex } from '../unpack/encryptedIndex'
import { type OpenSet, openSet } from '../volume/openSet'
import { openRenamed } from './openRenamed'

/**
 * The given volumes with the whole index of their set, the inner one of an encrypted set.
 * @throws AppError as `openSet` and `openEncryptedIndex`
 */
export async function openWholeSet(
  {
    volumes,
    originalNames = false,
    password,
  }: Pick<RestoreRequest, 'volumes' | 'password'> & Partial<Pick<RestoreRequest, 'originalNames'>>,
  { notes, signal }: { readonly notes: PlaceNotes; readonly signal: AbortSignal },
): Promise<OpenSet> {
  const set = originalNames ? await openRenamed(volumes[0] ?? '', signal) : await openSet(volumes)
  if (set.volumes.every(({ encryptedIndex }) => encryptedIndex === null)) return set
  return { ...set, index: await openEncryptedIndex(set.volumes, { password, notes, signal }) }
}
