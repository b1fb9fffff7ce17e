import type { Database } from 'better-sqlite3'
import type { RunDocument } from '../../../contract/dto/run'
import { bestCopies } from '../../../domain/sets/copies/bestCopy'
import { type SkipCause, skippedBy } from '../../../domain/sets/skippedFile'
import { eventsOfSet, newestSet, type VolumeEvent } from '../../../domain/sets/volumeEvent'
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

/** The runs and events of a plan. */
export interface KnownOfPlan {
  /** Newest first. */
  readonly runs: readonly RunDocument[]
  /** In their order. */
  readonly events: readonly VolumeEvent[]
}

/**
 * The volumes of a plan by their numbers, in their order.
 * @param known where it is at hand
 */
export type PlanVolumes = (
  plan: {
    readonly number: number
    readonly id: string
    readonly createdWallMs: number
  },
  known?: KnownOfPlan,
) => ReadonlyMap<number, Volume>

/**
 * Reads the volumes of plans as the catalog last knew them, with what happened to each.
 */
export function planVolumes(
  reader: Database,
  { runs, events }: Pick<Catalog, 'runs' | 'events'>,
): PlanVolumes {
  const rows = reader.prepare<[number], { volume: number; label: string }>(
    'SELECT volume, label FROM volumes WHERE plan = ? ORDER BY volume',
  )
  return ({ number, id, createdWallMs }, known = { runs: runs(id), events: events(id) }) => {
    const labels = new Map(rows.all(number).map(({ volume, label }) => [volume, label]))
    // What happened to discs that an earlier packing of the plan made says nothing of those that there are now.
    const own = eventsOfSet(known.events, newestSet(known.runs, known.events))
    return new Map(
      [...bestCopies(labels.keys(), createdWallMs, own)].map(([index, { first, best, isLost }]) => [
        index,
        {
          label: labels.get(index) ?? '',
          state: best,
          first,
          isLost,
          skipped: skippedBy(known.runs, index),
        },
      ]),
    )
  }
}
