import type { VolumeCheck } from '../checkDocument'
import type { RunDocument } from '../runDocument'
import { isVerified, type VolumeState, volumeStates, withCheck } from '../volumeState'
import { BUILT_COPY, type CopyNote } from './copy'

/** The facts about the volumes of one plan. */
export interface PlanFacts {
  readonly plannedWallMs: number
  /** Newest first. */
  readonly runs: readonly RunDocument[]
  /** The checks of the volumes that the plan has now. */
  readonly checks: readonly VolumeCheck[]
  /** In the order in which they were said. */
  readonly notes: readonly CopyNote[]
}

export interface BestCopy {
  /** The state of the image or folder in the plan's folder and of the first written copy. */
  readonly first: VolumeState
  /** The state of the best copy; its build is that of the plan's image or folder. */
  readonly best: VolumeState
  /** True when each copy was noted as lost. */
  readonly isLost: boolean
}

/**
 * The best copy of each volume: the first that is verified and not lost, else the first that is
 * not lost, else copy 1.
 */
export function bestCopies(volumes: Iterable<number>, facts: PlanFacts): Map<number, BestCopy> {
  const indexes = [...volumes]
  const further = [
    ...facts.runs.map(({ kind, target }) => (kind === 'write' ? (target?.copy ?? 1) : 1)),
    ...facts.checks.map(({ copy }) => copy),
  ].filter((copy) => copy > 1)
  const numbers = [1, ...[...new Set(further)].toSorted((one, other) => one - other)]
  const all = numbers.map((copy) => copyStates(copy, indexes, facts))
  return new Map(
    indexes.flatMap((index) => {
      const copies = all.flatMap((states) => states.get(index) ?? [])
      const [one] = copies
      if (!one) return []
      const there = copies.filter(({ isLost }) => !isLost)
      const best = (there.find(({ state }) => isVerified(state)) ?? there[0] ?? one).state
      const { builtWallMs } = one.state
      return [[index, { first: one.state, best: { ...best, builtWallMs }, isLost: there.length === 0 }]]
    }),
  )
}

function copyStates(
  copy: number,
  indexes: readonly number[],
  { plannedWallMs, runs, checks, notes }: PlanFacts,
): Map<number, { readonly state: VolumeState; readonly isLost: boolean }> {
  const own = runs.filter(({ target }) => (target?.copy ?? 1) === copy)
  const isCopy = (of: { readonly copy: number }): boolean => Math.max(1, of.copy) === copy
  return new Map(
    [...volumeStates(plannedWallMs, indexes, own)].flatMap(([index, made]) => {
      const check = checks.find((each) => each.volume === index && isCopy(each))
      const state = withCheck(made, check)
      // A further copy is not there before it is written or checked.
      const { writtenWallMs, verifiedWallMs, failedWallMs } = state
      const isThere = copy === 1 || (writtenWallMs ?? verifiedWallMs ?? failedWallMs) !== null
      return isThere ? [[index, { state, isLost: wasLost(copy, index, state, notes) }]] : []
    }),
  )
}

/**
 * True when the last note on a copy says that it is lost, and it was not written or verified since.
 */
function wasLost(
  copy: number,
  volume: number,
  { writtenWallMs, verifiedWallMs }: VolumeState,
  notes: readonly CopyNote[],
): boolean {
  // The image or folder in the plan's folder is all that there is until it is written.
  const isMeant = (note: CopyNote): boolean =>
    note.copy === copy || (note.copy === BUILT_COPY && copy === 1 && writtenWallMs === null)
  const last = notes.findLast((note) => note.volume === volume && note.kind !== 'place' && isMeant(note))
  return last?.kind === 'lost' && last.notedWallMs > Math.max(writtenWallMs ?? 0, verifiedWallMs ?? 0)
}
