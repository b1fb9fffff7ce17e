import { createHash } from 'node:crypto'
import { lstat, readdir } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { feedRange } from '../files/feedRange'
import { fileFailure, fsPath, joinPath } from '../files/fileSystem'
import { type PlanFolder, payloadNameOf, placesOf } from './planFolder'

/**
 * Compares the lists of a volume with the digests that the plan was exported with: a list that lost lines would let a volume
 * that lacks files look complete. Plans of older versions have no digests, and pass.
 * @throws AppError `verification-failed` naming the first list that is not as it was exported, `cancelled`, `io`
 */
export async function checkLists(
  folder: PlanFolder,
  volumeIndex: number,
  signal: AbortSignal,
): Promise<void> {
  const { lists } = folder.plan
  if (lists === undefined) return
  const { directory: ofVolume, payload, list: commands } = placesOf(folder, volumeIndex)
  // Commands are compared with the entries wherever they are carried out.
  const own = lists.filter(({ path }) => path.startsWith(`${ofVolume}/`) && path !== commands)
  for (const { path, bytes, sha256 } of own) {
    const file = joinPath(folder.directory, path)
    const found = await lstat(fsPath(file)).catch((thrown: unknown) => {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') throw notAsExported(file, 'it is missing')
      throw fileFailure(thrown, 'read', file)
    })
    const hash = createHash('sha256')
    const hasLength = found.isFile() && found.size === bytes
    if (hasLength) await feedRange(hash, { path: file, offset: 0, bytes }, signal)
    if (!hasLength || hash.digest('hex') !== sha256) {
      throw notAsExported(file, 'it is not what was exported with this plan')
    }
  }
  const place = joinPath(payload, await payloadNameOf(folder, volumeIndex))
  const known = new Set(own.map(({ path }) => path))
  for (const name of await readdir(fsPath(joinPath(folder.directory, place)), 'utf8')) {
    const path = joinPath(place, name)
    if (!known.has(path))
      throw notAsExported(joinPath(folder.directory, path), 'it was not exported with this plan')
  }
}

function notAsExported(path: string, because: string): AppError {
  return new AppError('verification-failed', `cannot use ${pathForDisplay(path)}: ${because}`, { path })
}
