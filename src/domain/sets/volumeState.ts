import { z } from 'zod'
import { wallMsSchema } from '../scalars'
import type { VolumeCheck } from './checkDocument'
import type { RunDocument } from './runDocument'
import { checkAgainBy } from './volumeChecks'

/**
 * When each step of a volume was done, by what the catalog knows; null for what was not done there.
 */
export const volumeStateSchema = z.object({
  plannedWallMs: wallMsSchema,
  /** The last build that made it. */
  builtWallMs: wallMsSchema.nullable(),
  /** The last write of it to a medium since then. */
  writtenWallMs: wallMsSchema.nullable(),
  /** The last verification since then that found it as planned. */
  verifiedWallMs: wallMsSchema.nullable(),
  /** The last verification since then, if it failed. */
  failedWallMs: wallMsSchema.nullable(),
  /** When it should be verified again; null where it is not known to be right. */
  checkByWallMs: wallMsSchema.nullable(),
})
export type VolumeState = z.infer<typeof volumeStateSchema>

const NOT_BUILT = { builtWallMs: null, writtenWallMs: null, verifiedWallMs: null, failedWallMs: null }

type Run = Pick<RunDocument, 'kind' | 'startedWallMs' | 'elapsedMs' | 'volumes'>

/**
 * The state of each of a plan's volumes, by its number, from the plan's runs (newest first). A step
 * has the time at which its run ended. A build makes a volume anew, so writes and verifications
 * before it do not count.
 */
export function volumeStates(
  plannedWallMs: number,
  volumes: Iterable<number>,
  runs: readonly Run[],
): Map<number, VolumeState> {
  const states = new Map<number, VolumeState>()
  for (const index of volumes) {
    states.set(index, { plannedWallMs, ...NOT_BUILT, checkByWallMs: null })
  }
  const events = runs
    .toReversed()
    .flatMap((run) => run.volumes.map((volume) => ({ run, volume, atMs: endedWallMs(run, volume) })))
    .toSorted((one, other) => one.atMs - other.atMs)
  for (const { run, volume, atMs } of events) {
    const state = states.get(volume.index)
    if (state) Object.assign(state, changeBy(run.kind, volume, atMs, state))
  }
  return states
}

/**
 * A volume that was written has a time of its own: another run may have built it again before the
 * run ended.
 */
function endedWallMs({ startedWallMs, elapsedMs }: Run, { written }: Run['volumes'][number]): number {
  return written?.endedWallMs ?? startedWallMs + elapsedMs
}

function changeBy(
  kind: Run['kind'],
  { state, errors, written }: Run['volumes'][number],
  atMs: number,
  { builtWallMs }: VolumeState,
): Partial<VolumeState> {
  if (kind === 'build') {
    if (state === 'done') return { ...NOT_BUILT, builtWallMs: atMs }
    return state === 'kept' ? { builtWallMs: builtWallMs ?? atMs } : {}
  }
  if (kind === 'write') {
    if (state !== 'done') return {}
    // What was read back as planned is not what failed before.
    return { writtenWallMs: atMs, ...(written?.verified && { failedWallMs: null }) }
  }
  if (state === 'done') return { verifiedWallMs: atMs, failedWallMs: null }
  // An image that is not there (burned and deleted, perhaps) was not verified, which says nothing about the volume.
  const isFailure = state === 'failed' && errors.some(({ code }) => code !== 'not-found')
  return isFailure ? { failedWallMs: atMs } : {}
}

/**
 * A state with the last check of the volume, if that came after it was made: a disc may have been
 * checked without its plan's folder, and the check says when to do so again.
 */
export function withCheck(state: VolumeState, check: VolumeCheck | undefined): VolumeState {
  if (!check || check.checkedWallMs < (state.builtWallMs ?? state.plannedWallMs)) return state
  const { result, checkedWallMs } = check
  if (result === 'damaged') return { ...state, failedWallMs: checkedWallMs, checkByWallMs: null }
  return { ...state, verifiedWallMs: checkedWallMs, failedWallMs: null, checkByWallMs: checkAgainBy(check) }
}

/** Times of one run are rounded to it. */
const SAME_MS = 1

/**
 * True when the last check of a volume found it good and it was not written since without being
 * read back.
 */
export function isVerified({ verifiedWallMs, writtenWallMs, failedWallMs }: VolumeState): boolean {
  if (failedWallMs !== null || verifiedWallMs === null) return false
  return writtenWallMs === null || writtenWallMs - verifiedWallMs <= SAME_MS
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
  if (writtenWallMs !== null && writtenWallMs >= (verifiedWallMs ?? 0)) return 'written'
  if (verifiedWallMs !== null) return 'verified'
  return builtWallMs === null ? 'planned' : 'built'
}
