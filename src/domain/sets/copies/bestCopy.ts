import type { NewEvent } from '../volumeEvent'
import { isVerified, type VolumeState, volumeStates } from '../volumeState'
import { BUILT_COPY } from './copy'

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
 * @param events of the plan's newest set, in their order
 */
export function bestCopies(
  volumes: Iterable<number>,
  plannedWallMs: number,
  events: readonly NewEvent[],
): Map<number, BestCopy> {
  const indexes = [...volumes]
  const further = events.filter(({ kind, copy }) => copy > 1 && IS_THERE.has(kind)).map(({ copy }) => copy)
  const numbers = [1, ...[...new Set(further)].toSorted((one, other) => one - other)]
  const all = numbers.map((copy) => copyStates(copy, indexes, plannedWallMs, events))
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

/** The events that show that a further copy was made. */
const IS_THERE: ReadonlySet<NewEvent['kind']> = new Set(['written', 'good', 'damaged', 'failed'])

function copyStates(
  copy: number,
  indexes: readonly number[],
  plannedWallMs: number,
  events: readonly NewEvent[],
): Map<number, { readonly state: VolumeState; readonly isLost: boolean }> {
  const own = events.filter((event) => Math.max(1, event.copy) === copy)
  const byVolume = Map.groupBy(own, ({ volume }) => volume)
  return new Map(
    [...volumeStates(plannedWallMs, indexes, own)].flatMap(([index, state]) => {
      // A further copy is not there before it is written or checked.
      const { writtenWallMs, verifiedWallMs, failedWallMs } = state
      const isThere = copy === 1 || (writtenWallMs ?? verifiedWallMs ?? failedWallMs) !== null
      return isThere ? [[index, { state, isLost: wasLost(copy, state, byVolume.get(index) ?? []) }]] : []
    }),
  )
}

/** True when a copy was noted as lost, and was not found, written or verified since. */
function wasLost(copy: number, { writtenWallMs }: VolumeState, events: readonly NewEvent[]): boolean {
  let isLost = false
  for (const event of events) {
    // The image or folder in the plan's folder is all that there is until it is written.
    const isMeant = event.copy === copy || (event.copy === BUILT_COPY && copy === 1 && writtenWallMs === null)
    if (event.kind === 'written' || event.kind === 'good') isLost = false
    else if (!isMeant) continue
    else if (event.kind === 'lost' || event.kind === 'gone') isLost = true
    else if (event.kind === 'found') isLost = false
  }
  return isLost
}
