import type { RestoreRequest } from '../../../contract/dto/restore'
import type { PlaceNotes } from '../../files/scratch'
import type { IndexRow } from '../volume/lists/setIndex'
import type { GivenVolume } from '../volume/open/givenVolumes'
import type { OnVolume, Places, WholeFile } from './restorePlan'
import type { RestoreRecord } from './restoreRecord'
import type { RestoreTarget } from './restoreTarget'
import type { TargetTraits } from './targetTraits'

/** The context of every step of a restore. */
export interface Restoring {
  readonly request: RestoreRequest
  readonly notes: PlaceNotes
  readonly signal: AbortSignal
  readonly record: RestoreRecord
  readonly volumes: readonly GivenVolume[]
  /** The index rows of the whole set. */
  readonly rows: readonly IndexRow[]
  readonly places: Places
  readonly target: RestoreTarget
  readonly traits: TargetTraits
  /** True when the target cannot hold all names of the set. */
  readonly changesNames: boolean
  /** Containers and split files some of whose parts are on other volumes, by path. */
  readonly incomplete: Map<string, readonly OnVolume[]>
}

/**
 * Leaves a file out whose content, or that of its container, is not at hand; one that seems to be
 * restored counts as kept.
 */
export async function withoutContent(
  { record, target }: Pick<Restoring, 'record' | 'target'>,
  file: WholeFile,
  rows: readonly OnVolume[],
): Promise<void> {
  record.leaveOut(file)
  if (await target.seemsRestored(file.whole)) return record.count('kept', file.bytes)
  for (const row of new Map(rows.map((each) => [each.volume, each])).values())
    record.absent(file.path, { ...row, bytes: file.bytes })
}
