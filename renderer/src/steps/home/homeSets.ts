import type { VolumeDue } from '../../../../src/contract/dto/check'
import type { LostCopies } from '../../../../src/contract/dto/copies'
import type { PlanListItem } from '../../../../src/contract/dto/plan'

/**
 * A set as Home shows it: an exported plan with its volumes, or volumes of which only checks are
 * known.
 */
export interface HomeSet {
  readonly key: string
  /** Null where the catalog does not have its plan. */
  readonly plan: PlanListItem | null
  readonly firstLabel: string
  readonly lastLabel: string
  readonly volumes: number
  readonly state: SetState
  /** When its first volume should be checked again; null where none was ever verified. */
  readonly checkByWallMs: number | null
  /** After how many months its volumes are checked again; null where none was ever checked. */
  readonly everyMonths: number | null
  readonly problem: SetProblem | null
  /** When something was last done with it. */
  readonly lastWallMs: number
}

/** How far a set has got, with how many of its volumes. */
export type SetState =
  | { readonly kind: 'exported' | 'built' | 'written'; readonly count: number }
  | { readonly kind: 'verified'; readonly count: number; readonly wallMs: number }
  | { readonly kind: 'working' | 'damaged'; readonly count: number }

/** Why a set needs attention, with the labels of the volumes where they are known. */
export type SetProblem =
  | { readonly kind: 'damaged'; readonly count: number; readonly labels: readonly string[] }
  /** `copies`: each number and place of which volumes are lost. */
  | { readonly kind: 'lost'; readonly copies: readonly LostCopies[] }
  | { readonly kind: 'interrupted'; readonly run: 'build' | 'write'; readonly count: number }
  | { readonly kind: 'failed'; readonly run: 'build' | 'write'; readonly count: number }
  | { readonly kind: 'gone'; readonly directory: string }
  | { readonly kind: 'due'; readonly count: number; readonly labels: readonly string[] }

/** The lists that Home is made from. */
export interface HomeFacts {
  readonly plans: readonly PlanListItem[]
  readonly volumes: readonly VolumeDue[]
  readonly lost: readonly LostCopies[]
  readonly nowWallMs: number
  /** The folder of the set that is being built or written now; null where none is. */
  readonly busyDirectory: string | null
}

/** The most pressing first. */
const PRESSING = ['damaged', 'lost', 'interrupted', 'failed', 'gone', 'due'] as const

/**
 * Every set that was exported, built or checked: those that need attention first, then those with
 * which something was done last.
 */
export function homeSets(facts: HomeFacts): HomeSet[] {
  const ofSet = bySet(facts.volumes)
  const known = new Set(facts.plans.map(({ id }) => id))
  const planned = facts.plans.filter(isSet).map((plan) => setOfPlan(plan, ofSet.get(plan.id) ?? [], facts))
  const others = [...ofSet].flatMap(([key, volumes]) =>
    known.has(key) ? [] : [setOfChecks(key, volumes, facts)],
  )
  return [...planned, ...others].sort(
    (one, other) => rankOf(one) - rankOf(other) || other.lastWallMs - one.lastWallMs,
  )
}

/** The sets that need attention: those with a problem of their own, and those with due discs. */
export function attentionOf(sets: readonly HomeSet[]): {
  readonly problems: readonly HomeSet[]
  readonly due: readonly HomeSet[]
} {
  const troubled = sets.filter(({ problem }) => problem !== null)
  return {
    problems: troubled.filter(({ problem }) => problem?.kind !== 'due'),
    due: troubled.filter(({ problem }) => problem?.kind === 'due'),
  }
}

/** Volumes or copies by the ID of their plan, or of their set where no plan is known. */
export function bySet<Row extends Pick<VolumeDue, 'planId' | 'setId'>>(
  volumes: readonly Row[],
): Map<string, Row[]> {
  const sets = new Map<string, Row[]>()
  for (const volume of volumes) {
    const key = volume.planId ?? volume.setId ?? ''
    const known = sets.get(key)
    if (known) known.push(volume)
    else sets.set(key, [volume])
  }
  return sets
}

function rankOf({ problem }: HomeSet): number {
  return problem === null ? PRESSING.length : PRESSING.indexOf(problem.kind)
}

function isSet({ directory, built, written, verified, failed }: PlanListItem): boolean {
  return directory !== null || built + written + verified + failed > 0
}

function setOfPlan(plan: PlanListItem, volumes: readonly VolumeDue[], facts: HomeFacts): HomeSet {
  const isBusy = plan.directory !== null && plan.directory === facts.busyDirectory
  return {
    key: plan.id,
    plan,
    firstLabel: plan.firstLabel,
    lastLabel: plan.lastLabel,
    volumes: plan.volumes,
    state: isBusy ? { kind: 'working', count: plan.volumes } : stateOf(plan),
    checkByWallMs: plan.checkByWallMs,
    everyMonths: everyMonthsOf(volumes),
    problem: isBusy ? null : problemOf(plan, volumes, facts),
    lastWallMs: Math.max(plan.createdWallMs, plan.verifiedWallMs ?? 0, plan.lastRun?.startedWallMs ?? 0),
  }
}

function stateOf(plan: PlanListItem): SetState {
  if (plan.failed > 0) return { kind: 'damaged', count: plan.failed }
  if (plan.good > 0 && plan.verifiedWallMs !== null)
    return { kind: 'verified', count: plan.good, wallMs: plan.verifiedWallMs }
  if (plan.onMedia > 0) return { kind: 'written', count: plan.onMedia }
  return plan.built > 0 ? { kind: 'built', count: plan.built } : { kind: 'exported', count: plan.volumes }
}

function problemOf(
  plan: PlanListItem,
  volumes: readonly VolumeDue[],
  { lost, nowWallMs }: HomeFacts,
): SetProblem | null {
  const damaged = labelsOf(volumes.filter(({ last }) => last?.result === 'damaged'))
  if (plan.failed > 0) return { kind: 'damaged', count: plan.failed, labels: damaged }
  const copies = lostOf(plan.id, lost)
  if (copies !== null) return copies
  const { lastRun } = plan
  if (lastRun && lastRun.kind !== 'verify') {
    const { kind: run, volumes: all, done, failed } = lastRun
    if (lastRun.outcome === 'interrupted' && done < all) return { kind: 'interrupted', run, count: done }
    if (lastRun.outcome === 'failed' && failed > 0) return { kind: 'failed', run, count: failed }
  }
  if (isFolderMissed(plan, volumes)) return { kind: 'gone', directory: plan.directory as string }
  return dueOf(volumes, nowWallMs)
}

/**
 * True when the folder of a set is gone that was built, unless all of it is on discs: those are
 * restored and verified without it.
 */
function isFolderMissed(plan: PlanListItem, volumes: readonly VolumeDue[]): boolean {
  if (plan.directory === null || plan.directoryExists || plan.built + plan.good === 0) return false
  const seen = volumes.filter(({ last }) => last?.by === 'volume' && last.result === 'good')
  return Math.max(plan.onMedia, countOf(seen)) < plan.volumes
}

function lostOf(key: string, lost: readonly LostCopies[]): SetProblem | null {
  const copies = lost.filter(({ planId, setId }) => (planId ?? setId) === key)
  return copies.length === 0 ? null : { kind: 'lost', copies }
}

function dueOf(volumes: readonly VolumeDue[], nowWallMs: number): SetProblem | null {
  const due = volumes.filter(({ checkByWallMs }) => checkByWallMs <= nowWallMs)
  return due.length === 0 ? null : { kind: 'due', count: countOf(due), labels: labelsOf(due) }
}

/** A set whose plan this catalog does not have: its discs were checked here. */
function setOfChecks(key: string, volumes: readonly VolumeDue[], { lost, nowWallMs }: HomeFacts): HomeSet {
  const inOrder = [...volumes].sort((one, other) => one.volume - other.volume)
  const checks = volumes.flatMap(({ last }) => last ?? [])
  const damaged = volumes.filter(({ last }) => last?.result === 'damaged')
  const lastWallMs = Math.max(0, ...checks.map(({ checkedWallMs }) => checkedWallMs))
  return {
    key,
    plan: null,
    firstLabel: inOrder[0]?.label ?? '',
    lastLabel: inOrder.at(-1)?.label ?? '',
    volumes: countOf(volumes),
    state:
      damaged.length > 0
        ? { kind: 'damaged', count: countOf(damaged) }
        : {
            kind: 'verified',
            count: countOf(volumes.filter(({ last }) => last?.result === 'good')),
            wallMs: lastWallMs,
          },
    checkByWallMs: volumes.reduce<number | null>(
      (least, { last, checkByWallMs }) =>
        last?.result === 'good' ? Math.min(least ?? checkByWallMs, checkByWallMs) : least,
      null,
    ),
    everyMonths: everyMonthsOf(volumes),
    problem:
      damaged.length > 0
        ? { kind: 'damaged', count: countOf(damaged), labels: labelsOf(damaged) }
        : (lostOf(key, lost) ?? dueOf(volumes, nowWallMs)),
    lastWallMs,
  }
}

/** The shortest interval of the volumes, which decides when the first one is due. */
function everyMonthsOf(volumes: readonly VolumeDue[]): number | null {
  const all = volumes.flatMap(({ last }) => last?.everyMonths ?? [])
  return all.length === 0 ? null : Math.min(...all)
}

function labelsOf(volumes: readonly VolumeDue[]): string[] {
  return [...new Set(volumes.map(({ label }) => label))].sort()
}

/** Copies of one volume are one. */
function countOf(volumes: readonly VolumeDue[]): number {
  return new Set(volumes.map(({ volume }) => volume)).size
}
