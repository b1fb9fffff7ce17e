import type { Database } from 'better-sqlite3'
import type { VolumeCheck } from '../../../contract/dto/check'
import type { RunDocument } from '../../../contract/dto/run'
import { bestCopies } from '../../../domain/sets/copies/bestCopy'
import { type SkipCause, skippedBy } from '../../../domain/sets/skippedFile'
import type { VolumeState } from '../../../domain/sets/volumeState'
import type { Catalog } from '../catalog'

interface Volume {
  readonly label: string
  /** The state of its best copy. */
  readonly state: VolumeState
  /** The same of the image or folder in the plan's folder and the first written copy. */
  readonly first: VolumeState
  /** True when every copy was noted as lost. */
  readonly isLost: boolean
  /** The files that were left out of it when it was built last, by the paths on it. */
  readonly skipped: ReadonlyMap<string, SkipCause>
}

/**
 * The volumes of a plan by their numbers, in their order.
 * @param ofPlan the runs of the plan, newest first, where they are at hand
 */
export type PlanVolumes = (
  plan: {
    readonly number: number
    readonly id: string
    readonly createdWallMs: number
  },
  ofPlan?: readonly RunDocument[],
) => ReadonlyMap<number, Volume>

/**
 * Reads the volumes of plans as the catalog last knew them, with what runs, checks and persons said
 * of each.
 */
export function planVolumes(
  reader: Database,
  runs: Catalog['runs'],
  checks: Catalog['checks'],
  copyNotes: Catalog['copyNotes'],
): PlanVolumes {
  const rows = reader.prepare<[number], { volume: number; label: string }>(
    'SELECT volume, label FROM volumes WHERE plan = ? ORDER BY volume',
  )
  return ({ number, id, createdWallMs }, ofPlan = runs(id)) => {
    const labels = new Map(rows.all(number).map(({ volume, label }) => [volume, label]))
    // Checks of discs that an earlier packing of the plan made say nothing of the volumes that there are now.
    const setId = ofPlan.find((run) => run.setId !== undefined)?.setId ?? null
    const copies = bestCopies(labels.keys(), {
      plannedWallMs: createdWallMs,
      runs: ofPlan,
      checks: ofNewestSet(checks(id), setId),
      notes: copyNotes(id),
    })
    return new Map(
      [...copies].map(([index, { first, best, isLost }]) => [
        index,
        { label: labels.get(index) ?? '', state: best, first, isLost, skipped: skippedBy(ofPlan, index) },
      ]),
    )
  }
}

/** @param setId null where runs do not know it: then it is that of the newest check */
function ofNewestSet(checks: readonly VolumeCheck[], setId: string | null): VolumeCheck[] {
  const newest = setId ?? checks.find((check) => check.setId !== null)?.setId ?? null
  return checks.filter((check) => newest === null || check.setId === null || check.setId === newest)
}
