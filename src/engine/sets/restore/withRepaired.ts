import { AppError } from '../../../primitives/appError'
import { joinPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import { withTempFolder } from '../../files/scratch'
import { newId } from '../../jobs/newId'
import { recoveredContents } from '../recovery/recoveredContents'
import { OF_ALL } from '../unpack/unpack'
import { isContentOf } from '../volume/image/imagePlaces'
import { PENDING_SHA256 } from '../volume/lists/indexTsv'
import { type FileRow, type IndexRow, type PartRow, pathOn } from '../volume/lists/setIndex'
import type { GivenVolume } from '../volume/open/givenVolumes'
import { contentRows, numbersAtHand, type RestorePlan, restorePlan } from './restorePlan'
import type { Restoring } from './restoring'
import type { Wanted } from './wantedFiles'

/**
 * Restores once more what was damaged or missing on a volume at hand, where recovery data on that
 * volume gives something of it back.
 * @param restore goes through the plan of the files that failed
 * @throws AppError what hinders all files
 */
export async function withRepaired(
  restoring: Restoring,
  wanted: Wanted,
  restore: (restoring: Restoring, plan: RestorePlan) => Promise<void>,
): Promise<void> {
  const { record, request, notes, rows, signal, volumes } = restoring
  const failed = record.failedPaths()
  const files = wanted.files.filter(({ path }) => failed.has(path))
  if (files.length === 0) return
  const needed = contentRows(rows, files)
  await withTempFolder(notes, joinPath(request.to, newId('.stowage-repair')), async (scratch) => {
    const places = new Map<IndexRow, ContentPlace>()
    for (const [volume, number] of await numbersAtHand(volumes)) {
      const own = needed.filter((row) => row.volume === number && !places.has(row))
      if (own.length === 0) continue
      record.progress(volume.path)
      const folder = joinPath(scratch, String(number))
      try {
        for (const [row, place] of await repairedOn(volume, own, folder, signal)) places.set(row, place)
      } catch (thrown) {
        // Everything else is restored all the same.
        const { code, message } = AppError.from(thrown)
        if (OF_ALL.has(code)) throw thrown
        record.note(message)
      }
    }
    if (places.size === 0) return
    record.again(files)
    const all = new Map([...restoring.places, ...places])
    await restore({ ...restoring, places: all }, restorePlan(rows, { files }, all))
    // Windows removes no folder with an open file.
    await restoring.target.close()
    record.repaired(files)
  })
}

/**
 * Repairs what the rows need of a volume.
 * @param folder to be made for it
 * @returns where the content of each row is that the volume itself does not give
 */
async function repairedOn(
  volume: GivenVolume,
  rows: readonly (FileRow | PartRow)[],
  folder: string,
  signal: AbortSignal,
): Promise<Map<IndexRow, ContentPlace>> {
  // Files with equal content are in a set once, under one of their names.
  const nameOf = new Map<string, string>()
  let listed: ReadonlySet<string> = new Set()
  const nameFor = (row: FileRow | PartRow): string | undefined => {
    if (listed.has(pathOn(row))) return pathOn(row)
    return row.sha256 === PENDING_SHA256 ? undefined : nameOf.get(row.sha256)
  }
  const wantedOf = (names: ReadonlySet<string>): Set<string> => {
    listed = names
    for (const row of volume.index.rows) {
      // Other generations of an archive have other files under the same names.
      const isOther = row.at !== undefined && row.volume !== volume.number
      if ((row.kind === 'file' || row.kind === 'part') && !isOther && names.has(pathOn(row)))
        nameOf.set(row.sha256, pathOn(row))
    }
    return new Set(rows.flatMap((row) => nameFor(row) ?? []))
  }
  const own = volume.own === '' ? null : volume.own
  const { path, folder: mounted } = volume
  const placeOf = (name: string): Promise<ContentPlace | null> => volume.placeOf(name)
  const found = await recoveredContents({ path, folder: mounted, own, placeOf }, wantedOf, folder, { signal })
  const repaired = new Map<IndexRow, ContentPlace>()
  for (const row of rows) {
    const name = nameFor(row)
    if (name === undefined) continue
    const place = found.get(name) ?? (name === pathOn(row) ? null : await volume.placeOf(name))
    // Another copy may have what recovery data does not give back.
    if (place && (found.has(name) || (await isContentOf(row, place, signal)))) repaired.set(row, place)
  }
  return repaired
}
