import { createHash } from 'node:crypto'
import type { DamagedFolders } from '../../../../domain/sets/damagedFolders'
import { AppError } from '../../../../primitives/appError'
import { joinPath } from '../../../files/fileSystem'
import type { ContentPlace } from '../../../files/read'
import { ImagePlaces, numberByContent } from '../image/imagePlaces'
import { readableLists } from '../lists/foundLists'
import { isOfParity } from '../lists/parityTsv'
import type { SetIndex } from '../lists/setIndex'
import { readSetSums } from '../lists/setSums'
import { NONE_SKIPPED, type Skipped, skippedOn } from '../lists/skippedList'
import { contentAt, type Volume } from '../lists/volume'
import { INDEX_NAME, SUMS_NAME } from '../planned/ownNames'
import { type GivenVolume, givenVolume, guessedNumber, readmeFacts, readmeOf } from './givenVolumes'

/**
 * The lists of a volume, as far as they can be read: index or checksums may be missing, not both.
 */
export interface VolumeLists {
  readonly files: Volume
  readonly volume: GivenVolume | null
  readonly index: SetIndex | null
  readonly sums: ReadonlyMap<string, string> | null
  /** Stowage's own folder on it. */
  readonly own: string
  /** The files that the index lists on it and that were left out. */
  readonly skipped: Skipped
  /** SHA-256 of the index, by itself or by the checksums. */
  readonly setId: string | null
  readonly planId: string | null
  readonly number: number | null
  readonly label: string
  readonly encryptedIndex: ContentPlace | null
  /** How files were found whose places were asked for; null where no folder is damaged. */
  damagedFolders(): DamagedFolders | null
}

/**
 * Reads index, checksums and readme of a volume, or their second copy where the first is damaged.
 * Where sectors of the index cannot be read, the checksums name its files. The digest of the
 * checksums themselves is among them, so that damage to their first copy is seen.
 * @param from the volume to read the lists from; another one where they were repaired
 * @throws AppError `bad-input` for what is no volume, `refused` for an index of a newer version, or
 *   the reason why neither can be read
 */
export async function volumeLists(files: Volume, from: Volume = files): Promise<VolumeLists> {
  let failure: AppError | null = null
  const readable = await readableLists(from)
  const volume = await givenVolume(readable, 'verify').catch((thrown: unknown) => {
    failure = AppError.from(thrown)
    if (failure.code === 'refused') throw failure
    return null
  })
  const own = volume?.own ?? (await folderOfSums(readable))
  if (own === null) throw failure ?? new AppError('internal', 'a volume without lists')
  const sums = await sumsIn(readable, own)
  if (!volume && !sums) throw failure ?? new AppError('internal', 'a volume without lists')
  const facts = readmeFacts(await readmeOf(readable, own))
  const number = volume ? await numberOf(files, volume) : facts.number
  const index = volume?.index ?? null
  const label = index?.volumes.find((one) => one.index === number)?.label ?? facts.label ?? files.label
  return {
    ...placedByIndex(files, index, number),
    volume,
    index,
    sums,
    own,
    skipped: volume?.skipped ?? (await skippedOn(readable, own)),
    setId: sums?.get(`${own}/${INDEX_NAME}`) ?? volume?.index.id ?? null,
    planId: facts.planId,
    number,
    label: label ?? nameOf(files.path),
    encryptedIndex: volume?.encryptedIndex ?? null,
  }
}

/**
 * The lists of an image on which none can be found, by the index of another volume of its set.
 * @returns null where none of them lists what is on it
 */
export async function listsOfOthers(
  files: Volume,
  others: readonly VolumeLists[],
): Promise<VolumeLists | null> {
  for (const { index, own, setId, planId } of files.folder === null ? others : []) {
    const number = index && (await numberByContent(files.path, index))
    if (index === null || number === null) continue
    const label = index.volumes.find((volume) => volume.index === number)?.label ?? nameOf(files.path)
    const none = { volume: null, sums: null, encryptedIndex: null, skipped: NONE_SKIPPED }
    return { ...placedByIndex(files, index, number), ...none, index, own, setId, planId, number, label }
  }
  return null
}

/** An image or folder whose files are also found by the sectors in an index. */
export function placedByIndex(
  files: Volume,
  index: SetIndex | null,
  number: number | null,
): Pick<VolumeLists, 'files' | 'damagedFolders'> {
  const places = new ImagePlaces(files, index ?? { rows: [], volumes: [] }, number)
  return {
    files: { ...files, placeOf: (path) => places.placeOf(path) },
    damagedFolders: () => places.damagedFolders(),
  }
}

async function numberOf(files: Volume, volume: GivenVolume): Promise<number | null> {
  const said = volume.number ?? (await guessedNumber(volume))
  return said === null && files.damage !== null ? numberByContent(files.path, volume.index) : said
}

/** Stowage's own folder where the index cannot be read: the one whose checksums name it. */
async function folderOfSums(files: Volume): Promise<string | null> {
  for (const own of files.topFolders) {
    const sums = await sumsIn(files, own)
    if (sums?.has(`${own}/${INDEX_NAME}`) || isOfParity(sums, own)) return own
  }
  return null
}

async function sumsIn(files: Volume, own: string): Promise<Map<string, string> | null> {
  const place = await files.placeOf(joinPath(own, SUMS_NAME))
  if (place === null) return null
  const text = await contentAt(place).catch(() => null)
  const sums = text && readSetSums(text)
  if (!text || !sums) return null
  return sums.set(joinPath(own, SUMS_NAME), createHash('sha256').update(text).digest('hex'))
}

function nameOf(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? path
}
