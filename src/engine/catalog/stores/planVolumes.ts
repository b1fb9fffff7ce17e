import type { Database } from 'better-sqlite3'
import type { RunDocument } from '../../../contract/dto/run'
import { type SkipCause, skippedBy } from '../../../domain/sets/skippedFile'
import { lastChecks, volumeKey } from '../../../domain/sets/volumeChecks'
import { type VolumeState, volumeStates, withCheck } from '../../../domain/sets/volumeState'
import type { Catalog } from '../catalog'

interface Volume {
  readonly label: string
  readonly state: VolumeState
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
 * Reads the volumes of plans as the catalog last knew them, with what runs and checks say of each.
 */
export function planVolumes(reader: Database, runs: Catalog['runs'], checks: Catalog['checks']): PlanVolumes {
  const rows = reader.prepare<[number], { volume: number; label: string }>(
    'SELECT volume, label FROM volumes WHERE plan = ? ORDER BY volume',
  )
  return ({ number, id, createdWallMs }, ofPlan = runs(id)) => {
    const labels = new Map(rows.all(number).map(({ volume, label }) => [volume, label]))
    // A further copy has a state of its own (domain/sets/copies).
    const ofFirst = ofPlan.filter(({ target }) => (target?.copy ?? 1) === 1)
    const states = volumeStates(createdWallMs, labels.keys(), ofFirst)
    // Checks of discs that an earlier packing of the plan made say nothing of the volumes that there are now.
    const setId = ofPlan.find((run) => run.setId !== undefined)?.setId ?? null
    const last = lastChecks(
      checks(id).filter(
        (check) => check.copy <= 1 && (setId === null || check.setId === null || check.setId === setId),
      ),
    )
    const stateOf = (index: number, state: VolumeState): VolumeState =>
      withCheck(state, last.get(volumeKey({ setId: null, planId: id, volume: index })))
    return new Map(
      [...states].map(([index, state]) => [
        index,
        {
          label: labels.get(index) ?? '',
          state: stateOf(index, state),
          skipped: skippedBy(ofPlan, index),
        },
      ]),
    )
  }
}
