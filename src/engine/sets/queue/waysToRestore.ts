import type { WantedFile as QueueFile } from '../../../domain/sets/queue/restoreQueue'
import type { Way } from '../../../domain/sets/queue/volumeCover'
import { containersOf } from '../restore/setContainers'
import type { WantedFile } from '../restore/wantedFiles'
import { type FileRow, type IndexRow, type PartRow, partsByWhole, pathOn } from '../volume/lists/setIndex'

/** The volumes of a set, as a list of all offered volumes has them. */
export interface SetVolumes {
  /** The place in the list of a volume of the set by its number. */
  readonly placeOf: ReadonlyMap<number, number>
  /** True for a path that was left out of a volume while that was built. */
  isLeftOut(volume: number, path: string): boolean
}

/**
 * The volumes that each wanted file can be restored from, as a restore reads them: those of its
 * parts, or of its container; in an archive that grows any that holds its content.
 * @param rows of the whole set
 */
export function waysToRestore(
  rows: readonly IndexRow[],
  files: readonly WantedFile[],
  { placeOf, isLeftOut }: SetVolumes,
): QueueFile[] {
  const parts = partsByWhole(rows)
  const wanted = new Set(files.flatMap((file) => ('whole' in file && file.whole.packed?.in) || []))
  const containers = containersOf(rows, wanted)
  const sameContent = grownContents(rows)
  const everywhere = [...placeOf.values()].map((place) => [place])
  const known = new Map<string, readonly Way[]>()
  const shared = (ways: readonly Way[]): readonly Way[] => {
    const key = ways.map((way) => way.join()).join(';')
    const before = known.get(key)
    if (before) return before
    known.set(key, ways)
    return ways
  }
  const together = (needed: readonly (FileRow | PartRow)[]): readonly Way[] => {
    const volumes = [...new Set(needed.map(({ volume }) => volume))].toSorted((one, other) => one - other)
    const isWhole = needed.length > 0 && needed.every((row) => !isLeftOut(row.volume, pathOn(row)))
    return shared(isWhole ? [volumes.flatMap((volume) => placeOf.get(volume) ?? [])] : [])
  }
  const waysOf = (file: WantedFile): readonly Way[] => {
    if ('parts' in file) return together(file.parts)
    const { whole } = file
    if (whole.packed) return together(containers.get(whole.packed.in)?.rows ?? [])
    const ofFirst = parts.get(whole.linkOf ?? '')
    if (ofFirst) return together(ofFirst)
    if (whole.at === undefined) return together([whole])
    if (whole.bytes === 0) return shared(everywhere)
    const holding = (sameContent.get(whole.sha256) ?? [whole]).filter(
      (row) => !isLeftOut(row.volume, pathOn(row)),
    )
    const volumes = [...new Set(holding.flatMap(({ volume }) => placeOf.get(volume) ?? []))]
    return shared(volumes.toSorted((one, other) => one - other).map((place) => [place]))
  }
  return files.map((file) => ({ path: file.path, bytes: file.bytes, ways: waysOf(file) }))
}

/** The files of an archive that grows, by their contents; of another set none. */
function grownContents(rows: readonly IndexRow[]): ReadonlyMap<string, FileRow[]> {
  const grown = rows.filter((row) => row.kind === 'file').filter((row) => row.at !== undefined)
  return Map.groupBy(grown, ({ sha256 }) => sha256)
}
