import { createHash } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import type { DamagedFolders } from '../../../domain/sets/damagedFolders'
import { AppError } from '../../../primitives/appError'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import { type ContentPlace, digestHex } from '../../files/read'
import { hashRanges } from '../../native/addon'
import type { FoundTool } from '../../tools/externalTool'
import type { SevenZipRun } from '../../tools/sevenZip'
import { compareTrees } from '../volume/compareTrees'
import { openDamagedImage } from '../volume/damagedImage'
import type { Difference } from '../volume/difference'
import { type Expected, inRockRidge } from '../volume/expectedTree'
import { filesDone } from '../volume/filesDone'
import { damageIn, openImage } from '../volume/image'
import { ImagePlaces } from '../volume/imagePlaces'
import { type ImageEntry, readerOf, readingAhead, SECTOR } from '../volume/imageTree'
import { INDEX_NAME } from '../volume/ownNames'
import type { SizedVolume } from '../volume/plannedVolume'
import { readableIndex } from '../volume/setIndex'
import { readUdfTree } from '../volume/udfTree'
import type { Volume } from '../volume/volume'
import { digestContents } from './sevenZipDigests'

export interface VolumeCheck {
  readonly differences: readonly Difference[]
  readonly sectors: number | null
  /** By path on the volume, for files whose digest was right. */
  readonly places: ReadonlyMap<string, ContentPlace>
  /** Only of an image with damaged folders. */
  readonly damagedFolders?: DamagedFolders | undefined
}

export interface VerifyOptions {
  /** The folder of the plan. */
  readonly directory: string
  readonly signal: AbortSignal
  readonly onBytes: (done: number, files?: number) => void
}

/** 7-Zip, and the folder of the plan as it can take it. */
export interface ImageReader {
  readonly tool: FoundTool
  readonly cwd: string
}

const EMPTY_SHA256 = createHash('sha256').digest('hex')

/**
 * Reads a whole image back and compares it with what must be on it: its trees by Stowage's own
 * readers, which share no code with the writer, and all bytes once. The trees of UDF and ISO 9660
 * must have the same files in the same places. 7-Zip reads the bytes by the UDF tree, so that a
 * second program has read it; without 7-Zip, of an image without UDF, or where that tree is
 * damaged, Stowage reads them itself. Damaged folders fail the image, and its files are read in
 * spite of them.
 * @param hasUdf false for images that xorriso made for an older version
 * @param reader null where 7-Zip is not at hand
 * @throws AppError `not-found` when the image is not there, `cancelled`, `tool-failed`
 */
export async function verifyImage(
  volume: SizedVolume,
  { hasUdf, reader }: { readonly hasUdf: boolean; readonly reader: ImageReader | null },
  expected: ReadonlyMap<string, Expected>,
  options: VerifyOptions,
): Promise<VolumeCheck> {
  const { path, sectors, differences } = await measuredImage(volume, options.directory)
  const iso = await openedImage(path)
  const udf = iso instanceof AppError || !hasUdf ? [] : await udfEntries(path, sectors)
  if (iso instanceof AppError || udf instanceof AppError) {
    const check = await readDamaged(volume, path, expected, options)
    return { ...check, differences: [...differences, ...check.differences], sectors }
  }
  if (hasUdf) differences.push(...(await treeDifferences(iso, udf, options.signal)))
  if (!hasUdf || reader === null || differences.length > 0) {
    const digests = await digestsOf(iso, expected, options)
    const places = await compareImage(volume, iso, expected, (name) => digests.get(name), differences)
    return { differences, sectors, places }
  }
  const { tool, cwd } = reader
  const { image } = volume.places
  const run: SevenZipRun = { tool, directory: cwd, image, signal: options.signal }
  const digests = await digestContents(run, udf, differences, options.onBytes)
  const byOffset = new Map(udf.map(({ offset, bytes }, at) => [bytes === 0 ? -1 : offset, digests[at]]))
  const digestAt = ({ offset, bytes }: ContentPlace): string | undefined =>
    bytes === 0 ? EMPTY_SHA256 : byOffset.get(offset)
  const places = await compareImage(volume, iso, expected, (_, place) => digestAt(place), differences)
  return { differences, sectors, places }
}

async function measuredImage(
  volume: SizedVolume,
  directory: string,
): Promise<{ path: string; sectors: number; differences: Difference[] }> {
  const path = joinPath(directory, volume.places.image)
  const { size } = await attempt('read', path, stat(fsPath(path)))
  const wanted = volume.sectors * SECTOR
  const differences: Difference[] = size === wanted ? [] : [{ code: 'image-size', bytes: size, wanted }]
  return { path, sectors: Math.floor(size / SECTOR), differences }
}

/** The image, or the reason why its folders cannot be read. */
function openedImage(path: string): Promise<LabelledImage | AppError> {
  return openImage(path).catch(damageIn)
}

type LabelledImage = Awaited<ReturnType<typeof openImage>>

/**
 * Compares names, kinds, sizes and targets, and the digest of every file.
 * @returns the places of files that are right
 */
async function compareImage(
  { label }: SizedVolume,
  image: LabelledImage,
  expected: ReadonlyMap<string, Expected>,
  digestOf: (name: string, place: ContentPlace) => string | undefined,
  differences: Difference[],
): Promise<Map<string, ContentPlace>> {
  if (image.label !== label) differences.push({ code: 'image-label', label: image.label })
  const found = await image.tree(new AbortController().signal)
  differences.push(...compareTrees(inRockRidge(expected), found))
  const places = new Map<string, ContentPlace>()
  for (const [name, is] of found) {
    const wanted = expected.get(name)
    if (wanted?.kind !== 'file' || is.kind !== 'file' || wanted.bytes !== is.bytes) continue
    const place = await image.placeOf(name)
    if (place && digestOf(name, place) === wanted.sha256) places.set(name, place)
    else differences.push({ path: name, code: 'other-content' })
  }
  return places
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
async function treeDifferences(
  iso: LabelledImage,
  udf: readonly ImageEntry[],
  signal: AbortSignal,
): Promise<Difference[]> {
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
  const differences: Difference[] = []
  for (const { path, kind, bytes, offset } of udf) {
    const isThere = count(keyOf(kind, bytes, offset), -1) >= 0
    const isNamed = found.get(path)?.kind === kind || MAPPED.test(path)
    if (!isThere || !isNamed) differences.push({ path, code: 'only-in-udf' })
  }
  const entries = [...left.values()].reduce((sum, files) => sum + Math.max(0, files), 0)
  if (entries > 0) differences.push({ code: 'udf-lacks', entries })
  return differences
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
  const { index, payloadName, places: planned } = volume
  const listed = joinPath(options.directory, planned.payload, payloadName, INDEX_NAME)
  const text = await attempt('read', listed, readFile(fsPath(listed)))
  const ways = new ImagePlaces(await openDamagedImage(path), readableIndex(text), index)
  const image = { placeOf: (name: string) => ways.placeOf(name) }
  const digests = await digestsOf(image, expected, options)
  const differences: Difference[] = []
  const places = new Map<string, ContentPlace>()
  for (const [name, wanted] of expected) {
    if (wanted.kind !== 'file') continue
    const place = await ways.placeOf(name)
    if (place && digests.get(name) === wanted.sha256) places.set(name, place)
    else differences.push({ path: name, code: place ? 'other-content' : 'missing' })
  }
  const damagedFolders = ways.damagedFolders() ?? undefined
  return {
    differences: [{ code: 'damaged-folders', folders: damagedFolders }, ...differences],
    places,
    damagedFolders,
  }
}
