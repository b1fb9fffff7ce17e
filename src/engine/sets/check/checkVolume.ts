import type { ReadingWay } from '../../../contract/dto/check'
import { said } from '../../../primitives/said'
import type { ContentPlace } from '../../files/read'
import { type ReadingWays, type ReadRange, readSectors } from '../../native/sectorReading'
import type { FileDifference } from '../volume/difference'
import { type ExpectedFile, expectedFiles } from '../volume/expectedFiles'
import type { VolumeLists } from '../volume/volumeLists'

/** The result of reading every file of one volume. */
export interface VolumeReading {
  readonly files: number
  readonly bytes: number
  readonly differences: readonly FileDifference[]
  readonly reading: { way: ReadingWay; because: string } | null
  /** By path, of files that are right. */
  readonly places: ReadonlyMap<string, ContentPlace>
}

/** Where the files of a volume are, before they are read. */
export interface PlacedFiles {
  /** Content that several files share is read once. */
  readonly places: readonly ContentPlace[]
  readonly bytes: number
  readonly files: readonly { readonly file: ExpectedFile; readonly at: number | null }[]
}

/** Finds every expected file on its volume; in an image in the order in which they lie there. */
export async function placedFiles(lists: VolumeLists): Promise<PlacedFiles> {
  const byPlace = new Map<string, ContentPlace>()
  const found: { file: ExpectedFile; key: string | null }[] = []
  for (const file of expectedFiles(lists)) {
    const place = await lists.files.placeOf(file.path)
    if (place === null) {
      found.push({ file, key: null })
      continue
    }
    const key = `${place.offset} ${place.bytes} ${place.file}`
    byPlace.set(key, place)
    found.push({ file, key })
  }
  const keys = [...byPlace.keys()]
  if (lists.files.folder === null) keys.sort((a, b) => offsetIn(byPlace, a) - offsetIn(byPlace, b))
  const order = new Map(keys.map((key, at) => [key, at]))
  const places = keys.flatMap((key) => byPlace.get(key) ?? [])
  return {
    places,
    bytes: places.reduce((sum, { bytes }) => sum + bytes, 0),
    files: found.map(({ file, key }) => ({ file, at: key === null ? null : (order.get(key) ?? null) })),
  }
}

function offsetIn(places: ReadonlyMap<string, ContentPlace>, key: string): number {
  return places.get(key)?.offset ?? 0
}

/**
 * Reads every file of a volume from the medium and compares its digest. What cannot be read is
 * named by file, with the bytes in it and the sectors of the image or disc; the rest is read all
 * the same.
 * @throws AppError `cancelled`; the first failure where no file could be read at all
 */
export async function checkVolume(
  { files: { folder } }: Pick<VolumeLists, 'files'>,
  { places, files, bytes }: PlacedFiles,
  work: { readonly signal: AbortSignal; readonly onBytes: (done: number) => void },
): Promise<VolumeReading> {
  const { ranges, ways } = await readSectors(places, work)
  const failures = ranges.flatMap((range) => ('failure' in range ? range.failure : []))
  if (failures[0] && failures.length === ranges.length) throw failures[0]
  const differences: FileDifference[] = []
  const right = new Map<string, ContentPlace>()
  for (const { file, at } of files) {
    const place = at === null ? undefined : places[at]
    const range = at === null ? undefined : ranges[at]
    const difference: FileDifference | null =
      place && range
        ? differenceOf(file, place, range, folder === null)
        : { path: file.path, code: 'missing' }
    if (difference) differences.push(difference)
    else if (place) right.set(file.path, place)
  }
  return { files: files.length, bytes, differences, reading: readingOf(ways), places: right }
}

function differenceOf(
  { path, bytes, sha256 }: ExpectedFile,
  place: ContentPlace,
  range: ReadRange,
  isImage: boolean,
): FileDifference | null {
  if ('failure' in range) return { path, code: 'unreadable', because: range.failure.message }
  if ('unreadable' in range) {
    const parts = range.unreadable
    const code = parts.every(({ cause }) => cause === null) ? 'cut' : 'unreadable-parts'
    return { path, code, parts, offset: isImage ? place.offset : null }
  }
  if (bytes !== null && bytes !== place.bytes)
    return { path, code: 'other-size', bytes: place.bytes, wanted: bytes }
  return sha256.size === 0 || sha256.has(range.sha256) ? null : { path, code: 'other-content' }
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
