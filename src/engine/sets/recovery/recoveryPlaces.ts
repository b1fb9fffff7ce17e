import { open } from 'node:fs/promises'
import { pathFromBytes } from '../../../primitives/pathText'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import type { FilePart } from '../../native/protection'
import { readerOf, SECTOR, sectorsAt } from '../volume/image/imageTree'
import { entriesIn, type Volume } from '../volume/lists/volume'

/** PAR2 files of a volume, or a range of a damaged image that may have them. */
export interface RecoveryPlace extends FilePart {
  /** Null where no folder leads to it. */
  readonly name: string | null
}

const PAR2_NAME = /\.par2$/
const MAGIC = 'PAR2\0PKT'
const WINDOW_SECTORS = 512

/**
 * Where the recovery data of a volume is: the PAR2 files in Stowage's own folder, and in an image
 * with damaged folders everything from the first packet on that begins at a sector.
 * @param own Stowage's own folder on it; null where nothing shows which that is
 * @throws AppError `io`, `cancelled`
 */
export async function recoveryPlaces(
  files: Volume,
  own: string | null,
  signal: AbortSignal,
): Promise<RecoveryPlace[]> {
  const places: RecoveryPlace[] = []
  for (const name of own === null ? [] : await par2Names(files, own, signal)) {
    const place = await files.placeOf(joinPath(own ?? '', name))
    if (place) places.push({ name, path: place.file, offset: place.offset, bytes: place.bytes })
  }
  if (files.damage === null) return places
  const found = await firstPacket(files.path, signal)
  return found === null ? places : [...places, { name: null, path: files.path, ...found }]
}

async function par2Names(files: Volume, own: string, signal: AbortSignal): Promise<string[]> {
  if (files.folder !== null)
    return (await entriesIn(joinPath(files.folder, own)))
      .map(({ name }) => pathFromBytes(name))
      .filter((name) => PAR2_NAME.test(name))
      .toSorted()
  const names: string[] = []
  for (const path of (await files.tree(signal)).keys()) {
    const name = path.slice(own.length + 1)
    if (path.startsWith(`${own}/`) && !name.includes('/') && PAR2_NAME.test(name)) names.push(name)
  }
  return names.toSorted()
}

/** The range from the first sector that begins with a packet to the end of an image. */
async function firstPacket(
  image: string,
  signal: AbortSignal,
): Promise<{ readonly offset: number; readonly bytes: number } | null> {
  await using file = await attempt('read', image, open(fsPath(image)))
  const { size } = await file.stat()
  const readAt = readerOf(file)
  for (let from = 0; from < size; from += WINDOW_SECTORS * SECTOR) {
    throwIfAborted(signal)
    const window = await sectorsAt(readAt, from / SECTOR, WINDOW_SECTORS)
    for (let at = 0; at < window.length; at += SECTOR)
      if (window.toString('latin1', at, at + MAGIC.length) === MAGIC)
        return { offset: from + at, bytes: size - from - at }
  }
  return null
}
