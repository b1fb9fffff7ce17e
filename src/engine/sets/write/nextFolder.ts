import { access, constants } from 'node:fs/promises'
import type { PlanVolume } from '../../../contract/dto/plan'
import type { WriteRequest, WriteTarget } from '../../../contract/dto/run'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { attempt, fsPath, isFolder, lstatAt, realPathAt } from '../../files/fileSystem'
import { freeBytes } from '../../files/freeSpace'
import { isOneThing } from '../../files/oneThing'
import type { CopyCatalog } from '../copies/knownCopies'
import type { PlanFolder } from '../volume/planned/planFolder'
import { placeIn } from '../volume/planned/plannedVolume'
import { requireOwnPlaces } from './ownPlaces'

/**
 * Makes sure, before the first of two copies is written, that the folder of the second one can hold
 * it: it is another folder, can be written to, has no other copy of these volumes, and has space
 * for those that are not there, and for the first copy too if that goes to its file system.
 * @param bytesOf the size of a volume
 * @throws AppError `exists`, `bad-input`, `no-space` or that of the system, naming the folder
 */
export async function requireNextFolder(
  folder: PlanFolder,
  volumes: readonly PlanVolume[],
  {
    target,
    request,
    bytesOf,
  }: {
    readonly target: WriteTarget
    readonly request: WriteRequest
    readonly bytesOf: (volume: PlanVolume) => number
  },
  catalog: CopyCatalog,
): Promise<void> {
  const { nextFolder: path, nextCopy: copy } = request
  if (path === null) return
  const shown = pathForDisplay(path)
  if (target.kind === 'folder' && isOneThing(target.path, path))
    throw new AppError(
      'exists',
      said`cannot write copy ${copy} to ${shown}: copy ${target.copy ?? 1} is written there; choose another folder`,
      { path },
    )
  if (lstatAt(path) !== null) {
    if (!isFolder(path))
      throw new AppError('bad-input', said`cannot write copy ${copy} to ${shown}: it is not a folder`, {
        path,
      })
    await attempt('write', path, access(fsPath(path), constants.W_OK))
  }
  const next: WriteTarget = { ...target, kind: 'folder', path, copy }
  await requireOwnPlaces(folder, volumes, { target: next, again: false }, catalog)
  if (lstatAt(path) === null) return
  const missingIn = (place: string): number =>
    volumes
      .filter(({ label }) => lstatAt(placeIn(place, label, folder.plan.medium.kind)) === null)
      .reduce((sum, volume) => sum + bytesOf(volume), 0)
  const isShared = target.kind === 'folder' && deviceOf(target.path) === deviceOf(path)
  const bytes = missingIn(path) + (isShared ? missingIn(target.path) : 0)
  const free = await freeBytes(path)
  if (free === null || bytes <= free) return
  throw new AppError(
    'no-space',
    said`cannot write copy ${copy} to ${shown}: ${formatSize(bytes)} needed, ${formatSize(free)} free`,
    { path },
  )
}

/** The device of a folder, links followed; null where it does not exist. */
function deviceOf(path: string): bigint | null {
  return lstatAt(realPathAt(path) ?? path)?.dev ?? null
}
