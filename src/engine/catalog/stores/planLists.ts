import { existsSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import type { PlanDocument, PlanListItem } from '../../../contract/dto/plan'
import type { RunDocument } from '../../../contract/dto/run'
import { isVerified, stepOf, type VolumeState, type VolumeStep } from '../../../domain/sets/volumeState'
import { pathFromBytes } from '../../../primitives/pathText'
import { fsPath } from '../../files/fileSystem'
import type { Catalog } from '../catalog'
import type { KnownOfPlan, PlanVolumes } from './planVolumes'
import type { StoredDocuments } from './storedDocuments'

/** A plan's document as the catalog keeps it, and as it was read. */
interface ParsedPlan {
  readonly text: string
  readonly plan: PlanDocument
}

/** The lists of plans and of their volumes. */
export function planLists(
  reader: Database,
  stored: StoredDocuments<PlanDocument>,
  volumesOf: PlanVolumes,
  { runs, events }: Pick<Catalog, 'runs' | 'events'>,
): Pick<Catalog, 'plans' | 'listedPlans' | 'projectPlans' | 'planVolumeLabels'> & {
  exportedPlans(): { id: string; directory: string }[]
} {
  /** One pass over all runs and events: asked for plan by plan, each would read the whole table. */
  const knownByPlan = (): ((planId: string) => KnownOfPlan) => {
    const ofPlans = Map.groupBy(runs(), ({ planId }) => planId)
    const happened = Map.groupBy(events(), ({ planId }) => planId)
    return (planId) => ({ runs: ofPlans.get(planId) ?? [], events: happened.get(planId) ?? [] })
  }

  /** The documents that were listed last: a list parses only those that have changed since. */
  let parsed: ReadonlyMap<string, ParsedPlan> = new Map()

  /** Newest first, without those whose document is damaged. */
  const listed = () => {
    const knownOf = knownByPlan()
    const before = parsed
    const now = new Map<string, ParsedPlan>()
    parsed = now
    return reader
      .prepare<[], { number: number; id: string; document: string; directory: Uint8Array | null }>(
        `SELECT number, id, document, directory FROM plans WHERE withdrawn_by IS NULL
         ORDER BY number DESC`,
      )
      .all()
      .flatMap(({ number, id, document, directory }) => {
        const known = before.get(id)
        const plan = known?.text === document ? known.plan : stored.readable(id, document)
        if (!plan) return []
        now.set(id, { text: document, plan })
        const happened = knownOf(id)
        const volumes = volumesOf({ number, id, createdWallMs: plan.createdWallMs }, happened)
        return [{ plan, directory, volumes, lastRun: happened.runs[0] ?? null }]
      })
  }

  const listedPlans = (): ReturnType<Catalog['listedPlans']> =>
    listed().map(({ plan, directory, volumes, lastRun }) => ({
      plan,
      item: listItem(plan, [...volumes.values()], directory, lastRun),
    }))

  return {
    listedPlans,

    plans: () => listedPlans().map(({ item }) => item),

    projectPlans: (projectId) =>
      listed()
        .filter(({ plan }) => plan.project?.id === projectId)
        .map(({ plan, directory, volumes }) => ({
          id: plan.id,
          createdWallMs: plan.createdWallMs,
          medium: plan.medium.name,
          directory: directory === null ? null : pathFromBytes(directory),
          volumes: [...volumes].map(([index, { label, state }]) => ({ index, label, state: stepOf(state) })),
        })),

    exportedPlans: () =>
      reader
        .prepare<[], { id: string; directory: Uint8Array }>(
          'SELECT id, directory FROM plans WHERE directory IS NOT NULL',
        )
        .all()
        .map(({ id, directory }) => ({ id, directory: pathFromBytes(directory) })),

    planVolumeLabels: () =>
      reader
        .prepare<[], { planId: string; volume: number; label: string }>(
          `SELECT id AS planId, volume, label FROM plans JOIN volumes ON plan = number
           WHERE withdrawn_by IS NULL ORDER BY number, volume`,
        )
        .all(),
  }
}

function listItem(
  document: PlanDocument,
  volumes: readonly { readonly label: string; readonly state: VolumeState }[],
  directory: Uint8Array | null,
  run: RunDocument | null,
): PlanListItem {
  const states = volumes.map(({ state }) => state)
  const steps = states.map(stepOf)
  const good = states.filter(isVerified)
  const checkBy = states.flatMap(({ checkByWallMs }) => checkByWallMs ?? [])
  const count = (step: VolumeStep): number => steps.filter((each) => each === step).length
  return {
    id: document.id,
    createdWallMs: document.createdWallMs,
    surveyId: document.surveyId,
    roots: document.roots,
    mediumId: document.medium.id,
    mediumName: document.medium.name,
    mediumKind: document.medium.kind,
    volumes: steps.length,
    built: states.filter(({ builtWallMs }) => builtWallMs !== null).length,
    written: count('written'),
    verified: count('verified'),
    failed: count('failed'),
    files: document.totals.files,
    bytes: document.totals.bytes,
    directory: directory === null ? null : pathFromBytes(directory),
    directoryExists: isThere(directory),
    firstLabel: volumes[0]?.label ?? '',
    lastLabel: volumes.at(-1)?.label ?? '',
    project: document.project ?? null,
    onMedia: states.filter(({ writtenWallMs }) => writtenWallMs !== null).length,
    good: good.length,
    verifiedWallMs: good.length === 0 ? null : Math.max(...good.map((state) => state.verifiedWallMs ?? 0)),
    checkByWallMs: checkBy.length === 0 ? null : Math.min(...checkBy),
    lastRun: run && {
      kind: run.kind,
      outcome: run.outcome,
      startedWallMs: run.startedWallMs,
      volumes: run.volumes.length,
      done: run.volumes.filter(({ state }) => state === 'done' || state === 'kept').length,
      failed: run.volumes.filter(({ state }) => state === 'failed').length,
    },
  }
}

/**
 * True when the folder that a plan was exported to still exists: a trial that was deleted has no
 * volumes to check.
 */
export function isThere(directory: Uint8Array | null): boolean {
  return directory !== null && existsSync(fsPath(pathFromBytes(directory)))
}
