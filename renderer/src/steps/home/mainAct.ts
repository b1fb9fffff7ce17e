import type { VolumeDue } from '../../../../src/contract/dto/check'
import { BUILT_COPY, type LostCopies, lostCopies, type VolumeCopy } from '../../../../src/contract/dto/copies'
import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanListItem } from '../../../../src/contract/dto/plan'
import type { HomeArchive } from './homeArchives'
import type { HomeSet } from './homeSets'

/** The next useful thing to do with an archive. */
export type MainAct =
  /** A plan of it is not built or not verified yet. */
  | { readonly kind: 'continue'; readonly set: HomeSet }
  /** A copy that is wanted is not written yet, or `lost`. */
  | {
      readonly kind: 'write'
      readonly copy: number
      readonly planId: string
      readonly lost: LostCopies | null
    }
  /** Volumes are due for a check, or damaged. */
  | {
      readonly kind: 'check'
      readonly count: number
      /** All of them are folders on disks. */
      readonly isOnDisk: boolean
      readonly sets: readonly HomeSet[]
    }
  | { readonly kind: 'add'; readonly archiveId: string }

/** The lists that decide it, by the ID of the plan, or of the set where no plan is known. */
export interface ActFacts {
  readonly copies: ReadonlyMap<string, readonly VolumeCopy[]>
  /** The volumes that should be checked: they are due, or their last check found damage. */
  readonly toCheck: ReadonlyMap<string, readonly VolumeDue[]>
}

/**
 * The one action of the state of an archive: the first of *Continue*, *Write copy N*, *Check N
 * discs* and *Add what is new* that can be done; null where none of them can.
 */
export function mainAct(row: HomeArchive, facts: ActFacts): MainAct | null {
  const unfinished = row.sets.find((set) => isUnfinished(set, row))
  if (unfinished) return { kind: 'continue', set: unfinished }
  return lostCopyOf(row, facts) ?? unwrittenCopyOf(row, facts) ?? checkOf(row, facts) ?? additionTo(row)
}

/** True where something can be added: a volume of the set that was added to last was made. */
export function canAddTo({ archive }: Pick<HomeArchive, 'archive'>): boolean {
  return archive?.sets[0]?.newestMade != null
}

function isUnfinished({ key, plan, state, problem }: HomeSet, { archive }: HomeArchive): boolean {
  if (plan === null || !plan.directoryExists) return false
  if (state.kind === 'working' || problem?.kind === 'interrupted' || problem?.kind === 'failed') return true
  if (plan.failed > 0 || isOvertaken(key, archive)) return false
  return Math.max(plan.onMedia, plan.good) < plan.volumes
}

/** A later plan of the same set was made, which holds what this one was to hold. */
function isOvertaken(key: string, archive: HomeArchive['archive']): boolean {
  const set = archive?.sets.find(({ plans }) => plans.some(({ id }) => id === key))
  if (!set) return false
  const ids = set.plans.map(({ id }) => id)
  return ids.indexOf(key) < ids.indexOf(set.newestMade ?? '')
}

/** The plans whose volumes can be written from their folders. */
function writable({ sets }: HomeArchive): PlanListItem[] {
  return sets.flatMap(({ plan }) => (plan?.directoryExists && plan.built > 0 ? [plan] : []))
}

function lostCopyOf(row: HomeArchive, { copies }: ActFacts): MainAct | null {
  for (const { id } of writable(row)) {
    const lost = lostCopies(copies.get(id) ?? []).find(({ copy }) => copy !== BUILT_COPY)
    if (lost) return { kind: 'write', copy: lost.copy, planId: id, lost }
  }
  return null
}

function unwrittenCopyOf(row: HomeArchive, { copies }: ActFacts): MainAct | null {
  const wanted = row.archive?.copies ?? 0
  for (const { id, volumes, mediumId } of writable(row)) {
    const known = copies.get(id) ?? []
    // A folder on a disk is a copy itself.
    const most = mediumId === DISK_MEDIUM ? wanted - 1 : wanted
    for (let copy = 1; copy <= most; copy++) {
      const written = known.filter((each) => each.copy === copy).map(({ volume }) => volume)
      if (new Set(written).size < volumes) return { kind: 'write', copy, planId: id, lost: null }
    }
  }
  return null
}

function checkOf({ sets }: HomeArchive, { toCheck }: ActFacts): MainAct | null {
  // Copies of one volume are one disc to ask for; damage may be known from runs alone.
  const countOf = ({ key, plan }: HomeSet): number =>
    Math.max(new Set((toCheck.get(key) ?? []).map(({ volume }) => volume)).size, plan?.failed ?? 0)
  const found = sets.filter((set) => countOf(set) > 0)
  if (found.length === 0) return null
  return {
    kind: 'check',
    count: found.reduce((sum, set) => sum + countOf(set), 0),
    isOnDisk: found.every(({ plan }) => plan?.mediumId === DISK_MEDIUM),
    sets: found,
  }
}

function additionTo(row: HomeArchive): MainAct | null {
  return row.archive !== null && canAddTo(row) ? { kind: 'add', archiveId: row.archive.id } : null
}
