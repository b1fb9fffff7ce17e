import { lstatSync } from 'node:fs'
import { fsPath } from '../../files/fileSystem'
import { entryTime, inSlices } from '../../files/sourceCheck'
import { type SourceEntries, sourcePath } from '../../survey/sourceEntries'

/**
 * The times of entries that lie after 2262, in nanoseconds by the entry's id: a survey keeps them
 * modulo 2^64, which is a time before 1970, so that only entries with such a time are asked. One
 * that was changed meanwhile is left to the checks of the source.
 * @throws AppError `cancelled`
 */
export async function laterTimes(
  source: SourceEntries,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, bigint>> {
  const later = new Map<number, bigint>()
  const early = [...source.entries.values()].filter(
    ({ kind, mtimeNs }) => kind !== 'hardLink' && mtimeNs < 0n,
  )
  await inSlices(early, signal, (entry) => {
    const now = lstatSync(fsPath(sourcePath(source, entry)), { bigint: true, throwIfNoEntry: false })
    if (now && now.mtimeNs !== entry.mtimeNs && entryTime(now.mtimeNs) === entry.mtimeNs)
      later.set(entry.id, now.mtimeNs)
  })
  return later
}
