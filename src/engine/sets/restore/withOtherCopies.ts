import { pathForDisplay } from '../../../primitives/pathText'
import { formatCounted } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { ContentPlace } from '../../files/read'
import { isContentOf } from '../volume/image/imagePlaces'
import { PENDING_SHA256 } from '../volume/lists/indexTsv'
import type { FileRow, IndexRow, PartRow } from '../volume/lists/setIndex'
import type { GivenVolume } from '../volume/open/givenVolumes'
import { contentRows, placeFinder, type RestorePlan, restorePlan } from './restorePlan'
import type { Restoring } from './restoring'
import type { Wanted } from './wantedFiles'

/**
 * Restores once more what was damaged or missing where it was read, as far as it is at another
 * place at hand: on another copy of the volume, most of all. A place counts if its content has the
 * listed digest; an archive without one is tried at every place.
 * @returns the restore with the places that are right
 * @throws AppError what hinders all files
 */
export async function withOtherCopies(
  restoring: Restoring,
  wanted: Wanted,
  restore: (restoring: Restoring, plan: RestorePlan) => Promise<void>,
): Promise<Restoring> {
  const { record, rows, signal, volumes } = restoring
  const placesFor = placeFinder(volumes, rows)
  const right = new Map<IndexRow, ContentPlace | null>()
  const otherPlace = async (row: FileRow | PartRow, attempt: number): Promise<ContentPlace | null> => {
    const hasDigest = row.sha256 !== PENDING_SHA256
    const known = hasDigest ? right.get(row) : undefined
    if (known !== undefined) return known
    const all: ContentPlace[] = []
    for await (const place of placesFor(row)) all.push(place)
    if (!hasDigest) return all[attempt] ?? null
    // A single place was read already.
    const found = all.length < 2 ? null : await rightPlace(row, all, signal)
    right.set(row, found)
    return found
  }
  let { places } = restoring
  for (let attempt = 1; ; attempt += 1) {
    const failed = record.failedPaths()
    const files = wanted.files.filter(({ path }) => failed.has(path))
    const others = new Map<IndexRow, ContentPlace>()
    for (const row of contentRows(rows, files)) {
      const other = await otherPlace(row, attempt)
      if (other !== null && !areSame(other, places.get(row))) others.set(row, other)
    }
    if (others.size === 0) return { ...restoring, places }
    noteDamaged(
      restoring,
      [...others.keys()].flatMap((row) => places.get(row) ?? []),
    )
    places = new Map([...places, ...others])
    record.again(files)
    await restore({ ...restoring, places }, restorePlan(rows, { files }, places))
  }
}

async function rightPlace(
  row: FileRow | PartRow,
  places: readonly ContentPlace[],
  signal: AbortSignal,
): Promise<ContentPlace | null> {
  for (const place of places) if (await isContentOf(row, place, signal)) return place
  return null
}

function areSame(one: ContentPlace, other: ContentPlace | undefined): boolean {
  return one.file === other?.file && one.offset === other.offset
}

/** Notes on which volumes files are damaged that come from another copy. */
function noteDamaged({ record, volumes }: Restoring, places: readonly ContentPlace[]): void {
  for (const volume of volumes) {
    const own = places.filter(({ file }) => isOn(volume, file)).length
    if (own === 0) continue
    const files = formatCounted(own, 'file')
    record.note(said`${files} came from another copy: damaged on ${pathForDisplay(volume.path)}`)
  }
}

function isOn({ path, folder }: GivenVolume, file: string): boolean {
  return folder === null ? file === path : file.startsWith(`${folder}/`)
}
