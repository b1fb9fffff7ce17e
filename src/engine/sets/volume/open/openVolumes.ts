import { stat } from 'node:fs/promises'
import { AppError } from '../../../../primitives/appError'
import { pathFromBytes } from '../../../../primitives/pathText'
import { said } from '../../../../primitives/said'
import { attempt, cannot, fsPath, joinPath, lstatAt } from '../../../files/fileSystem'
import { openGivenImage } from '../image/damagedImage'
import { entriesIn, openFolder, type Volume, type VolumeUse } from '../lists/volume'
import { openPlanFolder } from '../planned/planFolder'

/**
 * Opens what a person gave: an image, a mounted or copied disc, a disc's device, or the folder of a
 * plan, which stands for all that was built of it.
 * @param onDamaged takes each volume below a plan's folder that cannot be opened, with the reason
 * @throws AppError `not-found`, `bad-input` for what is no volume, `io`
 */
export async function openVolumes(
  path: string,
  use: VolumeUse,
  onDamaged: (path: string, error: AppError) => void,
): Promise<Volume[]> {
  const stats = await attempt('read', path, stat(fsPath(path)))
  if (!stats.isDirectory()) return [await openGivenImage(path, use)]
  const built = await builtVolumes(path, use, onDamaged)
  if (built === null) return [await openFolder(path)]
  if (built.length > 0) return built
  const isMac = lstatAt(joinPath(path, 'build-on-mac.sh')) !== null
  const first = isMac ? 'open its disk image on a Mac and name the volume' : 'build it first'
  throw cannot('not-found', use, path, said`no volume of this plan is built; ${first}`)
}

/** The volumes that were built in a plan's folder; null for a folder that is not one. */
async function builtVolumes(
  path: string,
  use: VolumeUse,
  onDamaged: (path: string, error: AppError) => void,
): Promise<Volume[] | null> {
  const names = new Set((await entriesIn(path)).map(({ name }) => pathFromBytes(name)))
  if (!names.has('plan.json') || !names.has('volumes')) return null
  const plannedIndex = await plannedIndexIn(path)
  const volumes: Volume[] = []
  let damaged: AppError | null = null
  for (const [kind, opened] of [
    ['images', openGivenImage],
    ['folders', openFolder],
  ] as const) {
    if (!names.has(kind)) continue
    const found = (await entriesIn(joinPath(path, kind))).map(({ name }) => pathFromBytes(name)).toSorted()
    for (const name of found) {
      if (!/^\d{2,}(\.iso)?$/.test(name)) continue
      const place = joinPath(path, kind, name)
      try {
        volumes.push({ ...(await opened(place, use)), plannedIndex })
      } catch (thrown) {
        damaged ??= AppError.from(thrown)
        onDamaged(place, AppError.from(thrown))
      }
    }
  }
  if (damaged !== null && volumes.length === 0) throw damaged
  return volumes
}

/**
 * The digest that a plan has of the index on its volumes; null where the plan has none or cannot be
 * read.
 */
async function plannedIndexIn(path: string): Promise<string | null> {
  for (const [directory, name] of [
    [joinPath(path, 'packed'), 'packed/index.tsv'],
    [path, 'index.tsv'],
  ] as const) {
    const opened = await openPlanFolder(directory).catch(() => null)
    const list = opened?.plan.lists?.find((each) => each.path === name)
    if (list) return list.sha256
  }
  return null
}
