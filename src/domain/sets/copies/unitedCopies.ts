import type { VolumeCopy } from './copy'
import type { GoodCopy } from './safety'

/** A copy as a catalog knew it when it was exported. */
export interface ExportedCopy
  extends Pick<VolumeCopy, 'place' | 'medium' | 'state' | 'copy' | 'verifiedWallMs' | 'verifyByWallMs'> {
  /** The place of its volume in the catalog's tables. */
  readonly volume: number
  /** Its plan, or its set, and the number of the volume in it. */
  readonly of: string
  /** The run that made it; null where that is not known. */
  readonly madeBy: string | null
  /** It was looked at, and was not there, or something else was. */
  readonly isMissing: boolean
  readonly disks: readonly string[]
}

/** The copies of one catalog, by their places in its tables. */
export interface ExportedCopies {
  /** By the clock of its machine. */
  readonly exportedWallMs: number
  readonly volumes: number
  readonly copies: readonly ExportedCopy[]
}

/** A good copy of one of the catalogs. */
export interface UnitedCopy extends GoodCopy {
  /** The places of its catalog, and of the copy in that catalog's tables. */
  readonly catalog: number
  readonly index: number
}

/** No clock that is only set for another time zone is further ahead. */
const MOST_AHEAD_MS = 86_400_000

/**
 * The good copies of the volumes of several catalogs, catalog by catalog. One that is known to two
 * catalogs gets a name of its disk in common, so that it counts once: the same run made it, or it
 * has the same number. It is no copy where any of them knows it as damaged, lost or missing: clocks
 * of different machines do not tell which of two findings is the later one. A copy that is known to
 * be of another run is another one.
 * @param nowWallMs decides which are overdue, and which dates are those of a wrong clock: what was
 *   verified before the catalog was exported counts where that clock is at most a day ahead
 */
export function unitedCopies(catalogs: readonly ExportedCopies[], nowWallMs: number): UnitedCopy[][] {
  const bad = Map.groupBy(
    catalogs.flatMap(({ copies }) =>
      copies.filter(({ state, isMissing }) => isMissing || state === 'damaged' || state === 'lost'),
    ),
    ({ of }) => of,
  )
  const isBad = (copy: ExportedCopy): boolean =>
    (bad.get(copy.of) ?? []).some((one) =>
      one.madeBy === null || copy.madeBy === null ? one.copy === copy.copy : one.madeBy === copy.madeBy,
    )
  return catalogs.flatMap(({ exportedWallMs, volumes, copies }, catalog) => {
    const isAhead = exportedWallMs > nowWallMs && exportedWallMs <= nowWallMs + MOST_AHEAD_MS
    const lastWallMs = isAhead ? exportedWallMs : nowWallMs
    const good: UnitedCopy[][] = Array.from({ length: volumes }, () => [])
    for (const [index, copy] of copies.entries()) {
      const { state, place, medium, verifiedWallMs, verifyByWallMs, madeBy } = copy
      if (state !== 'good' || verifiedWallMs === null || verifyByWallMs === null || isBad(copy)) continue
      if (verifyByWallMs < nowWallMs || verifiedWallMs > lastWallMs) continue
      const run = madeBy === null ? [] : [`made ${madeBy} ${copy.of}`]
      good[copy.volume]?.push({
        catalog,
        index,
        place,
        medium,
        disks: [...copy.disks, numberOf(copy), ...run],
      })
    }
    return good
  })
}

function numberOf({ of, copy }: ExportedCopy): string {
  return `copy ${of} ${copy}`
}
