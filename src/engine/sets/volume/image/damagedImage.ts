import { type FileHandle, open } from 'node:fs/promises'
import type { ImageTreeName } from '../../../../domain/sets/damagedFolders'
import { attempt, fsPath } from '../../../files/fileSystem'
import type { ContentPlace } from '../../../files/read'
import { foundLists, isProved } from '../lists/foundLists'
import type { Volume, VolumeUse } from '../lists/volume'
import { INDEX_NAME, SUMS_NAME } from '../planned/ownNames'
import { damageIn, openImage, placesIn, topFoldersIn } from './image'
import {
  faultIn,
  foundTree,
  type ImageEntry,
  type ImageTree,
  type OnFault,
  type ReadAt,
  readerOf,
  readingAhead,
  SECTOR,
} from './imageTree'
import { isIsoFramed, readIsoTree } from './isoTree'
import { type FileRange, listsAtEnd } from './listsAtEnd'
import { isUdf, isUdfFramed, readUdfTree } from './udfTree'

/** The beginning of the application that Stowage's own images name. */
const OWN_APPLICATION = 'STOWAGE '
/** More than any disc has. */
const MOST_SECTORS = 2 ** 31

/**
 * Opens an image that a person gave, however damaged its folders are: by those of ISO 9660, and
 * where they are not whole or do not lead to the volume's lists, by all that can be read of it. A
 * check reads all of it in any case: it must know what is damaged.
 * @throws AppError `not-found`, `io`, …
 */
export async function openGivenImage(path: string, use: VolumeUse): Promise<Volume> {
  if (use === 'verify') return openDamagedImage(path)
  const whole = await openImage(path).catch((thrown: unknown) => {
    damageIn(thrown)
    return null
  })
  return whole !== null && (await hasLists(whole)) ? whole : openDamagedImage(path)
}

async function hasLists({ topFolders, placeOf }: Volume): Promise<boolean> {
  for (const own of topFolders) {
    const places = await Promise.all([INDEX_NAME, SUMS_NAME].map((name) => placeOf(`${own}/${name}`)))
    if (places.every((place) => place !== null)) return true
  }
  return false
}

/**
 * Opens an image by the folders of ISO 9660 and of UDF, as far as they can be read. Where the lists
 * of the volume are found by neither, or are not as they were written, they are looked for at the
 * end of the image.
 * @throws AppError `not-found`, `io`, …
 */
export async function openDamagedImage(path: string): Promise<Volume> {
  await using file = await attempt('read', path, open(fsPath(path)))
  const readAt = readingAhead(readerOf(file))
  return await attempt('read', path, async () => {
    const length = await sectorsOf(file)
    const iso = await asFarAsReadable('iso9660', (onFault) => readIsoTree(readAt, onFault))
    const sectors = Math.min(iso.tree?.sectors ?? length, length)
    const udf = await asFarAsReadable('udf', (onFault) => readUdfTree(readAt, sectors, onFault))
    // Other programs write UDF in forms that this reader does not know.
    const isOwn = iso.tree === null || iso.tree.application.startsWith(OWN_APPLICATION)
    const hasUdf = iso.tree === null ? udf.tree !== null || (await isUdf(readAt)) : isOwn
    const whole = await framesOf(readAt, { iso, udf, isOwn, hasUdf, sectors })
    const damaged = [iso, ...(hasUdf ? [udf] : [])].filter(({ name }) => !whole.has(name))
    const image = imageOf(path, iso.isWhole ? [udf, iso] : [iso, udf], damaged)
    if (damaged.length > 0 && !isProved(await foundLists(image))) {
      const end = Math.min(iso.tree?.sectors ?? udf.tree?.sectors ?? length, length)
      const { files, areProved } = await listsAtEnd(readAt, end)
      image.add(files, areProved)
    }
    return image
  })
}

/** A tree as far as it can be read; null where nothing leads into it. */
interface ReadableTree<T extends ImageTree = ImageTree> {
  readonly name: ImageTreeName
  readonly tree: T | null
  readonly isWhole: boolean
}

/** The trees that are whole, in Stowage's own images with all that leads to them. */
async function framesOf(
  readAt: ReadAt,
  {
    iso,
    udf,
    isOwn,
    hasUdf,
    sectors,
  }: {
    readonly iso: ReadableTree
    readonly udf: ReadableTree
    readonly isOwn: boolean
    readonly hasUdf: boolean
    readonly sectors: number
  },
): Promise<ReadonlySet<ImageTreeName>> {
  const whole = new Set<ImageTreeName>()
  const folders = iso.tree?.entries.filter(({ kind }) => kind === 'folder').length ?? 0
  if (iso.isWhole && (!isOwn || (await isIsoFramed(readAt, folders)))) whole.add('iso9660')
  if (udf.isWhole && (!hasUdf || (await isUdfFramed(readAt, sectors)))) whole.add('udf')
  return whole
}

async function asFarAsReadable<T extends ImageTree>(
  name: ImageTreeName,
  read: (onFault: OnFault) => Promise<T>,
): Promise<ReadableTree<T>> {
  let isWhole = true
  const onFault = (): void => {
    isWhole = false
  }
  try {
    const tree = await read(onFault)
    return { name, tree, isWhole }
  } catch (thrown) {
    faultIn(thrown)
    return { name, tree: null, isWhole: false }
  }
}

/** @param trees of which the later ones count where both have a file */
function imageOf(
  path: string,
  trees: readonly ReadableTree[],
  damaged: readonly ReadableTree[],
): Volume & { add(files: ReadonlyMap<string, FileRange>, areProved: boolean): void } {
  const places = new Map<string, ContentPlace>()
  const treeOf = new Map<string, ImageTreeName>()
  const entries = new Map<string, ImageEntry>()
  const topFolders = new Set<string>()
  for (const { name, tree } of trees) {
    const own = tree?.entries ?? []
    for (const entry of own) entries.set(entry.path, entry)
    for (const folder of topFoldersIn(own)) topFolders.add(folder)
    for (const [file, place] of placesIn(path, own)) {
      places.set(file, place)
      treeOf.set(file, name)
    }
  }
  const labels = trees.flatMap(({ tree }) => tree?.label ?? [])
  return {
    path,
    folder: null,
    label: labels.at(-1) ?? null,
    plannedIndex: null,
    damage:
      damaged.length === 0
        ? null
        : { trees: damaged.map(({ name }) => name), treeOf: (file) => treeOf.get(file) ?? null },
    get topFolders() {
      return [...topFolders]
    },
    placeOf: (wanted) => Promise.resolve(places.get(wanted) ?? null),
    tree: () => Promise.resolve(foundTree([...entries.values()])),
    add(files, areProved) {
      for (const [file, range] of files) {
        if (places.has(file) && !areProved) continue
        topFolders.add(file.slice(0, file.indexOf('/')))
        places.set(file, { file: path, ...range })
      }
    },
  }
}

/** The whole sectors of an image, or of a device, which does not say how many it has. */
async function sectorsOf(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  if (size > 0) return Math.floor(size / SECTOR)
  const hasSector = async (sector: number): Promise<boolean> => {
    const last = (sector + 1) * SECTOR - 1
    const { bytesRead } = await file.read(new Uint8Array(1), 0, 1, last).catch(() => ({ bytesRead: 0 }))
    return bytesRead > 0
  }
  let there = 0
  for (let most = MOST_SECTORS; there < most; ) {
    const middle = Math.floor((there + most) / 2)
    if (await hasSector(middle)) there = middle + 1
    else most = middle
  }
  return there
}
