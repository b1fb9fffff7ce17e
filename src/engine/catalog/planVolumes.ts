import type { Database } from 'better-sqlite3'
import { type VolumeState, volumeStates } from '../../domain/sets/volumeState'
import type { Catalog } from './catalog'

interface Volume {
  readonly label: string
  readonly state: VolumeState
}

/** The volumes of a plan by their numbers, in their order. */
export type PlanVolumes = (plan: {
  readonly number: number
  readonly id: string
  readonly createdWallMs: number
}) => ReadonlyMap<number, Volume>

/** Reads the volumes of plans as the catalog last knew them, with the state from the plans' runs. */
export function planVolumes(reader: Database, runs: Catalog['runs']): PlanVolumes {
  const rows = reader.prepare<[number], { volume: number; label: string }>(
    'SELECT volume, label FROM volumes WHERE plan = ? ORDER BY volume',
  )
  return ({ number, id, createdWallMs }) => {
    const labels = new Map(rows.all(number).map(({ volume, label }) => [volume, label]))
    const states = volumeStates(createdWallMs, labels.keys(), runs(id))
    return new Map([...states].map(([index, state]) => [index, { label: labels.get(index) ?? '', state }]))
  }
}
