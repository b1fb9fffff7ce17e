import { AppError } from '../../../primitives/appError'
import { joinPath } from '../../files/fileSystem'
import { type PlaceNotes, withSystemTempFolder } from '../../files/scratch'
import { ImagePlaces, numberByContent } from '../volume/image/imagePlaces'
import { type FoundLists, foundLists, isProved } from '../volume/lists/foundLists'
import { readableIndex } from '../volume/lists/setIndex'
import { readSetSums } from '../volume/lists/setSums'
import { contentAt, type Volume } from '../volume/lists/volume'
import { type VolumeLists, volumeLists } from '../volume/open/volumeLists'
import { COPIES, INDEX_NAME, README_NAME, SKIPPED_NAME, SUMS_NAME } from '../volume/planned/ownNames'
import { recoveredContents } from './recoveredContents'

interface MendWork {
  readonly notes: PlaceNotes
  readonly signal: AbortSignal
}

/**
 * The lists of a volume, with those that recovery data gives back in place of damaged ones.
 * @throws AppError `no-space`, `io`, `cancelled`
 */
export function mendedLists(lists: FoundLists, work: MendWork): Promise<FoundLists> {
  return withMended(lists, work, async (mended) => ({ ...(await foundLists(mended)), files: lists.files }))
}

/**
 * Reads the lists of a volume as `volumeLists`; where both copies of one are damaged, as recovery
 * data gives it back. Files are found on the volume itself, its damaged lists too.
 * @throws AppError as `volumeLists`, and `no-space`, `cancelled`
 */
export async function mendedVolumeLists(files: Volume, work: MendWork): Promise<VolumeLists> {
  const lists = await foundLists(files).catch((thrown: unknown) => {
    if (AppError.from(thrown).code === 'refused') throw thrown
    return null
  })
  if (lists === null || (isProved(lists) && (await areSumsCertain(lists)))) return volumeLists(files)
  return withMended(lists, work, (mended) => volumeLists(files, mended))
}

/** The lists that say what is on a volume, and which it is. */
const NAMES = new Set([INDEX_NAME, README_NAME, SUMS_NAME, SKIPPED_NAME])

/** @param read takes the volume with the lists that come back, which are there until it ends */
async function withMended<T>(
  lists: FoundLists,
  { notes, signal }: MendWork,
  read: (mended: Volume) => Promise<T>,
): Promise<T> {
  const { files, own } = lists
  const placeOf = await placesByIndex(lists)
  const isOwn = (path: string): boolean => {
    const [folder, name = '', ...below] = path.split('/')
    return below.length === 0 && NAMES.has(name) && (own === null || folder === own)
  }
  return withSystemTempFolder(notes, 'restore', async (scratch) => {
    const found = await recoveredContents(
      { path: files.path, folder: files.folder, own, placeOf },
      (listed) => new Set([...listed].filter(isOwn)),
      joinPath(scratch, 'lists'),
      { signal },
    )
    const folders = [...found.keys()].map((path) => path.slice(0, path.lastIndexOf('/')))
    return read({
      ...files,
      topFolders: [...new Set([...files.topFolders, ...folders])],
      placeOf: async (path) => found.get(path) ?? files.placeOf(path),
    })
  })
}

/**
 * Where files are by the folders, and in an image with damaged ones by what is left of both copies
 * of the index. A wrong line does no harm: each block of a set is compared with its digest.
 */
async function placesByIndex({ files, own, text }: FoundLists): Promise<Volume['placeOf']> {
  const byFolders: Volume['placeOf'] = (path) => files.placeOf(path)
  if (files.damage === null || own === null) return byFolders
  const copy = await files.placeOf(joinPath(own, COPIES, INDEX_NAME))
  const texts = [text, copy && (await contentAt(copy).catch(() => null))]
  const places: ImagePlaces[] = []
  for (const each of texts) {
    const index = each && readableIndex(each)
    if (index) places.push(new ImagePlaces(files, index, await numberByContent(files.path, index)))
  }
  return async (path) => {
    for (const one of places) {
      const place = await one.placeOf(path)
      if (place) return place
    }
    return byFolders(path)
  }
}

/** False where the checksums cannot be read, or their two copies say different things. */
async function areSumsCertain({ files, own, sums }: FoundLists): Promise<boolean> {
  if (own === null || sums === null) return false
  const paths = [SUMS_NAME, joinPath(COPIES, SUMS_NAME)].map((name) => joinPath(own, name))
  const places = await Promise.all(paths.map((path) => files.placeOf(path)))
  const texts = await Promise.all(
    places.map(async (place) => place && (await contentAt(place).catch(() => null))),
  )
  const [first, copy] = texts.flatMap((text) => (text && readSetSums(text) ? text : []))
  return first === undefined || copy === undefined || first.equals(copy)
}
