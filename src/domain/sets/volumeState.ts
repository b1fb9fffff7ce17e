import { z } from 'zod'
import { wallMsSchema } from '../scalars'
import type { RunDocument } from './runDocument'
import { checkAgainBy } from './volumeChecks'
import { checkOf, eventsOfRun, type NewEvent, RECHECK_MONTHS } from './volumeEvent'

/**
 * When each step of a volume was done, by what the catalog knows; null for what was not done there.
 */
export const volumeStateSchema = z.object({
  plannedWallMs: wallMsSchema,
  /** The last build that made it. */
  builtWallMs: wallMsSchema.nullable(),
  /** The last write of it to a medium since then. */
  writtenWallMs: wallMsSchema.nullable(),
  /**
   * The last verification since then that found it as planned; null after a write that was not read
   * back.
   */
  verifiedWallMs: wallMsSchema.nullable(),
  /** The last verification since then, if it failed. */
  failedWallMs: wallMsSchema.nullable(),
  /** When it should be verified again; null where it is not known to be right. */
  checkByWallMs: wallMsSchema.nullable(),
})
export type VolumeState = z.infer<typeof volumeStateSchema>

const NOT_BUILT = { builtWallMs: null, writtenWallMs: null, verifiedWallMs: null, failedWallMs: null }

/**
 * The state of each of a plan's volumes, by its number, from what happened to them, in that order.
 * A build makes a volume anew, so writes and verifications before it do not count; a write needs a
 * verification after it.
 */
export function volumeStates(
  plannedWallMs: number,
  volumes: Iterable<number>,
  events: Iterable<NewEvent>,
): Map<number, VolumeState> {
  const states = new Map<number, VolumeState>()
  for (const index of volumes) {
    states.set(index, { plannedWallMs, ...NOT_BUILT, checkByWallMs: null })
  }
  for (const event of events) {
    const state = states.get(event.volume)
    if (state) Object.assign(state, changeBy(event, state))
  }
  return states
}

/**
 * The same by the runs of a plan alone.
 * @param runs in the order in which they were made
 */
export function statesByRuns(
  plannedWallMs: number,
  volumes: Iterable<number>,
  runs: readonly RunDocument[],
): Map<number, VolumeState> {
  const events = runs.flatMap((run) => eventsOfRun(run, () => RECHECK_MONTHS))
  return volumeStates(plannedWallMs, volumes, events)
}

function changeBy(event: NewEvent, { builtWallMs }: VolumeState): Partial<VolumeState> {
  const { kind, wallMs } = event
  switch (kind) {
    case 'built':
      return { ...NOT_BUILT, checkByWallMs: null, builtWallMs: wallMs }
    case 'kept':
      return { builtWallMs: builtWallMs ?? wallMs }
    case 'written':
      // A failure ends where what was written is read back.
      return { writtenWallMs: wallMs, verifiedWallMs: null, checkByWallMs: null }
    case 'good': {
      const check = checkOf(event)
      const checkByWallMs = check && checkAgainBy(check)
      return { verifiedWallMs: wallMs, failedWallMs: null, checkByWallMs }
    }
    case 'damaged':
    case 'failed':
      return { failedWallMs: wallMs, checkByWallMs: null }
    default:
      return {}
  }
}

/**
 * True when the last verification of a volume found it good and it was not written since without
 * being read back.
 */
export function isVerified({ verifiedWallMs, failedWallMs }: VolumeState): boolean {
  return failedWallMs === null && verifiedWallMs !== null
}

export type VolumeStep = 'planned' | 'built' | 'written' | 'verified' | 'failed'

/** The step that a volume has reached last, or `failed` when its last verification did. */
export function stepOf({
  builtWallMs,
  writtenWallMs,
  verifiedWallMs,
  failedWallMs,
}: VolumeState): VolumeStep {
  if (failedWallMs !== null) return 'failed'
  if (verifiedWallMs !== null) return 'verified'
  if (writtenWallMs !== null) return 'written'
  return builtWallMs === null ? 'planned' : 'built'
}
