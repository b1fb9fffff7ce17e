import { stat } from 'node:fs/promises'
import { AppError } from '../../../../primitives/appError'
import { attempt, fsPath } from '../../../files/fileSystem'
import { openGivenImage } from '../image/damagedImage'
import { openFolder } from '../lists/volume'
import { type VolumeLists, volumeLists } from './volumeLists'

/** The identity of a volume, whatever its path and name. */
export interface VolumeIdentity {
  readonly planId: string | null
  /** SHA-256 of the index of its set; null where it is not known. */
  readonly setId: string | null
  readonly index: number
  readonly label: string
}

/**
 * The lists of the volume that is at a path, an image, a folder or a disc in a drive; null for what
 * is no volume, or says nothing of itself any more.
 * @throws AppError `cancelled`
 */
export async function volumeAt(path: string): Promise<VolumeLists | null> {
  try {
    const stats = await attempt('read', path, stat(fsPath(path)))
    return await volumeLists(
      stats.isDirectory() ? await openFolder(path) : await openGivenImage(path, 'verify'),
    )
  } catch (thrown) {
    const failure = AppError.from(thrown)
    if (failure.code === 'cancelled') throw failure
    return null
  }
}

/**
 * How the lists of a volume say that it is another one; null where they do not. What was damaged
 * in them says nothing.
 */
export function otherIdentity(
  lists: Pick<VolumeLists, 'planId' | 'setId' | 'number' | 'label' | 'index'>,
  wanted: VolumeIdentity,
): 'plan' | 'set' | 'volume' | 'unknown' | null {
  const { planId, setId, number, label, index } = lists
  const isOfPlan = planId !== null && wanted.planId !== null
  const isOfSet = setId !== null && wanted.setId !== null
  if (isOfPlan && planId !== wanted.planId) return 'plan'
  if (isOfSet && setId !== wanted.setId) return 'set'
  if (!isOfPlan && !isOfSet) return 'unknown'
  const isNumbered = number !== null && index !== null
  return (isNumbered ? number === wanted.index : label === wanted.label) ? null : 'volume'
}
