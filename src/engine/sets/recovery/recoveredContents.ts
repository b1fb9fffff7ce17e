/**
 * The room `recovery` gives back what recovery data on a volume can.
 * How: PAR2 sets are read from wherever they are found, damage is judged by their digests, and
 * files come back into a temporary folder.
 * Not here: making recovery data (`mastering`), discs with parity (`parity`, `repair`).
 */

import { mkdir } from 'node:fs/promises'
import { attempt, fsPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import { openDamagedImage } from '../volume/image/damagedImage'
import { openFolder, type Volume } from '../volume/lists/volume'
import { recoveryPlaces } from './recoveryPlaces'
import { repairedFiles } from './repairedFiles'
import { setStates, volumeRecovery } from './volumeRecovery'

/** A volume of which something may be damaged. */
interface DamagedVolume extends Pick<Volume, 'path' | 'folder' | 'placeOf'> {
  /** Stowage's own folder on it; null where nothing shows which that is. */
  readonly own: string | null
}

/**
 * Calculates damaged files of a volume by its recovery data, whose sets are read as a whole.
 * @param wantedOf chooses from the names that the sets have
 * @param folder to be made for the files, by whoever removes it
 * @param watch `onBytes` hears of the sets' files, which are read twice
 * @returns where each of those is that are not as the set has them and come back
 * @throws AppError `no-space`, `io`, `cancelled`
 */
export async function recoveredContents(
  { path, folder: mounted, own, placeOf }: DamagedVolume,
  wantedOf: (listed: ReadonlySet<string>) => ReadonlySet<string>,
  folder: string,
  watch: { readonly signal: AbortSignal; readonly onBytes?: (done: number) => void },
): Promise<Map<string, ContentPlace>> {
  const { signal, onBytes } = watch
  const files = await (mounted === null ? openDamagedImage(path) : openFolder(path))
  const places = await recoveryPlaces(files, own, signal)
  if (places.length === 0) return new Map()
  const { sets } = await volumeRecovery(places, placeOf, { signal })
  const wanted = wantedOf(new Set(sets.flatMap((set) => set.files.map(({ name }) => name))))
  const needed = sets.filter((set) => set.files.some(({ name }) => wanted.has(name)))
  if (needed.length === 0) return new Map()
  await attempt('write', folder, mkdir(fsPath(folder), { mode: 0o700 }))
  const states = await setStates({ sets: needed }, placeOf, { signal, ...(onBytes && { onBytes }) })
  const read = needed.reduce((sum, set) => sum + set.files.reduce((all, { bytes }) => all + bytes, 0), 0)
  const onRepair = onBytes && ((done: number): void => onBytes(read + done))
  return repairedFiles(states, (name) => wanted.has(name), folder, {
    signal,
    ...(onRepair && { onBytes: onRepair }),
  })
}
