import { createHash } from 'node:crypto'
import { open, readFile, stat } from 'node:fs/promises'
import type { DamagedFolders } from '../../../domain/sets/damagedFolders'
import { AppError } from '../../../primitives/appError'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import type { FoundTool } from '../../tools/externalTool'
import type { SevenZipRun } from '../../tools/sevenZip'
import { openDamagedImage } from '../volume/image/damagedImage'
import { damageIn, openImage } from '../volume/image/image'
import { ImagePlaces } from '../volume/image/imagePlaces'
import { type ImageEntry, readerOf, readingAhead, SECTOR } from '../volume/image/imageTree'
import { readUdfTree } from '../volume/image/udfTree'
import type { Expected } from '../volume/lists/expectedTree'
import { readableIndex } from '../volume/lists/setIndex'
import type { Difference } from '../volume/open/difference'
import {
  buffered,
  placeContents,
  type Reading,
  readBack,
  readBackTree,
  type Way,
} from '../volume/open/readBack'
import { INDEX_NAME } from '../volume/planned/ownNames'
import type { SizedVolume } from '../volume/planned/plannedVolume'
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
/** In place of a digest: no content has it. */
const UNREAD = ''

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
  const { label } = volume
  const { path, sectors, differences } = await measuredImage(volume, options.directory)
  const iso = await openedImage(path)
  const udf = iso instanceof AppError || !hasUdf ? [] : await udfEntries(path, sectors)
  if (iso instanceof AppError || udf instanceof AppError) {
    const check = await readDamaged(volume, path, expected, options)
    return { ...check, differences: [...differences, ...check.differences], sectors }
  }
  if (hasUdf) differences.push(...(await treeDifferences(iso, udf, options.signal)))
  const isAlone = !hasUdf || reader === null || differences.length > 0
  const way = isAlone ? byStowage : by7Zip(reader, volume.places.image, udf)
  const { reading, places, ...check } = await readBackTree(iso, expected, way, options)
  differences.push(...reading.complaints)
  if (iso.label !== label) differences.push({ code: 'image-label', label: iso.label })
  return { differences: [...differences, ...check.differences], sectors, places }
}

/** With the faults that the reader finds in the image as a whole. */
type ImageWay = Way<Reading & { readonly complaints: readonly Difference[] }>

/**
 * The bytes of an image as 7-Zip reads them by the UDF tree, with what it complains of.
 * @param image in the folder of the plan
 */
function by7Zip({ tool, cwd }: ImageReader, image: string, udf: readonly ImageEntry[]): ImageWay {
  return async (places, { signal, onBytes }) => {
    const complaints: Difference[] = []
    const run: SevenZipRun = { tool, directory: cwd, image, signal }
    const digests = await digestContents(run, udf, complaints, onBytes)
    const byOffset = new Map(udf.map(({ offset, bytes }, at) => [bytes === 0 ? -1 : offset, digests[at]]))
    const digestAt = ({ offset, bytes }: ContentPlace): string =>
      bytes === 0 ? EMPTY_SHA256 : (byOffset.get(offset) ?? UNREAD)
    return { ranges: places.map((place) => ({ sha256: digestAt(place) })), complaints }
  }
}

/** As `buffered`; the size and the folders of an image say why something of it cannot be read. */
const byStowage: ImageWay = async (places, watch) => {
  const { ranges } = await buffered(places, watch)
  return { ranges: ranges.map((range) => ('sha256' in range ? range : { sha256: UNREAD })), complaints: [] }
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
  const image = { folder: null, placeOf: (name: string) => ways.placeOf(name) }
  const contents = [...expected].flatMap(([name, wanted]) =>
    wanted.kind === 'file' ? [{ path: name, bytes: null, sha256: new Set([wanted.sha256]) }] : [],
  )
  const { differences, places } = await readBack(await placeContents(image, contents), byStowage, options)
  const damagedFolders = ways.damagedFolders() ?? undefined
  return {
    differences: [{ code: 'damaged-folders', folders: damagedFolders }, ...differences],
    places,
    damagedFolders,
  }
}
