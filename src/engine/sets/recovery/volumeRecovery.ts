import { isInside } from '../../../domain/sets/naming/volumePaths'
import type { Verdict } from '../../../domain/sets/verdict'
import type { ContentPlace } from '../../files/read'
import type { FilePart } from '../../native/protection'
import { type DescribedFile, type FoundSet, readPar2 } from '../../protection/par2Reading'
import { type BlockStates, blockStates } from '../../protection/par2Repair'
import type { Volume } from '../volume/lists/volume'
import type { RecoveryPlace } from './recoveryPlaces'

/** A set of a volume, and which of its blocks are undamaged. */
export interface SetState {
  readonly set: FoundSet
  readonly states: BlockStates
}

interface Watch {
  readonly signal: AbortSignal
  readonly onBytes?: (done: number) => void
}

/** The recovery data of one volume, as far as it is undamaged. */
export interface VolumeRecovery {
  readonly sets: readonly FoundSet[]
  /** Names of PAR2 files in Stowage's own folder of which something is damaged. */
  readonly damaged: readonly string[]
}

/**
 * Reads the recovery data of a volume. Sets of files that are not on the volume are not its own.
 * @param places where it is
 * @throws AppError `cancelled`
 */
export async function volumeRecovery(
  places: readonly RecoveryPlace[],
  placeOf: Volume['placeOf'],
  watch: Watch,
): Promise<VolumeRecovery> {
  const found = await readPar2(places, watch)
  const sets: FoundSet[] = []
  for (const set of found.sets) if (await hasSomeOf(set, placeOf)) sets.push(set)
  const names = new Map(places.map((place) => [place as FilePart, place.name]))
  return { sets, damaged: found.damaged.flatMap((place) => names.get(place) ?? []) }
}

/** A set with a name that leads out of the volume is not one of its own. */
async function hasSomeOf({ files }: FoundSet, placeOf: Volume['placeOf']): Promise<boolean> {
  if (!files.every(({ name }) => isInside(name))) return false
  for (const { name } of files) if (await placeOf(name)) return true
  return false
}

/**
 * Reads the files of a volume's sets as far as needed to tell which blocks are damaged.
 * @param isRight true for a path whose content is known to be right: it is not read
 * @throws AppError `cancelled`
 */
export async function setStates(
  { sets }: Pick<VolumeRecovery, 'sets'>,
  placeOf: Volume['placeOf'],
  watch: Watch,
  isRight: (path: string) => boolean = () => false,
): Promise<SetState[]> {
  const all: SetState[] = []
  let before = 0
  for (const set of sets) {
    const places = new Map<DescribedFile, FilePart>()
    for (const file of set.files) {
      const place = await placeOf(file.name)
      if (place) places.set(file, partAt(place))
    }
    const start = before
    const { signal, onBytes } = watch
    const states = await blockStates(
      set,
      (file) => places.get(file) ?? null,
      { signal, ...(onBytes && { onBytes: (done) => onBytes(start + done) }) },
      ({ name }) => isRight(name),
    )
    before += set.files.reduce((sum, { bytes }) => sum + bytes, 0)
    all.push({ set, states })
  }
  return all
}

const partAt = ({ file, offset, bytes }: ContentPlace): FilePart => ({ path: file, offset, bytes })

/** True where there are as many undamaged recovery blocks as lost ones. */
export function isRepairable({ set, states }: SetState): boolean {
  return states.lost.length <= set.recovery.length
}

/**
 * The verdict on each file of the sets by its name in them; a file in none of them has none.
 */
export function verdicts(states: readonly SetState[]): Map<string, Verdict> {
  const all = new Map<string, Verdict>()
  for (const state of states) {
    const damaged = new Set(state.states.lost.map(({ file }) => file))
    for (const file of state.set.files)
      all.set(file.name, damaged.has(file) ? (isRepairable(state) ? 'repairable' : 'lost') : 'good')
  }
  return all
}
