import type { VolumeCheck, VolumeDue } from '../../../../src/contract/dto/check'
import {
  type Apart,
  BUILT_COPY,
  MOST_COPIES,
  type VolumeCopy,
  type WrittenTo,
} from '../../../../src/contract/dto/copies'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import type { Drive, RunDocument } from '../../../../src/contract/dto/run'
import { leftVolumes } from '../../../../src/contract/jobEnds'
import type { ComparedVolume } from '../../../../src/contract/tables/planTables'

/**
 * Where a set is written: a burner, a folder or mounted disk, or a file that stands in for the disc
 * in a drive.
 */
export interface WriteTo {
  readonly kind: 'drive' | 'folder' | 'file'
  readonly path: string
}

/** A second copy, which is written after the first one by the same start. */
interface SecondCopy {
  /** Null while nothing is chosen: it is not written then. */
  readonly to: WriteTo | null
  /** Where it is kept; empty where nobody said. */
  readonly place: string
}

export interface BuildState {
  /** The folder that the plan to be built was exported to; null where it is not at hand. */
  readonly directory: string | null
  /** The plan in that folder. */
  readonly plan: PlanDocument | null
  /** Volumes picked; all when empty. */
  readonly picked: readonly number[]
  /** Those copies of them were lost: they are written again. */
  readonly areLost: boolean
  /** Pack and build one volume after another. */
  readonly stream: boolean
  /** A build that succeeds is verified at once. */
  readonly andVerify: boolean
  /** The run in hand is a build with its verification, which is shown as one. */
  readonly isOneRun: boolean
  readonly build: RunDocument | null
  readonly verify: RunDocument | null
  readonly write: RunDocument | null
  /** The person is asked where the set is to be written. */
  readonly isWriting: boolean
  /** Null until they have answered. */
  readonly drives: readonly Drive[] | null
  readonly to: WriteTo | null
  /**
   * Further drives, or files in place of their discs, that take other volumes of the set at the
   * same time: of the kind of `to`.
   */
  readonly also: readonly string[]
  /** Make each image while it is written. */
  readonly onTheFly: boolean
  /** Which copy of the volumes is written, as typed. */
  readonly copy: string
  /** Where it is kept; empty where nobody said. */
  readonly place: string
  /** Null where one copy alone is written. */
  readonly second: SecondCopy | null
  /** How far the folders of the two copies are apart; null where that is not known. */
  readonly apart: Apart | null
  /** The number of the second copy while the first one is written; null where none follows. */
  readonly queued: number | null
  /** Where the lost copy was written before, if nothing can be written there now. */
  readonly unreached: WrittenTo | null
  /** Read everything back from the disc. */
  readonly readBack: boolean
  /** The font for letters that those of labels lack; kept for the next set. */
  readonly labelFont: string | null
}

export type BuildAction =
  | { type: 'opened'; directory: string | null; plan: PlanDocument }
  /** Another archive: no set is open. */
  | { type: 'closed' }
  | { type: 'picked'; index: number; on: boolean }
  | {
      type: 'set'
      form: Partial<
        Pick<
          BuildState,
          | 'stream'
          | 'andVerify'
          | 'isOneRun'
          | 'drives'
          | 'onTheFly'
          | 'readBack'
          | 'copy'
          | 'place'
          | 'apart'
          | 'queued'
          | 'unreached'
        >
      >
    }
  | { type: 'ran'; run: RunDocument }
  /** `copy`: the one that is offered; where it is another one, so are its folder and place. */
  | { type: 'writing'; open: boolean; copy?: number; isSecondWanted?: boolean }
  /** The second copy that is wanted with the first one. */
  | { type: 'second'; second: SecondCopy | null }
  /** The first copy is written: the second one takes its place. */
  | { type: 'goesOn'; to: WriteTo; copy: number }
  /** Copies of these volumes were lost; 0: what was built. */
  | { type: 'again'; volumes: readonly number[]; copy: number; place: string }
  | { type: 'font'; font: string | null }
  | { type: 'to'; to: WriteTo }
  | { type: 'also'; path: string; on: boolean }

export const initialBuild: BuildState = {
  directory: null,
  plan: null,
  picked: [],
  areLost: false,
  stream: false,
  andVerify: false,
  isOneRun: false,
  build: null,
  verify: null,
  write: null,
  isWriting: false,
  drives: null,
  to: null,
  also: [],
  onTheFly: false,
  copy: '1',
  place: '',
  second: null,
  apart: null,
  queued: null,
  unreached: null,
  readBack: true,
  labelFont: null,
}

export function reduceBuild(state: BuildState, action: BuildAction): BuildState {
  switch (action.type) {
    case 'opened':
      return state.directory === action.directory && state.plan?.id === action.plan.id
        ? { ...state, queued: null }
        : { ...initialBuild, directory: action.directory, plan: action.plan, labelFont: state.labelFont }
    case 'closed':
      return { ...initialBuild, labelFont: state.labelFont }
    case 'picked': {
      const others = state.picked.filter((index) => index !== action.index)
      return {
        ...state,
        picked: action.on ? [...others, action.index].sort((one, other) => one - other) : others,
        areLost: false,
      }
    }
    case 'set':
      return { ...state, ...action.form }
    case 'writing':
      return {
        ...state,
        ...(action.copy !== undefined && placeOfCopy(state, String(action.copy))),
        ...(action.isSecondWanted !== undefined && {
          second: action.isSecondWanted ? NO_SECOND : null,
          apart: null,
        }),
        isWriting: action.open,
        areLost: false,
        queued: null,
        unreached: null,
        drives: action.open ? null : state.drives,
      }
    case 'second':
      return {
        ...state,
        second: action.second,
        apart: action.second?.to === state.second?.to ? state.apart : null,
      }
    case 'goesOn':
      return {
        ...state,
        to: action.to,
        also: [],
        copy: String(action.copy),
        place: state.second?.place ?? '',
        second: null,
        apart: null,
        isWriting: true,
      }
    case 'again':
      return action.copy === BUILT_COPY
        ? { ...state, picked: action.volumes }
        : {
            ...state,
            ...placeOfCopy(state, String(action.copy)),
            picked: action.volumes,
            areLost: true,
            place: action.place,
            second: null,
            unreached: null,
            isWriting: true,
            drives: null,
          }
    case 'font':
      return { ...state, labelFont: action.font }
    case 'to':
      return { ...state, to: action.to, also: [], apart: null, unreached: null }
    case 'also': {
      const others = state.also.filter((path) => path !== action.path)
      const isNew = action.on && action.path !== state.to?.path
      return { ...state, also: isNew ? [...others, action.path] : others }
    }
    case 'ran':
      if (action.run.kind === 'write')
        return state.plan !== null && isOfFolder(state, action.run)
          ? {
              ...state,
              write: withRun(state.write, action.run),
              isWriting: action.run.outcome !== 'done',
              areLost: state.areLost && action.run.outcome !== 'done',
            }
          : state
      if (!isOfFolder(state, action.run)) return state
      // What was verified before is no longer there.
      if (action.run.kind === 'build')
        return { ...state, build: action.run, verify: withoutRebuilt(state.verify, action.run) }
      return { ...state, verify: withRun(state.verify, action.run) }
  }
}

/** A second copy of which nothing is chosen yet. */
export const NO_SECOND: SecondCopy = { to: null, place: '' }

/** A drive takes discs of any copy; a folder or file holds those of one. */
function placeOfCopy({ copy, to, also }: BuildState, next: string): Partial<BuildState> {
  if (next === copy) return {}
  const isDrive = to?.kind === 'drive'
  return { copy: next, place: '', to: isDrive ? to : null, also: isDrive ? also : [] }
}

/**
 * The first copy that not every volume in hand has: the picked ones, or all.
 * @param from the lowest number that may be it
 */
export function nextCopy(
  { plan, picked }: Pick<BuildState, 'plan' | 'picked'>,
  known: readonly VolumeCopy[],
  from = 1,
): number {
  const all = [...(plan?.volumes ?? []), ...(plan?.parity ?? [])].map(({ index }) => index)
  const wanted = picked.length > 0 ? picked : all
  const made = new Set(
    known.filter(({ planId }) => planId === plan?.id).map(({ volume, copy }) => `${volume} ${copy}`),
  )
  let copy = from
  while (copy < MOST_COPIES && wanted.length > 0 && wanted.every((volume) => made.has(`${volume} ${copy}`)))
    copy++
  return copy
}

/** True for a run of the set that is shown; any where its folder is not at hand. */
function isOfFolder({ directory }: BuildState, run: RunDocument): boolean {
  return directory === null || run.directory === directory
}

/** A verification without the volumes that were built anew since: null where none is left. */
function withoutRebuilt(verify: RunDocument | null, build: RunDocument): RunDocument | null {
  const rebuilt = new Set(build.volumes.filter(({ state }) => state === 'done').map(({ index }) => index))
  if (verify === null || !verify.volumes.some(({ index }) => rebuilt.has(index))) return verify
  const volumes = verify.volumes.filter(({ index }) => !rebuilt.has(index))
  return volumes.length === 0 ? null : { ...verify, volumes }
}

/**
 * A run with what earlier ones of its kind did with the same plan: several drives have a run each,
 * and a verification that was stopped leaves what it did not read as it was.
 */
function withRun(before: RunDocument | null, run: RunDocument): RunDocument {
  if (before?.planId !== run.planId) return run
  const left = new Set(run.kind === 'verify' ? leftVolumes(run.volumes) : [])
  const begun = run.volumes.filter((volume) => volume.state !== 'pending' && !left.has(volume))
  const indexes = new Set(begun.map(({ index }) => index))
  const others = before.volumes.filter(({ index }) => !indexes.has(index))
  const known = new Set([...begun, ...others].map(({ index }) => index))
  const pending = run.volumes.filter(({ index }) => !known.has(index))
  const volumes = [...begun, ...others, ...pending].sort((one, other) => one.index - other.index)
  const isPartlyFailed = run.outcome === 'done' && others.some(({ state }) => state === 'failed')
  return { ...run, volumes, ...(isPartlyFailed && { outcome: 'failed' }) }
}

/** One line of the build table: forecast vs. actual. */
export interface BuildRow extends ComparedVolume {
  readonly build: RunDocument['volumes'][number] | null
  readonly verify: RunDocument['volumes'][number] | null
  readonly write: RunDocument['volumes'][number] | null
  /** Its last check, where that came after the last verification: of a disc alone, perhaps. */
  readonly check: VolumeCheck | null
}

/**
 * The plan's volumes joined with what the last build and the last verification said of them. A
 * packed plan may be built with more or fewer volumes than were forecast.
 */
export function buildRows(
  { plan, build, verify, write }: BuildState,
  checked: readonly VolumeDue[] = [],
): BuildRow[] {
  // Not rounded: its own check, of an older catalog, has parts of milliseconds.
  const verifiedWallMs = verify === null ? 0 : verify.startedWallMs + verify.elapsedMs
  const checks = new Map(
    checked.flatMap(({ planId, volume, last }) =>
      last !== null && planId === plan?.id && last.checkedWallMs > verifiedWallMs ? [[volume, last]] : [],
    ),
  )
  const planned = plan?.volumes ?? []
  const runs = [build, verify, write].flatMap((run) => run?.volumes ?? [])
  const indexes = new Set([...planned, ...(plan?.packing ? runs : [])].map(({ index }) => index))
  return [...indexes].flatMap((index) => {
    const of = <T extends { readonly index: number }>(volumes: readonly T[] | undefined): T | null =>
      volumes?.find((volume) => volume.index === index) ?? null
    const [volume, built, verified] = [of(planned), of(build?.volumes), of(verify?.volumes)]
    const written = of(write?.volumes)
    // Packing may have moved files: what is in a volume that was built is what its run says.
    const about =
      plan?.packing && built?.actualSectors != null ? built : (volume ?? built ?? verified ?? written)
    if (!about) return []
    return {
      index,
      label: about.label,
      files: about.files,
      bytes: about.bytes,
      forecastSectors: volume?.sectors ?? null,
      actualSectors: built?.actualSectors ?? verified?.actualSectors ?? written?.actualSectors ?? null,
      build: built,
      verify: verified,
      write: written,
      check: checks.get(index) ?? null,
    }
  })
}

/** True when it was verified last and found good, by a run or by a check of the disc alone. */
export function isVerifiedRow({ verify, check }: BuildRow): boolean {
  return check === null ? verify?.state === 'done' : check.result === 'good'
}

/**
 * True when the last run failed: a volume could not be built, or did not read back as it was
 * surveyed.
 */
export function isFailed(state: BuildState): boolean {
  return lastRun(state)?.outcome === 'failed'
}

/**
 * The run that began last, where a person or the end of the program stopped it before its own end.
 */
export function stoppedRun(state: BuildState): RunDocument | null {
  const run = lastRun(state)
  const isStopped = run?.outcome === 'cancelled' || run?.outcome === 'interrupted'
  return isStopped && leftVolumes(run.volumes).length > 0 ? run : null
}

/** Whichever of the set's runs began last. */
export function lastRun({ build, verify, write }: BuildState): RunDocument | null {
  return [build, verify, write].reduce(
    (last, run) => (run !== null && run.startedWallMs >= (last?.startedWallMs ?? 0) ? run : last),
    null,
  )
}
