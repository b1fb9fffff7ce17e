import { open, stat } from 'node:fs/promises'
import type { DamagedFolders } from '../../../domain/sets/damagedFolders'
import { AppError } from '../../../primitives/appError'
import { attempt, fsPath } from '../../files/fileSystem'
import type { FoundTool } from '../../tools/externalTool'
import type { SevenZipRun } from '../../tools/sevenZip'
import { damageIn, openImage } from '../volume/image/image'
import { type ImageEntry, readerOf, readingAhead, SECTOR } from '../volume/image/imageTree'
import { readUdfTree } from '../volume/image/udfTree'
import type { Expected } from '../volume/lists/expectedTree'
import type { Difference } from '../volume/open/difference'
import { contentsOf } from '../volume/open/expectedFiles'
import {
  buffered,
  placeContents,
  type Reading,
  rangesIn,
  readBack,
  readBackTree,
  type Watch,
  type Way,
} from '../volume/open/readBack'
import type { VolumeLists } from '../volume/open/volumeLists'
import type { SizedVolume } from '../volume/planned/plannedVolume'
import type { VolumeReading } from './judgedVolume'
import { digestContents } from './sevenZipDigests'

export interface BuiltReading extends VolumeReading {
  readonly sectors: number | null
  /** Only of an image with damaged folders. */
  readonly damagedFolders?: DamagedFolders | undefined
}

/** A built image, open however damaged its folders are. */
interface BuiltImage extends Pick<VolumeLists, 'files' | 'damagedFolders'> {
  /** False for images that xorriso made for an older version. */
  readonly hasUdf: boolean
  /** Null where 7-Zip is not at hand. */
  readonly reader: ImageReader | null
}

/** 7-Zip, and the folder of the plan as it can take it. */
interface ImageReader {
  readonly tool: FoundTool
  readonly cwd: string
}

/** In place of a digest: no content has it. */
const UNREAD = ''

/**
 * Reads a whole image back and compares it with what must be on it: its trees by Stowage's own
 * readers, which share no code with the writer, and all bytes once. The trees of UDF and ISO 9660
 * must have the same files in the same places. 7-Zip reads the bytes by the UDF tree, so that a
 * second program has read it; without 7-Zip, of an image without UDF, or where that tree is
 * damaged, Stowage reads them itself. Damaged folders fail the image, and its files are read in
 * spite of them.
 * @throws AppError `not-found` when the image is not there, `cancelled`, `tool-failed`
 */
export async function verifyImage(
  volume: SizedVolume,
  image: BuiltImage,
  expected: ReadonlyMap<string, Expected>,
  watch: Watch,
): Promise<BuiltReading> {
  const { label } = volume
  const { path } = image.files
  const { hasUdf, reader } = image
  const { sectors, differences } = await measuredImage(path, volume.sectors)
  const iso = await openImage(path).catch(damageIn)
  const udf = iso instanceof AppError || !hasUdf ? [] : await udfEntries(path, sectors)
  if (iso instanceof AppError || udf instanceof AppError) {
    const check = await readDamaged(image, expected, watch)
    return { ...check, differences: [...differences, ...check.differences], sectors }
  }
  if (hasUdf) differences.push(...(await treeDifferences(iso, udf, watch.signal)))
  const isAlone = !hasUdf || reader === null || differences.length > 0
  const way = isAlone ? byStowage : by7Zip(reader, volume.places.image, udf)
  const { reading, places, ...check } = await readBackTree(iso, expected, way, watch)
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
    const files = udf.flatMap(({ offset, bytes }, at) =>
      bytes === 0 ? [] : [[offset, digests[at]] as const],
    )
    return { ranges: rangesIn(places, new Map(files)), complaints }
  }
}

/** As `buffered`; the size and the folders of an image say why something of it cannot be read. */
const byStowage: ImageWay = async (places, watch) => {
  const { ranges } = await buffered(places, watch)
  return { ranges: ranges.map((range) => ('sha256' in range ? range : { sha256: UNREAD })), complaints: [] }
}

async function measuredImage(
  path: string,
  planned: number,
): Promise<{ sectors: number; differences: Difference[] }> {
  const { size } = await attempt('read', path, stat(fsPath(path)))
  const wanted = planned * SECTOR
  const differences: Difference[] = size === wanted ? [] : [{ code: 'image-size', bytes: size, wanted }]
  return { sectors: Math.floor(size / SECTOR), differences }
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
  { files, damagedFolders }: BuiltImage,
  expected: ReadonlyMap<string, Expected>,
  watch: Watch,
): Promise<Omit<BuiltReading, 'sectors'>> {
  const placed = await placeContents(files, contentsOf(expected))
  const { differences, places } = await readBack(placed, byStowage, watch)
  const folders = damagedFolders() ?? undefined
  return {
    differences: [{ code: 'damaged-folders', folders }, ...differences],
    places,
    damagedFolders: folders,
  }
}
