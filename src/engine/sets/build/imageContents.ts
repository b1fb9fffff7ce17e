import { open } from 'node:fs/promises'
import type { PlanEntry } from '../../../contract/dto/plan'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { attempt, cannot, fsPath } from '../../files/fileSystem'
import { contentChanged } from '../../files/sourceCheck'
import { hashRanges } from '../../native/addon'
import { readerOf, readIsoTree } from '../verify/isoTree'
import { digestHex } from '../verify/verifyFolder'

/**
 * Reads every file of an image that was just written and compares its digest with the plan's: xorriso reads the sources
 * itself, so what came of them is in the image only.
 * @returns a failure for every source whose content in the image is not the planned one
 * @throws AppError `tool-failed` for an image without a planned file, `cancelled`, `io`
 */
export async function changedContents(
  image: string,
  entries: readonly PlanEntry[],
  options: { signal: AbortSignal; onBytes: (done: number) => void },
): Promise<AppError[]> {
  const offsets = await contentOffsets(image)
  const planned = entries.filter((entry) => entry.kind === 'file' || entry.kind === 'part')
  const ranges = planned.map(({ path, bytes }) => {
    const offset = offsets.get(path)
    if (offset !== undefined) return { path: image, offset, length: bytes }
    throw cannot('tool-failed', 'build', image, `${pathForDisplay(path)} is not in it`)
  })
  const { sha256, errors } = await hashRanges(ranges, {
    signal: options.signal,
    onProgress: options.onBytes,
  })
  const [unread] = errors.values()
  if (unread) throw new AppError(unread.code, unread.message)
  const changed = planned.filter((entry, at) => digestHex(sha256, at) !== entry.sha256)
  return changed.map(({ source }) => contentChanged(source))
}

/** Where the content of every file of an image begins, by path. */
async function contentOffsets(image: string): Promise<Map<string, number>> {
  await using file = await attempt('read', image, open(fsPath(image)))
  const { entries } = await readIsoTree(readerOf(file))
  return new Map(entries.flatMap(({ kind, path, offset }) => (kind === 'file' ? [[path, offset]] : [])))
}
