import { open } from 'node:fs/promises'
import type { PlanEntry } from '../../../contract/dto/plan'
import { storedEntries } from '../../../domain/sets/storedEntries'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { attempt, cannot, fsPath } from '../../files/fileSystem'
import { contentChanged } from '../../files/sourceCheck'
import { hashRangesHex } from '../plan/fileDigests'
import { readerOf, readIsoTree } from '../verify/isoTree'

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
  const planned = storedEntries(entries).filter((entry) => entry.kind === 'file' || entry.kind === 'part')
  const ranges = planned.map(({ path, bytes }) => {
    const offset = offsets.get(path)
    if (offset !== undefined) return { path: image, offset, length: bytes }
    throw cannot('tool-failed', 'build', image, `${pathForDisplay(path)} is not in it`)
  })
  const digests = await hashRangesHex(ranges, options.signal, options.onBytes)
  const changed = planned.filter(({ sha256 }, at) => digests[at] !== sha256)
  return changed.map(({ source }) => contentChanged(source))
}

/** Where the content of every file of an image begins, by path. */
async function contentOffsets(image: string): Promise<Map<string, number>> {
  await using file = await attempt('read', image, open(fsPath(image)))
  const { entries } = await readIsoTree(readerOf(file))
  return new Map(entries.flatMap(({ kind, path, offset }) => (kind === 'file' ? [[path, offset]] : [])))
}
