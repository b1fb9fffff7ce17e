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
  /** The plan that was made last. */
  readonly newest: HomeSet
}

interface KnownArchives {
  readonly archives: readonly ArchiveDocument[]
  readonly sets: readonly ArchiveSet[]
}

/** The steps of a plan's volumes, the least far first. */
const FAR = ['damaged', 'working', 'exported', 'built', 'written', 'verified'] as const

/**
 * Archives, and sets of none: those that need attention first, then those with which something was
 * done last.
 * @param sets in that order
 */
export function homeArchives(
  { archives, sets: ofNone }: KnownArchives,
  sets: readonly HomeSet[],
): HomeArchive[] {
  const archiveOf = new Map<string, { key: string; archive: ArchiveDocument | null }>()
  for (const archive of archives)
    for (const { plans } of archive.sets)
      for (const { id } of plans) archiveOf.set(id, { key: archive.id, archive })
  for (const { id: key, plans } of ofNone)
    for (const { id } of plans) archiveOf.set(id, { key, archive: null })
  const found = new Map<string, { archive: ArchiveDocument | null; sets: [HomeSet, ...HomeSet[]] }>()
  for (const set of sets) {
    const { key, archive } = archiveOf.get(set.key) ?? { key: set.key, archive: null }
    const known = found.get(key)
    if (known) known.sets.push(set)
    else found.set(key, { archive, sets: [set] })
  }
  return [...found].map(([key, { archive, sets: ofIt }]) => ({
    key,
    archive,
    sets: ofIt,
    worst: worstOf(ofIt),
    newest: ofIt.reduce((newest, set) => (madeWallMs(set) > madeWallMs(newest) ? set : newest)),
  }))
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

function madeWallMs({ plan, lastWallMs }: HomeSet): number {
  return plan?.createdWallMs ?? lastWallMs
}
