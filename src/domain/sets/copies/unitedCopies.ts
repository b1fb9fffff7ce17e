import type { VolumeCopy } from './copy'
import type { GoodCopy } from './safety'

/** A copy as a catalog knew it when it was exported. */
export interface ExportedCopy
  extends Pick<
    VolumeCopy,
    | 'place'
    | 'medium'
    | 'state'
    | 'copy'
    | 'verifiedWallMs'
    | 'verifyByWallMs'
    | 'damagedWallMs'
    | 'lostWallMs'
  > {
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

/**
 * The good copies of the volumes of several catalogs, catalog by catalog. One that is known to two
 * catalogs gets a name of its disk in common, so that it counts once: the same run made it, or it
 * has the same number. It is no copy where one of them knows it as damaged, lost or missing, and
 * none has verified it since.
 * @param nowWallMs decides which are overdue, and which dates are those of a wrong clock
 */
export function unitedCopies(catalogs: readonly ExportedCopies[], nowWallMs: number): UnitedCopy[][] {
  const against = new Map<string, number>()
  for (const { copies, exportedWallMs } of catalogs)
    for (const copy of copies) {
      const badWallMs = againstSince(copy, exportedWallMs)
      if (badWallMs === null) continue
      for (const name of identitiesOf(copy))
        against.set(name, Math.max(badWallMs, against.get(name) ?? badWallMs))
    }
  return catalogs.flatMap(({ volumes, copies }, catalog) => {
    const good: UnitedCopy[][] = Array.from({ length: volumes }, () => [])
    for (const [index, copy] of copies.entries()) {
      const { state, place, medium, verifiedWallMs, verifyByWallMs, isMissing } = copy
      if (state !== 'good' || isMissing || verifiedWallMs === null || verifyByWallMs === null) continue
      if (verifyByWallMs < nowWallMs || verifiedWallMs > nowWallMs) continue
      const names = identitiesOf(copy)
      if (names.some((name) => (against.get(name) ?? Number.NEGATIVE_INFINITY) >= verifiedWallMs)) continue
      good[copy.volume]?.push({ catalog, index, place, medium, disks: [...copy.disks, ...names] })
    }
    return good
  })
}

/** When a copy was last known as no good copy; null for one of which nothing bad is known. */
function againstSince(
  { damagedWallMs, lostWallMs, isMissing }: ExportedCopy,
  exportedWallMs: number,
): number | null {
  const times = [damagedWallMs, lostWallMs, isMissing ? exportedWallMs : null].filter((one) => one !== null)
  return times.length === 0 ? null : Math.max(...times)
}

function identitiesOf({ of, copy, madeBy }: ExportedCopy): string[] {
  return [`copy ${of} ${copy}`, ...(madeBy === null ? [] : [`made ${madeBy} ${of}`])]
}
