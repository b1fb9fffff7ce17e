import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { checkVolume, placedFiles } from '../check/checkVolume'
import { judgedDamage } from '../recovery/judgedDamage'
import { recoveryPlaces } from '../recovery/recoveryPlaces'
import { openDamagedImage } from '../volume/image/damagedImage'
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
  work: { readonly signal: AbortSignal; readonly onBytes: (done: number) => void },
): Promise<number> {
  const lists = await volumeLists(await openDamagedImage(path))
  const placed = await placedFiles(lists)
  const { differences } = await checkVolume(placed, work)
  const places = await recoveryPlaces(lists.files, own, work.signal)
  const none = { damaged: [], isRight: () => true, digests: new Map<string, string>() }
  const judged = await judgedDamage(lists, none, places, { signal: work.signal })
  const wrong = differences[0]?.path ?? judged.damagedData[0]
  if (wrong === undefined && lists.damagedFolders() === null && lists.setId === setId)
    return placed.files.length
  throw new AppError(
    'verification-failed',
    said`the image that was made is not whole (${pathForDisplay(wrong ?? path)}); nothing was kept of it`,
  )
}
