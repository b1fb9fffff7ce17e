import type { PlanEntry } from '../../../contract/dto/plan'
import { storedEntries } from '../../../domain/sets/storedEntries'
import type { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { cannot } from '../../files/fileSystem'
import { hashRangesHex } from '../../files/read'
import { contentChanged } from '../../files/sourceCheck'
import { filesDone } from '../volume/filesDone'
import { openImage } from '../volume/image'

/**
 * Reads every file of an image that was just written and compares its digest with the plan's:
 * xorriso reads the sources itself, so what came of them is in the image only.
 * @returns a failure for every source whose content in the image is not the planned one
 * @throws AppError `tool-failed` for an image without a planned file, `cancelled`, `io`
 */
export async function changedContents(
  image: string,
  entries: readonly PlanEntry[],
  options: { signal: AbortSignal; onBytes: (done: number, files: number) => void },
): Promise<AppError[]> {
  const built = await openImage(image)
  const planned = storedEntries(entries).filter((entry) => entry.kind === 'file' || entry.kind === 'part')
  const ranges: { path: string; offset: number; length: number }[] = []
  for (const { path, bytes } of planned) {
    const place = await built.placeOf(path)
    if (place === null)
      throw cannot('tool-failed', 'build', image, said`${pathForDisplay(path)} is not in it`)
    ranges.push({ path: image, offset: place.offset, length: bytes })
  }
  const filesAt = filesDone(planned.map(({ bytes }) => bytes))
  const digests = await hashRangesHex(ranges, options.signal, (done) => options.onBytes(done, filesAt(done)))
  const changed = planned.filter(({ sha256 }, at) => digests[at] !== sha256)
  return changed.map(({ source }) => contentChanged(source))
}
