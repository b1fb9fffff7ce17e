import { createHash } from 'node:crypto'
import { AppError } from '../../../../primitives/appError'
import { joinPath } from '../../../files/fileSystem'
import { type ContentPlace, digestHex } from '../../../files/read'
import { hashRanges } from '../../../native/addon'
import { type ReadingWays, type ReadRange, readSectors } from '../../../native/sectorReading'
import { type Expected, inRockRidge } from '../lists/expectedTree'
import type { Volume } from '../lists/volume'
import { filesDone } from '../planned/filesDone'
import { compareTrees } from './compareTrees'
import type { FileDifference } from './difference'
import type { ExpectedFile } from './expectedFiles'

/** The digest of every place, or how it cannot be read, in the order of the places. */
export interface Reading {
  readonly ranges: readonly ReadRange[]
}

/** The bytes read so far, and the files where the reader counts them itself. */
type OnBytes = (done: number, files?: number) => void

export interface Watch {
  readonly signal: AbortSignal
  readonly onBytes: OnBytes
}

/** A way to read places: by which reader, and past the system's cache or not. */
export type Way<R extends Reading = Reading> = (places: readonly ContentPlace[], watch: Watch) => Promise<R>

/** Through the system's cache, several files at a time. */
export const buffered: Way = async (places, { signal, onBytes }) => {
  const { sha256, errors } = await hashRanges(
    places.map(({ file, offset, bytes }) => ({ path: file, offset, length: bytes })),
    { signal, onProgress: (done) => onBytes(done) },
  )
  return {
    ranges: places.map((_, at) => {
      const error = errors.get(at)
      return error ? { failure: new AppError(error.code, error.message) } : { sha256: digestHex(sha256, at) }
    }),
  }
}

const EMPTY_SHA256 = createHash('sha256').digest('hex')

/** The digests of places in an image that was read as a whole; none for one that was not read. */
export function rangesIn(
  places: readonly ContentPlace[],
  digests: ReadonlyMap<number, string | undefined>,
): { readonly sha256: string }[] {
  return places.map(({ offset, bytes }) => ({
    sha256: bytes === 0 ? EMPTY_SHA256 : (digests.get(offset) ?? ''),
  }))
}

/** From the medium, by direct reads where the system allows it; reads on behind bad sectors. */
export const direct: Way<Reading & { readonly ways: ReadingWays }> = readSectors

/** Where the files of a volume are, before they are read. */
export interface PlacedFiles {
  /** Content that several files share is there once. */
  readonly places: readonly ContentPlace[]
  readonly bytes: number
  readonly files: readonly { readonly file: ExpectedFile; readonly at: number | null }[]
  readonly isImage: boolean
  /** Those of its names, kinds, sizes and targets. */
  readonly differences: readonly FileDifference[]
}

/**
 * Finds files by their paths, whatever else is on the volume; in an image in the order in which
 * they are stored there.
 */
export async function placeContents(
  { folder, placeOf }: Pick<Volume, 'folder' | 'placeOf'>,
  contents: readonly ExpectedFile[],
): Promise<PlacedFiles> {
  const found = []
  for (const file of contents) found.push({ file, place: await placeOf(file.path) })
  return placed(found, folder === null, [])
}

/** Compares a whole tree, but for contents, and finds the files that have their size. */
async function placeTree(
  volume: Pick<Volume, 'folder' | 'placeOf' | 'tree'>,
  expected: ReadonlyMap<string, Expected>,
  signal: AbortSignal,
): Promise<PlacedFiles> {
  const { folder } = volume
  const tree = await volume.tree(signal)
  const found: FoundFile[] = []
  for (const path of (folder === null ? tree : expected).keys()) {
    const [is, wanted] = [tree.get(path), expected.get(path)]
    if (wanted?.kind !== 'file' || is?.kind !== 'file' || wanted.bytes !== is.bytes) continue
    const { bytes, sha256 } = wanted
    const place =
      folder === null ? await volume.placeOf(path) : { file: joinPath(folder, path), offset: 0, bytes }
    found.push({ file: { path, bytes, sha256: new Set([sha256]) }, place })
  }
  const differences = compareTrees(folder === null ? inRockRidge(expected) : expected, tree)
  return placed(found, folder === null, differences)
}

interface FoundFile {
  readonly file: ExpectedFile
  readonly place: ContentPlace | null
}

function placed(
  found: readonly FoundFile[],
  isImage: boolean,
  differences: readonly FileDifference[],
): PlacedFiles {
  const keyOf = ({ file, offset, bytes }: ContentPlace): string => `${offset} ${bytes} ${file}`
  const byKey = new Map(found.flatMap(({ place }) => (place ? [[keyOf(place), place] as const] : [])))
  const places = [...byKey.values()]
  if (isImage) places.sort((one, other) => one.offset - other.offset)
  const order = new Map(places.map((place, at) => [keyOf(place), at]))
  return {
    places,
    bytes: places.reduce((sum, { bytes }) => sum + bytes, 0),
    files: found.map(({ file, place }) => ({
      file,
      at: place === null ? null : (order.get(keyOf(place)) ?? null),
    })),
    isImage,
    differences,
  }
}

interface ReadBack<R> {
  readonly differences: readonly FileDifference[]
  /** By path, of files that are right. */
  readonly places: ReadonlyMap<string, ContentPlace>
  readonly reading: R
}

/**
 * Reads the placed files of a volume once and compares the digest of each with its own: the one
 * way in which a written volume is proved.
 * @param watch.onBytes takes the bytes done, and the files in them
 * @throws AppError `cancelled`, and what the way throws
 */
export async function readBack<R extends Reading>(
  { places, files, isImage, differences }: PlacedFiles,
  way: Way<R>,
  { signal, onBytes }: Watch,
): Promise<ReadBack<R>> {
  const filesAt = filesDone(places.map(({ bytes }) => bytes))
  const reading = await way(places, {
    signal,
    onBytes: (done, counted) => onBytes(done, counted ?? filesAt(done)),
  })
  const found: FileDifference[] = []
  const right = new Map<string, ContentPlace>()
  for (const { file, at } of files) {
    const place = at === null ? undefined : places[at]
    const range = at === null ? undefined : reading.ranges[at]
    const difference = place && range ? differenceOf(file, place, range, isImage) : missing(file)
    if (difference) found.push(difference)
    else if (place) right.set(file.path, place)
  }
  return {
    differences: [...differences, ...found],
    places: right,
    reading,
  }
}

/**
 * The same of all that must be on a volume, with the names, kinds, sizes and targets of its whole
 * tree; nothing else may be on it.
 * @throws AppError as `readBack`, and `io` where the tree cannot be read
 */
export async function readBackTree<R extends Reading>(
  volume: Pick<Volume, 'folder' | 'placeOf' | 'tree'>,
  expected: ReadonlyMap<string, Expected>,
  way: Way<R>,
  watch: Watch,
): Promise<ReadBack<R>> {
  return readBack(await placeTree(volume, expected, watch.signal), way, watch)
}

function missing({ path }: ExpectedFile): FileDifference {
  return { path, code: 'missing' }
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
