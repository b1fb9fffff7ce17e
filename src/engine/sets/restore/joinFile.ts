import { rm } from 'node:fs/promises'
import { fsPath } from '../../files/fileSystem'
import { unfinishedPath } from '../volume/planned/unfinishedPath'
import type { Joined } from './joinParts'
import type { SplitFile } from './restorePlan'
import type { Restoring } from './restoring'

/**
 * Joins a file as far as its parts are at hand; what is joined so far waits in the target for the
 * others.
 * @param listed paths in the target of all that the set has
 * @throws AppError what hinders all files
 */
export async function joinFile(
  restoring: Restoring,
  { path, bytes, parts }: SplitFile,
  listed: ReadonlySet<string>,
): Promise<void> {
  const { record, target } = restoring
  const [first] = parts
  if (!first) return
  const file = { ...first, path, bytes, sha256: first.wholeSha256 }
  await record.counting({ path, label: first.label, bytes }, async (onBytes) => {
    const place = target.pathIn(path)
    // Where it can wait: nothing of the set has such a name.
    const names = [unfinishedPath(place), unfinishedPath(`${place}.${file.sha256.slice(0, 8)}`)]
    const free = names.filter((name) => !listed.has(name))
    const end = await target.join(file, parts, free, onBytes)
    if (typeof end === 'string') return end
    for (const part of end.lacking) record.absent(path, part)
    await noteWaiting(restoring, path, end)
    return null
  })
}

/**
 * Notes what is joined in part: the volumes that it waits for, and those at hand of which a part
 * cannot be read. Where nothing of it is right, and where no further volume can bring the rest,
 * because it is missing on those at hand, what is joined so far is removed.
 */
export async function noteWaiting(
  { record, incomplete }: Pick<Restoring, 'record' | 'incomplete'>,
  path: string,
  { path: joined, lacking, unread, hasRight }: Joined,
): Promise<void> {
  incomplete.set(path, lacking)
  for (const { part, error } of unread) record.failed(path, part.label, error)
  const canWait = (hasRight || unread.length === 0) && !lacking.every(({ volume }) => record.isAtHand(volume))
  if (!canWait) await rm(fsPath(joined), { force: true })
}
