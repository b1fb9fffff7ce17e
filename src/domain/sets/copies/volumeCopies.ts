import type { VolumeCheck } from '../checkDocument'
import { checkAgainBy } from '../volumeChecks'
import { checkOf, type NewEvent } from '../volumeEvent'
import { DISK, OPTICAL_DISC, type VolumeCopy } from './copy'
import type { FileSystemIdentity } from './fileSystemIdentity'

/** The facts about the copies of one set. */
export interface CopyFacts {
  /** The plan of the set, where it is known. */
  readonly planId: string | null
  /** The ID of its index by what the catalog knows of its plan; null where it knows nothing. */
  readonly setId: string | null
  /** Those of the set, in their order. */
  readonly events: readonly NewEvent[]
  /** The path of a volume in the plan's folder, or in a folder it was written to; or null. */
  pathOf(volume: { readonly index: number; readonly label: string }, folder: string | null): string | null
}

/** A copy, with what is needed to look at it. */
export interface KnownCopy extends VolumeCopy {
  /** Where it was when it was made or verified last; null where that was not noted. */
  readonly fileSystem: FileSystemIdentity | null
  /** SHA-256 of its checksums, of a folder; null where that was not noted. */
  readonly digest: string | null
  /** The length of an image; null where that was not noted. */
  readonly bytes: number | null
  /** The drive, or the file that stands in for one, of an optical disc. */
  readonly drive: string | null
  /** The run that made it; null where the catalog knows none. */
  readonly madeBy: string | null
  /** The verification that found it good; null where it is not verified. */
  readonly check: Pick<VolumeCheck, 'by' | 'reading' | 'files'> | null
}

type State = Omit<KnownCopy, 'planId' | 'setId' | 'state' | 'look'>

/** A new medium: nothing that was known of an earlier one of the same number counts. */
const BLANK = {
  verifiedWallMs: null,
  damagedWallMs: null,
  lostWallMs: null,
  verifyByWallMs: null,
  check: null,
} as const

/**
 * The copies of a set's volumes. A build makes copy 0 anew and a write its own copy; both need a
 * verification after that, by what the catalog knows of the plan. One that finds a copy good ends
 * that it is damaged or lost.
 * @param nowWallMs decides which are overdue, and which dates are those of a wrong clock
 */
export function volumeCopies(facts: CopyFacts, nowWallMs: number): KnownCopy[] {
  const { planId, setId, events } = facts
  const states = new Map<string, State>()
  for (const event of events) {
    const { volume, label, copy } = event
    const key = `${volume} ${copy}`
    const state = states.get(key) ?? {
      volume,
      label,
      copy,
      place: null,
      medium: null,
      path: null,
      writtenWallMs: null,
      fileSystem: null,
      digest: null,
      bytes: null,
      drive: null,
      madeBy: null,
      ...BLANK,
    }
    const change = changeBy(event, state, facts)
    if (change) states.set(key, { ...state, label, ...change })
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
  // When it was verified by a clock that was ahead is not known.
  return verifyByWallMs < nowWallMs || verifiedWallMs > nowWallMs ? 'overdue' : 'good'
}

/** Null for what changes nothing. */
function changeBy(event: NewEvent, before: State, { setId, pathOf }: CopyFacts): Partial<State> | null {
  const { kind, wallMs, facts } = event
  const fileSystem = facts.fileSystem ?? null
  switch (kind) {
    case 'built': {
      const path = pathOf({ index: event.volume, label: event.label }, null)
      // The place of a plan's folder does not change when it is built again.
      return {
        writtenWallMs: wallMs,
        path,
        medium: DISK,
        fileSystem,
        digest: null,
        bytes: facts.bytes ?? null,
        madeBy: event.of,
        ...BLANK,
      }
    }
    case 'written': {
      const { target, place = null, digest = null } = facts
      if (!target) return null
      const isFolder = target.kind === 'folder'
      return {
        writtenWallMs: wallMs,
        place,
        medium: target.kind === 'drive' ? OPTICAL_DISC : DISK,
        path: isFolder ? pathOf({ index: event.volume, label: event.label }, target.path) : null,
        drive: isFolder ? null : target.path,
        fileSystem,
        digest,
        bytes: facts.bytes ?? null,
        madeBy: event.of,
        ...BLANK,
      }
    }
    case 'good': {
      const read = {
        fileSystem: facts.fileSystem ?? before.fileSystem,
        damagedWallMs: null,
        lostWallMs: null,
      }
      const check = checkOf(event)
      // By lists that the catalog cannot tell from those of another set, nothing is known.
      if (!check || !isProved(event, setId))
        return { ...read, verifiedWallMs: null, verifyByWallMs: null, check: null }
      return { ...read, verifiedWallMs: wallMs, verifyByWallMs: checkAgainBy(check), check }
    }
    case 'damaged':
      return { verifiedWallMs: null, damagedWallMs: wallMs, verifyByWallMs: null, check: null }
    case 'place':
      return { place: facts.place ?? null, medium: facts.medium ?? before.medium }
    case 'lost':
    case 'gone':
      return { lostWallMs: wallMs }
    case 'found':
      return { lostWallMs: null }
    default:
      return null
  }
}

/**
 * Tells a verification against what the catalog knows of the plan from one against the volume's own
 * lists.
 */
function isProved(event: NewEvent, setId: string | null): boolean {
  return event.facts.byEntries === true || (event.setId !== null && event.setId === setId)
}
