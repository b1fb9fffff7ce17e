import type { ArchiveDocument, ArchiveSet } from '../../../../src/contract/dto/archive'
import type { HomeSet } from './homeSets'

/** An archive as Home lists it, or a set of no archive. */
export interface HomeArchive {
  readonly key: string
  /** Null for a set that is of no archive. */
  readonly archive: ArchiveDocument | null
  /** Its plans, in the order of Home: those that need attention first. */
  readonly sets: readonly [HomeSet, ...HomeSet[]]
  /** The plan that its state is that of: the most pressing one, else the least far. */
  readonly worst: HomeSet
  /** The plans of the set that was added to last, the newest first: they are restored together. */
  readonly chain: readonly [HomeSet, ...HomeSet[]]
}

interface KnownArchives {
  readonly archives: readonly ArchiveDocument[]
  readonly sets: readonly ArchiveSet[]
}

/** The plans of one row, and those of its set that was added to last, the newest first. */
interface Row {
  readonly key: string
  readonly archive: ArchiveDocument | null
  readonly newestFirst: readonly string[]
}

/** The steps of a plan's volumes, the least far first. */
const FAR = ['damaged', 'working', 'exported', 'built', 'written', 'verified'] as const

/**
 * Archives, and sets of none: those that need attention first, then those with which something was
 * done last.
 * @param sets in that order
 */
export function homeArchives(known: KnownArchives, sets: readonly HomeSet[]): HomeArchive[] {
  const rows = rowsOf(known)
  const found = new Map<string, { row: Row; sets: [HomeSet, ...HomeSet[]] }>()
  for (const set of sets) {
    const row = rows.get(set.key) ?? { key: set.key, archive: null, newestFirst: [set.key] }
    const before = found.get(row.key)
    if (before) before.sets.push(set)
    else found.set(row.key, { row, sets: [set] })
  }
  return [...found.values()].map(({ row: { key, archive, newestFirst }, sets: ofIt }) => {
    const [newest = ofIt[0], ...earlier] = newestFirst.flatMap(
      (id) => ofIt.find((set) => set.key === id) ?? [],
    )
    return { key, archive, sets: ofIt, worst: worstOf(ofIt), chain: [newest, ...earlier] }
  })
}

/** The row of each plan. */
function rowsOf({ archives, sets }: KnownArchives): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>()
  const note = (key: string, archive: ArchiveDocument | null, ofIt: readonly ArchiveSet[]): void => {
    const idsOf = ({ plans }: ArchiveSet): string[] => plans.map(({ id }) => id)
    const newestFirst: string[] = []
    for (const id of ofIt.slice(0, 1).flatMap(idsOf)) newestFirst.unshift(id)
    const row = { key, archive, newestFirst }
    for (const id of ofIt.flatMap(idsOf)) rows.set(id, row)
  }
  for (const archive of archives) note(archive.id, archive, archive.sets)
  for (const set of sets) note(set.id, null, [set])
  return rows
}

function worstOf(sets: readonly [HomeSet, ...HomeSet[]]): HomeSet {
  const [first] = sets
  if (first.problem !== null) return first
  return sets.reduce((worst, set) =>
    farOf(set) < farOf(worst) || (farOf(set) === farOf(worst) && verifiedWallMs(set) < verifiedWallMs(worst))
      ? set
      : worst,
  )
}

/** True where every plan of an archive has got as far as the one that is shown. */
export function areAlike({ sets, worst }: HomeArchive): boolean {
  return sets.every((set) => farOf(set) === farOf(worst) && set.problem === null && isAll(set))
}

function isAll({ state, volumes }: HomeSet): boolean {
  return state.count === volumes
}

function verifiedWallMs({ state }: HomeSet): number {
  return state.kind === 'verified' ? state.wallMs : 0
}

function farOf({ state }: HomeSet): number {
  return FAR.indexOf(state.kind)
}
