import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { damagedFoldersText } from '../../../domain/sets/damagedFolders'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import { type ContentPlace, digestHex } from '../../files/read'
import { hashRanges } from '../../native/addon'
import type { SevenZipRun } from '../../tools/sevenZip'
import { openDamagedImage } from '../volume/damagedImage'
import { type Expected, mismatch, volumeMismatch } from '../volume/expectedTree'
import { filesDone } from '../volume/filesDone'
import { damageIn } from '../volume/image'
import { ImagePlaces } from '../volume/imagePlaces'
import { type ImageEntry, readerOf, readingAhead } from '../volume/imageTree'
import type { SizedVolume } from '../volume/plannedVolume'
import { readableIndex } from '../volume/setIndex'
import { readUdfTree } from '../volume/udfTree'
import type { Volume } from '../volume/volume'
import {
  compareImage,
  digestContents,
  type ImageReader,
  type LabelledImage,
  measuredImage,
  openedImage,
  type VerifyOptions,
  type VolumeCheck,
} from './verifyImage'

const EMPTY_SHA256 = createHash('sha256').digest('hex')

/**
 * Reads a whole image of Stowage's own back and compares it with what must be on it: both trees by
 * Stowage's own readers, which share no code with the writer and must find the same files in the
 * same places, and all bytes once. 7-Zip reads those by the UDF tree, so that a second program has
 * read it; without 7-Zip, or where that tree is damaged, Stowage reads them itself. Damaged folders
 * fail the image, and its files are read in spite of them.
 * @param reader null where 7-Zip is not at hand
 * @throws AppError `not-found` when the image is not there, `cancelled`, `tool-failed`
 */
export async function verifyOwnImage(
  volume: SizedVolume,
  reader: ImageReader | null,
  expected: ReadonlyMap<string, Expected>,
  options: VerifyOptions,
): Promise<VolumeCheck> {
  const { label } = volume
  const { path, sectors, failures } = await measuredImage(volume, options.directory)
  const iso = await openedImage(path)
  const udf = iso instanceof AppError ? iso : await udfEntries(path, sectors)
  if (iso instanceof AppError || udf instanceof AppError) {
    const check = await readDamaged(volume, path, expected, options)
    return { ...check, failures: [...failures, ...check.failures], sectors }
  }
  failures.push(...(await differences(label, iso, udf, options.signal)))
  if (reader === null || failures.length > 0) {
    const digests = await digestsOf(iso, expected, options)
    const places = await compareImage(volume, iso, expected, (name) => digests.get(name), failures)
    return { failures, sectors, places }
  }
  const { tool, cwd } = reader
  const { image } = volume.places
  const run: SevenZipRun = { tool, format: 'udf', directory: cwd, image, signal: options.signal }
  const digests = await digestContents(run, udf, label, failures, options.onBytes)
  const byOffset = new Map(udf.map(({ offset, bytes }, at) => [bytes === 0 ? -1 : offset, digests[at]]))
  const digestAt = ({ offset, bytes }: ContentPlace): string | undefined =>
    bytes === 0 ? EMPTY_SHA256 : byOffset.get(offset)
  const places = await compareImage(volume, iso, expected, (_, place) => digestAt(place), failures)
  return { failures, sectors, places }
}

async function udfEntries(path: string, sectors: number): Promise<readonly ImageEntry[] | AppError> {
  await using file = await attempt('read', path, open(fsPath(path)))
  return await attempt('read', path, readUdfTree(readingAhead(readerOf(file)), sectors)).then(
    ({ entries }) => entries,
    damageIn,
  )
}

/** `#` and four digits are in names that UDF cannot hold as they are. */
const MAPPED = /#[0-9A-F]{4}/

/** The files and folders of the UDF tree must be those of the ISO 9660 tree, in the same places. */
async function differences(
  label: string,
  iso: LabelledImage,
  udf: readonly ImageEntry[],
  signal: AbortSignal,
): Promise<AppError[]> {
  const left = new Map<string, number>()
  const count = (key: string, by: number): number => {
    const now = (left.get(key) ?? 0) + by
    left.set(key, now)
    return now
  }
  const keyOf = (kind: string, bytes: number, offset: number): string =>
    bytes === 0 ? kind : `${offset} ${bytes}`
  const found = await iso.tree(signal)
  for (const [path, is] of found) {
    if (is.kind === 'folder') count('folder', 1)
    if (is.kind === 'file') count(keyOf('file', is.bytes, (await iso.placeOf(path))?.offset ?? 0), 1)
  }
  const failures: AppError[] = []
  for (const { path, kind, bytes, offset } of udf) {
    const isThere = count(keyOf(kind, bytes, offset), -1) >= 0
    const isNamed = found.get(path)?.kind === kind || MAPPED.test(path)
    if (!isThere || !isNamed) failures.push(mismatch(label, path, said`it is in the UDF folders alone`))
  }
  const missing = [...left.values()].reduce((sum, files) => sum + Math.max(0, files), 0)
  if (missing > 0)
    failures.push(volumeMismatch(label, said`the UDF folders lack ${missing} of its files and folders`))
  return failures
}

/** Reads the expected files of an image by their places. @returns their digests by path */
async function digestsOf(
  image: Pick<Volume, 'placeOf'>,
  expected: ReadonlyMap<string, Expected>,
  { signal, onBytes }: VerifyOptions,
): Promise<Map<string, string>> {
  const placed: [name: string, place: ContentPlace][] = []
  for (const [name, { kind }] of expected) {
    const place = kind === 'file' ? await image.placeOf(name) : null
    if (place) placed.push([name, place])
  }
  placed.sort(([, one], [, other]) => one.offset - other.offset)
  const filesAt = filesDone(placed.map(([, { bytes }]) => bytes))
  const { sha256, errors } = await hashRanges(
    placed.map(([, { file, offset, bytes }]) => ({ path: file, offset, length: bytes })),
    { signal, onProgress: (done) => onBytes(done, filesAt(done)) },
  )
  return new Map(placed.flatMap(([name], at) => (errors.has(at) ? [] : [[name, digestHex(sha256, at)]])))
}

/** Reads the files of an image whose folders are damaged, by any way that finds them. */
async function readDamaged(
  volume: SizedVolume,
  path: string,
  expected: ReadonlyMap<string, Expected>,
  options: VerifyOptions,
): Promise<Omit<VolumeCheck, 'sectors'>> {
  const { label, index, payloadName, places: planned } = volume
  const listed = joinPath(options.directory, planned.payload, payloadName, 'INDEX.tsv')
  const text = await attempt('read', listed, readFile(fsPath(listed)))
  const ways = new ImagePlaces(await openDamagedImage(path), readableIndex(text), index)
  const image = { placeOf: (name: string) => ways.placeOf(name) }
  const digests = await digestsOf(image, expected, options)
  const failures: AppError[] = []
  const places = new Map<string, ContentPlace>()
  for (const [name, wanted] of expected) {
    if (wanted.kind !== 'file') continue
    const place = await ways.placeOf(name)
    if (place && digests.get(name) === wanted.sha256) places.set(name, place)
    else
      failures.push(mismatch(label, name, place ? said`its content differs (SHA-256)` : said`it is missing`))
  }
  const damagedFolders = ways.damagedFolders() ?? undefined
  const because = damagedFolders ? damagedFoldersText(damagedFolders) : said`its folders are damaged`
  return { failures: [volumeMismatch(label, because), ...failures], places, damagedFolders }
}
