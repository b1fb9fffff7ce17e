import { joinPath } from '../../../files/fileSystem'
import { COPIES, INDEX_NAME, SUMS_NAME } from '../planned/ownNames'
import { indexId, isSetIndex, LARGEST_INDEX_BYTES, readableIndex, requireKnownVersion } from './setIndex'
import { readSetSums } from './setSums'
import { contentAt, noVolume, type Volume } from './volume'

/** The file of recovery data that every volume with such data has. */
const FIRST_RECOVERY = 'recovery-1.par2'

/** The lists of one volume as they lie there: any of them may be missing or damaged. */
export interface FoundLists {
  readonly files: Volume
  /** Stowage's own folder on it; null where nothing shows which that is. */
  readonly own: string | null
  readonly text: Buffer | null
  readonly sums: ReadonlyMap<string, string> | null
}

/**
 * Reads the lists of a volume as far as they can be read: their second copy where that is proved,
 * and the first is not.
 * @throws AppError `bad-input` for a folder without any, `refused` for an index of a newer version
 */
export async function foundLists(files: Volume): Promise<FoundLists> {
  const lists = await firstLists(files)
  if (lists !== null && isProved(lists)) return known(lists)
  for (const own of files.topFolders) {
    const copy = await listsIn(files, own, joinPath(own, COPIES))
    if (isProved(copy)) return known(copy)
  }
  if (lists !== null) return lists
  for (const folder of files.topFolders)
    if (await files.placeOf(joinPath(folder, FIRST_RECOVERY)))
      return { files, own: folder, text: null, sums: null }
  if (files.folder !== null) throw noVolume(files.path, 'restore from')
  return { files, own: null, text: null, sums: null }
}

/** Lists that are proved: what their index says of its version is no damage. */
function known(lists: FoundLists): FoundLists {
  const { files, own, text } = lists
  if (text) requireKnownVersion(text, joinPath(files.path, own ?? '', INDEX_NAME))
  return lists
}

/**
 * A volume as it is, but with the second copy of its lists in place of the first, where that one is
 * proved and the first is not.
 */
export async function readableLists(files: Volume): Promise<Volume> {
  const first = await firstLists(files)
  if (first !== null && isProved(first)) return files
  for (const own of files.topFolders) {
    const copies = joinPath(own, COPIES)
    if (!isProved(await listsIn(files, own, copies))) continue
    const copyOf = (path: string): string =>
      path.startsWith(`${own}/`) ? joinPath(copies, path.slice(own.length + 1)) : path
    return { ...files, placeOf: async (path) => (await files.placeOf(copyOf(path))) ?? files.placeOf(path) }
  }
  return files
}

/** @param folder where the lists are: in Stowage's own folder, or in that of the copies */
async function listsIn(files: Volume, own: string, folder: string): Promise<FoundLists> {
  const text = await textAt(files, joinPath(folder, INDEX_NAME))
  const sums = await textAt(files, joinPath(folder, SUMS_NAME))
  return { files, own, text: text && isSetIndex(text) ? text : null, sums: sums && readSetSums(sums) }
}

/** The lists in Stowage's own folder; null where nothing shows which that is. */
async function firstLists(files: Volume): Promise<FoundLists | null> {
  const all = await Promise.all(files.topFolders.map((own) => listsIn(files, own, own)))
  const own = all.filter((each) => each.text !== null || each.sums?.has(`${each.own}/${INDEX_NAME}`) === true)
  // An index that came with the source, from a copied disc say, is a file in the volume's own.
  const listed = new Set(
    own.flatMap(({ text, sums, own: folder }) => [
      ...(text ? readableIndex(text).rows.map(({ path }) => path) : []),
      // Checksums that are elsewhere than they say came with the source too.
      ...(sums?.has(`${folder}/${INDEX_NAME}`)
        ? [...sums.keys()].filter((path) => !path.startsWith(`${folder}/`))
        : []),
    ]),
  )
  return own.find((each) => !listed.has(`${each.own}/${INDEX_NAME}`)) ?? null
}

async function textAt(files: Volume, path: string): Promise<Buffer | null> {
  const place = await files.placeOf(path)
  if (place === null || place.bytes > LARGEST_INDEX_BYTES) return null
  return contentAt(place).catch(() => null)
}

/**
 * True when the index has the digest that the plan gives for it or, without a plan, the checksums.
 */
export function isProved({ files, own, text, sums }: FoundLists): boolean {
  if (text === null) return false
  const evidence = files.plannedIndex ?? sums?.get(`${own}/${INDEX_NAME}`)
  return evidence === indexId(text)
}
