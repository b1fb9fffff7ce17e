import type { ReadingWay } from '../../../contract/dto/check'
import { said } from '../../../primitives/said'
import type { ContentPlace } from '../../files/read'
import type { ReadingWays } from '../../native/sectorReading'
import type { FileDifference } from '../volume/open/difference'
import { expectedFiles } from '../volume/open/expectedFiles'
import { direct, type PlacedFiles, placeContents, readBack } from '../volume/open/readBack'
import type { VolumeLists } from '../volume/open/volumeLists'

/** The result of reading every file of one volume. */
export interface VolumeReading {
  readonly files: number
  readonly bytes: number
  readonly differences: readonly FileDifference[]
  readonly reading: { way: ReadingWay; because: string } | null
  /** By path, of files that are right. */
  readonly places: ReadonlyMap<string, ContentPlace>
}

/** Finds every expected file on its volume; in an image in the order in which they lie there. */
export function placedFiles(lists: VolumeLists): Promise<PlacedFiles> {
  return placeContents(lists.files, expectedFiles(lists))
}

/**
 * Reads every file of a volume from the medium and compares its digest. What cannot be read is
 * named by file, with the bytes in it and the sectors of the image or disc; the rest is read all
 * the same.
 * @throws AppError `cancelled`; the first failure where no file could be read at all
 */
export async function checkVolume(
  placed: PlacedFiles,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (done: number) => void },
): Promise<VolumeReading> {
  const watch = { signal, onBytes: (done: number) => onBytes(done) }
  const { differences, places, reading } = await readBack(placed, direct, watch)
  const failures = reading.ranges.flatMap((range) => ('failure' in range ? range.failure : []))
  if (failures[0] && failures.length === reading.ranges.length) throw failures[0]
  const { files, bytes } = placed
  return { files: files.length, bytes, differences, reading: readingOf(reading.ways), places }
}

/** The least that was obtained for any of the bytes. */
function readingOf(ways: ReadingWays): VolumeReading['reading'] {
  const because = ways.refusal === null ? '' : said` (${ways.refusal})`
  if (ways.cachedBytes > 0)
    return {
      way: 'cached',
      because: said`direct reading is not possible here${because}: what the cache held may have been used`,
    }
  if (ways.droppedBytes > 0)
    return {
      way: 'dropped',
      because: said`direct reading is not possible here${because}; the cache was emptied before`,
    }
  return ways.uncachedBytes > 0 ? { way: 'uncached', because: said`direct (uncached) reading` } : null
}
