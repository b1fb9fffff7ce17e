import type { VolumeCheck } from '../checkDocument'
import type { RunDocument } from '../runDocument'
import { checkAgainBy } from '../volumeChecks'
import { BUILT_COPY, type CopyNote, DISK, OPTICAL_DISC, type VolumeCopy } from './copy'

/** The facts about the copies of one set. */
export interface CopyFacts {
  /** The plan of the set, where it is known. */
  readonly planId: string | null
  /** Runs and checks of another set do not count; null where the ID is not known. */
  readonly setId: string | null
  readonly runs: readonly Pick<
    RunDocument,
    'kind' | 'setId' | 'startedWallMs' | 'elapsedMs' | 'volumes' | 'target'
  >[]
  readonly checks: readonly VolumeCheck[]
  readonly notes: readonly CopyNote[]
  /** The path of a volume in the plan's folder, or in a folder it was written to; or null. */
  pathOf(volume: { readonly index: number; readonly label: string }, folder: string | null): string | null
}

type State = Omit<VolumeCopy, 'planId' | 'setId' | 'state'>

interface Happening {
  readonly atMs: number
  readonly volume: number
  readonly label: string
  readonly copy: number
  /** The order of those at the same time. */
  readonly turn: number
  change(state: State): Partial<State>
}

/** A new medium: nothing that was known of an earlier one of the same number counts. */
const BLANK = { verifiedWallMs: null, damagedWallMs: null, lostWallMs: null, verifyByWallMs: null } as const

/**
 * The copies of a set's volumes. A build makes copy 0 anew and a write its own copy; both need a
 * check after that. A check that finds a copy good ends that it is damaged or lost.
 * @param nowWallMs decides which are overdue
 */
export function volumeCopies(facts: CopyFacts, nowWallMs: number): VolumeCopy[] {
  const { planId, setId } = facts
  const isOfSet = (of: { readonly setId?: string | null | undefined }): boolean =>
    of.setId == null || setId === null || of.setId === setId
  const happenings = [
    ...facts.runs.filter(isOfSet).flatMap((run) => made(run, facts)),
    ...facts.checks.filter(isOfSet).map(checked),
    ...facts.notes.map(noted),
  ].toSorted((one, other) => one.atMs - other.atMs || one.turn - other.turn)
  const states = new Map<string, State>()
  for (const { volume, label, copy, change } of happenings) {
    const key = `${volume} ${copy}`
    const state = states.get(key) ?? {
      volume,
      label,
      copy,
      place: null,
      medium: null,
      path: null,
      writtenWallMs: null,
      ...BLANK,
    }
    states.set(key, { ...state, label, ...change(state) })
  }
  return [...states.values()]
    .map((state) => Object.assign({ planId, setId }, state, { state: stateOf(state, nowWallMs) }))
    .toSorted((one, other) => one.volume - other.volume || one.copy - other.copy)
}

function stateOf(
  { lostWallMs, damagedWallMs, verifiedWallMs, verifyByWallMs }: State,
  nowWallMs: number,
): VolumeCopy['state'] {
  if (lostWallMs !== null) return 'lost'
  if (damagedWallMs !== null) return 'damaged'
  if (verifiedWallMs === null || verifyByWallMs === null) return 'unverified'
  return verifyByWallMs < nowWallMs ? 'overdue' : 'good'
}

/** The volumes that a run built or wrote. */
function made(
  { kind, startedWallMs, elapsedMs, volumes, target }: CopyFacts['runs'][number],
  { pathOf }: CopyFacts,
): Happening[] {
  return volumes.flatMap(({ index, label, state, written }): Happening[] => {
    const about = { volume: index, label, turn: 0, atMs: written?.endedWallMs ?? startedWallMs + elapsedMs }
    if (kind === 'build' && state === 'done') {
      const facts = { path: pathOf({ index, label }, null), medium: DISK, ...BLANK }
      // The place of a plan's folder does not change when it is built again.
      return [{ ...about, copy: BUILT_COPY, change: () => ({ writtenWallMs: about.atMs, ...facts }) }]
    }
    if (kind !== 'write' || state !== 'done' || !target) return []
    const facts = {
      place: target.place ?? null,
      medium: target.kind === 'drive' ? OPTICAL_DISC : DISK,
      path: target.kind === 'folder' ? pathOf({ index, label }, target.path) : null,
      ...BLANK,
    }
    return [{ ...about, copy: target.copy ?? 1, change: () => ({ writtenWallMs: about.atMs, ...facts }) }]
  })
}

function checked(check: VolumeCheck): Happening {
  const { volume, label, copy, checkedWallMs: atMs } = check
  const change = (): Partial<State> =>
    check.result === 'good'
      ? { verifiedWallMs: atMs, damagedWallMs: null, lostWallMs: null, verifyByWallMs: checkAgainBy(check) }
      : { verifiedWallMs: null, damagedWallMs: atMs, lostWallMs: null, verifyByWallMs: null }
  return { atMs, volume, label, copy, turn: 1, change }
}

function noted({ volume, label, copy, notedWallMs: atMs, kind, place, medium }: CopyNote): Happening {
  const change = ({ medium: before }: State): Partial<State> => {
    if (kind === 'place') return { place, medium: medium ?? before }
    return { lostWallMs: kind === 'lost' ? atMs : null }
  }
  return { atMs, volume, label, copy, turn: 2, change }
}
