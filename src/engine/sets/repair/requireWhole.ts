import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { openListed } from '../check/openListed'
import { judgedVolume } from '../verify/judgedVolume'
import { openDamagedImage } from '../volume/image/damagedImage'
import type { Watch } from '../volume/open/readBack'
import { type VolumeLists, volumeLists } from '../volume/open/volumeLists'

/**
 * Reads back an image that was made again.
 * @returns the files on it
 * @throws AppError `verification-failed` where anything of it is damaged, or it is of another set;
 *   `cancelled`
 */
export async function requireWhole(
  path: string,
  { setId, own }: Pick<VolumeLists, 'setId' | 'own'>,
  work: Watch,
): Promise<number> {
  const lists = await volumeLists(await openDamagedImage(path))
  const opened = await openListed({ ...lists, own }, work.signal)
  const { reading, damagedData } = await judgedVolume(opened, null, work)
  const wrong = reading.differences[0]?.path ?? damagedData[0]?.path
  if (wrong === undefined && lists.damagedFolders() === null && lists.setId === setId)
    return opened.expected.length
  throw new AppError(
    'verification-failed',
    said`the image that was made is not whole (${pathForDisplay(wrong ?? path)}); nothing was kept of it`,
  )
}
