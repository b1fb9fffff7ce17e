import type { JobKind, JobProgress } from '../../../../src/contract/dto/job'
import type { PlanDocument } from '../../../../src/contract/dto/plan'
import { wholePercent } from '../../../../src/contract/progressFigures'
import { formatRate, type Units } from '../../../../src/primitives/quantity'
import { t, tMaybe } from '../../copy'
import type { RunningJob } from '../../state/jobs'
import { type BuildRow, type BuildState, isVerifiedRow } from './buildState'
import { contentWords } from './flow'

/** One phase on the way from the source to a verified set. */
export interface Stage {
  readonly key: 'reading' | 'recovery' | 'checking'
  readonly title: string
  /** How far it is, in percent or in words; empty where nothing of it was done. */
  readonly figure: string
  readonly note: string
  /** From 0 to 1; null where the engine reports none: there is no bar then. */
  readonly share: number | null
  readonly isLive: boolean
}

type Said = Omit<Stage, 'key' | 'title'>

/** A set on the page: its runs, its volumes, and the job that builds or verifies it. */
interface Shown {
  readonly build: BuildState
  readonly rows: readonly BuildRow[]
  readonly job: RunningJob | null
  /** The job that begins next by itself. */
  readonly following: JobKind | null
  readonly units: Units
}

/**
 * The phases of building and verifying the set, recovery data only where the plan has any. Their
 * number does not change while they run.
 */
export function buildStages(shown: Shown): Stage[] {
  const { plan } = shown.build
  if (plan === null) return []
  const isBuilding = shown.job?.kind === 'build'
  const reading = isBuilding ? liveReading(shown, plan) : doneReading(shown, plan)
  const recovery = isBuilding ? liveRecovery(shown, plan) : doneRecovery(shown, plan)
  return [
    { key: 'reading', title: t(plan.packing ? 'stage.packing' : 'stage.reading'), ...reading },
    ...(hasRecovery(plan) ? [{ key: 'recovery' as const, title: t('stage.recovery'), ...recovery }] : []),
    { key: 'checking', title: t('stage.checking'), ...checking(shown) },
  ]
}

function hasRecovery({ volumes, parity = [] }: PlanDocument): boolean {
  return parity.length > 0 || volumes.some(({ protection }) => protection)
}

/** Where parity discs follow, the share of the job is one of both phases. */
function liveReading({ build, rows, job, units }: Shown, plan: PlanDocument): Said {
  const progress = job?.progress ?? null
  const share = plan.parity?.length
    ? shareOfVolumes(progress, inHand(build, rows))
    : (progress?.share ?? null)
  return live(share, share === 1 ? '' : workWords(progress, units))
}

/**
 * Parity discs come after all volumes, with a share of their own. Recovery data of a volume is
 * calculated while its files are read: the engine reports no share of it.
 */
function liveRecovery({ build, rows, job, units }: Shown, plan: PlanDocument): Said {
  const progress = job?.progress ?? null
  if (plan.parity?.length) {
    const before = inHand(build, rows).length
    const { index = 0, share = 0 } = progress?.volume ?? {}
    // All parity discs are made together, in the turn of the first.
    if (index > before) return live(index === before + 1 ? share : 1, workWords(progress, units))
    return { ...NOTHING, figure: t('volumeState.waiting') }
  }
  const isNow = progress?.phase.name === 'protecting'
  const note = isNow ? (progress.current ?? '') : ''
  return { ...NOTHING, figure: t('stage.recovery.along'), note, isLive: isNow }
}

function checking({ build, rows, job, following, units }: Shown): Said {
  const progress = job?.progress ?? null
  if (job?.kind === 'verify') return live(progress?.share ?? null, workWords(progress, units))
  const isNext = following === 'verify' || (job?.kind === 'build' && build.isOneRun)
  if (isNext) return { ...NOTHING, figure: t('volumeState.waiting') }
  return counted(rows.filter(isVerifiedRow).length, rows.length)
}

function doneReading({ rows, units }: Shown, plan: PlanDocument): Said {
  const all = counted(rows.filter(isBuiltRow).length, rows.length)
  return { ...all, note: contentWords(plan, units) }
}

function doneRecovery({ build, rows }: Shown, { parity = [] }: PlanDocument): Said {
  const runs = [build.build, build.verify]
  const areMade = parity.every(({ index }) =>
    runs.some((run) => run?.volumes.some((volume) => volume.index === index && isWhole(volume))),
  )
  const isDone = areMade && rows.length > 0 && rows.every(isBuiltRow)
  return isDone ? { ...NOTHING, figure: t('volumeState.done'), share: 1 } : NOTHING
}

const NOTHING: Said = { figure: '', note: '', share: null, isLive: false }

function live(share: number | null, note: string): Said {
  return {
    figure: share === null ? t('volumeState.working') : wholePercent(share),
    note,
    share,
    isLive: true,
  }
}

/** Volumes of the set of which something is done. */
function counted(done: number, all: number): Said {
  if (done === 0) return NOTHING
  const figure = done === all ? t('volumeState.done') : t('stage.volumes', { done, count: all })
  return { ...NOTHING, figure, share: done / all }
}

/** The volume in hand, or the work on none, and the rate. */
function workWords(progress: JobProgress | null, units: Units): string {
  if (progress === null) return ''
  const { current, phase, bytesPerSecond } = progress
  const rate = bytesPerSecond === null ? '' : formatRate(bytesPerSecond, units)
  return [current ?? tMaybe(`phase.${phase.name}`, ''), rate].filter((words) => words !== '').join(', ')
}

/** The share of these volumes that is done, by their sectors; null before the first is begun. */
function shareOfVolumes(progress: JobProgress | null, rows: readonly BuildRow[]): number | null {
  const at = progress?.volume
  if (!at) return null
  const sectors = rows.map(({ forecastSectors }) => forecastSectors ?? 0)
  const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0)
  const before = sum(sectors.slice(0, at.index - 1))
  return Math.min(1, (before + at.share * (sectors[at.index - 1] ?? 0)) / Math.max(1, sum(sectors)))
}

function inHand({ picked }: BuildState, rows: readonly BuildRow[]): readonly BuildRow[] {
  return picked.length === 0 ? rows : rows.filter(({ index }) => picked.includes(index))
}

/** True where any run built it: a volume on a disc, or a verified one, was built too. */
function isBuiltRow(row: BuildRow): boolean {
  return [row.build, row.write].some((each) => each !== null && isWhole(each)) || isVerifiedRow(row)
}

function isWhole({ state }: { readonly state: string }): boolean {
  return state === 'done' || state === 'kept'
}
