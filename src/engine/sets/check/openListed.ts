import type { ReadingWay } from '../../../contract/dto/check'
import { said } from '../../../primitives/said'
import type { ReadingWays } from '../../native/sectorReading'
import { recoveryPlaces } from '../recovery/recoveryPlaces'
import type { OpenedVolume, VolumeReading } from '../verify/judgedVolume'
import type { FileDifference } from '../volume/open/difference'
import { expectedFiles } from '../volume/open/expectedFiles'
import { direct, type PlacedFiles, placeContents, readBack } from '../volume/open/readBack'
import type { VolumeLists } from '../volume/open/volumeLists'

export interface ListedReading extends VolumeReading {
  /** Those read, and their bytes without those that share content. */
  readonly files: number
  readonly bytes: number
  readonly differences: readonly FileDifference[]
  readonly reading: { way: ReadingWay; because: string } | null
}

/** A volume with the files that its own lists name, whatever else is on it. */
export interface OpenedListed extends OpenedVolume<ListedReading> {
  readonly lists: VolumeLists
  readonly placed: PlacedFiles
}

/**
 * Finds every listed file on its volume, in an image in the order in which they lie there, to read
 * them from the medium. What cannot be read is named by file, with the bytes in it and the sectors
 * of the image or disc; the rest is read all the same.
 * @throws AppError `io`, `cancelled`; reading throws the first failure where no file could be read
 *   at all
 */
export async function openListed(lists: VolumeLists, signal: AbortSignal): Promise<OpenedListed> {
  const { files, own, label } = lists
  const placed = await placeContents(files, expectedFiles(lists))
  const recovery = await recoveryPlaces(files, own, signal)
  const named = recovery.filter(({ name }) => name !== null)
  return {
    lists,
    placed,
    label,
    volume: files,
    own,
    expected: placed.files.map(({ file }) => file),
    recovery,
    held: [],
    bytes: placed.bytes + named.reduce((sum, { bytes }) => sum + bytes, 0),
    async read({ onBytes, ...watch }) {
      const read = await readBack(placed, direct, { ...watch, onBytes: (done) => onBytes(done) })
      const { ranges, ways } = read.reading
      const failures = ranges.flatMap((range) => ('failure' in range ? range.failure : []))
      if (failures[0] && failures.length === ranges.length) throw failures[0]
      return { ...read, files: placed.files.length, bytes: placed.bytes, reading: readingOf(ways) }
    },
  }
}

/** The least that was obtained for any of the bytes. */
function readingOf(ways: ReadingWays): ListedReading['reading'] {
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
