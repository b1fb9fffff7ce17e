import type { DamagedFolders } from '../../../../domain/sets/damagedFolders'
import { AppError } from '../../../../primitives/appError'
import { joinPath } from '../../../files/fileSystem'
import type { ContentPlace } from '../../../files/read'
import {
  hasListedSize,
  isSetIndex,
  LARGEST_INDEX_BYTES,
  pathOn,
  readSetIndex,
  type SetIndex,
} from '../lists/setIndex'
import { type Skipped, skippedOn } from '../lists/skippedList'
import { contentAt, noVolume, type Volume, type VolumeUse } from '../lists/volume'
import { ENCRYPTED_INDEX_NAME, INDEX_NAME, README_NAME } from '../planned/ownNames'

/** A volume that a person gave, open for reading. */
export interface GivenVolume extends Pick<Volume, 'path' | 'folder' | 'placeOf'> {
  readonly index: SetIndex
  /** Stowage's own folder on it. */
  readonly own: string
  /** The files that the index lists on it and that were left out. */
  readonly skipped: Skipped
  /** Its number in the set as it says itself; null if it does not. */
  readonly number: number | null
  /**
   * In an encrypted set the archive of the whole index, of which `index` has only the containers.
   */
  readonly encryptedIndex: ContentPlace | null
  /** How files were found that `placeOf` was asked for; null where no folder is damaged. */
  damagedFolders(): DamagedFolders | null
}

/** Bytes that are read of a readme; more than its first lines. */
const README_BYTES = 4096

/**
 * A volume with its index.
 * @throws AppError `bad-input` for one without, or the reason why none can be read
 */
export async function givenVolume(files: Volume, use: VolumeUse): Promise<GivenVolume> {
  const found: { own: string; index: SetIndex }[] = []
  const failures: AppError[] = []
  for (const own of files.topFolders) {
    const place = await files.placeOf(`${own}/${INDEX_NAME}`)
    if (place === null || place.bytes > LARGEST_INDEX_BYTES) continue
    const text = await contentAt(place).catch((thrown: unknown) => {
      failures.push(AppError.from(thrown))
      return null
    })
    if (text === null || !isSetIndex(text)) continue
    found.push({ own, index: readSetIndex(text, joinPath(files.path, own, INDEX_NAME)) })
  }
  // An index that came with the source, from a copied disc say, is a file in the volume's own.
  const listed = new Set(found.flatMap(({ index }) => index.rows.map((row) => row.path)))
  const ours = found.find(({ own }) => !listed.has(`${own}/${INDEX_NAME}`))
  if (!ours) {
    // To a restore, an image that ends before its index is none; a check says what is wrong with it.
    const isCut = use === 'restore from' && failures[0]?.code === 'verification-failed'
    throw isCut ? noVolume(files.path, use) : (failures[0] ?? noVolume(files.path, use))
  }
  const { own, index } = ours
  return {
    path: files.path,
    folder: files.folder,
    placeOf: (path) => files.placeOf(path),
    own,
    index,
    skipped: await skippedOn(files, own),
    number: saidNumber(index, await readmeOf(files, own), files.label),
    encryptedIndex: await files.placeOf(`${own}/${ENCRYPTED_INDEX_NAME}`),
    damagedFolders: () => null,
  }
}

/** The beginning of the readme in Stowage's own folder; empty if it cannot be read. */
export async function readmeOf(files: Pick<Volume, 'placeOf'>, own: string): Promise<string> {
  const place = await files.placeOf(`${own}/${README_NAME}`)
  if (place === null) return ''
  const head = { ...place, bytes: Math.min(place.bytes, README_BYTES) }
  return (await contentAt(head).catch(() => Buffer.alloc(0))).toString('latin1')
}

/**
 * The number and the label that a readme gives its volume, with the plan, its day and the project.
 */
export function readmeFacts(readme: string): {
  readonly number: number | null
  readonly label: string | null
  readonly planId: string | null
  /** The beginning of the day of the plan, in UTC; 0 where it is not there. */
  readonly createdWallMs: number
  readonly projectId: string | null
} {
  const [, number, label, day = ''] =
    /^This is volume (\d+) of \d+, (.+?), of an archive(?: planned with Stowage on (\d{4}-\d{2}-\d{2}))?/.exec(
      readme,
    ) ?? []
  const [, planId] = /^Plan: ([A-Za-z0-9_.-]{1,64})$/m.exec(readme) ?? []
  const [, projectId] = /^Project: (?:.* )?\(?(pr-[0-9a-f]{12})\)?$/m.exec(readme) ?? []
  return {
    number: number === undefined ? null : Number(number),
    label: label ?? null,
    planId: planId ?? null,
    createdWallMs: Date.parse(day) || 0,
    projectId: projectId ?? null,
  }
}

/** The number that a volume's readme gives it, or else an image's label. */
export function saidNumber(
  { volumes, generation }: Pick<SetIndex, 'volumes' | 'generation'>,
  readme: string,
  imageLabel: string | null,
): number | null {
  const { number, label } = readmeFacts(readme)
  const isIt = (volume: { index: number; label: string }): boolean => {
    if (number === null) return volume.label === imageLabel
    return volume.label === label && (generation !== undefined || volume.index === number)
  }
  return volumes.find(isIt)?.index ?? null
}

/**
 * The number of a volume that does not say it: that of the first listed file that it holds where
 * the index says.
 */
export async function guessedNumber(volume: Pick<GivenVolume, 'index' | 'placeOf'>): Promise<number | null> {
  for (const row of volume.index.rows) {
    if (row.kind !== 'file' && row.kind !== 'part') continue
    if (row.kind === 'file' && row.packed) continue
    if (hasListedSize(row, (await volume.placeOf(pathOn(row)))?.bytes)) return row.volume
  }
  return null
}
