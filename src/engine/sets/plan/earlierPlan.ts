import { readFile } from 'node:fs/promises'
import type { PlanRequest } from '../../../contract/dto/plan'
import { planGrowthRefusal } from '../../../domain/sets/growing/growthRefusal'
import { prefixOfLabels } from '../../../domain/sets/naming/volumeLabels'
import { lastComponent } from '../../../domain/sets/naming/volumePaths'
import type { EarlierPlan, PlanDocument } from '../../../domain/sets/planDocument'
import { skippedBy } from '../../../domain/sets/skippedFile'
import { statesByRuns, stepOf, type VolumeState } from '../../../domain/sets/volumeState'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { attempt, cannot, fsPath, joinPath, lstatAt, textBytes } from '../../files/fileSystem'
import { planIdIn } from '../../files/read'
import type { CopyCatalog } from '../copies/knownCopies'
import { lostVolumes } from '../copies/lostVolumes'
import { runsOfFolder, runsOfPlan } from '../runs/knownRuns'
import { catalogIndexText } from '../volume/lists/catalogIndexText'
import { grownIndex } from '../volume/lists/grownIndex'
import { factOf, generationsIn, type HistoryLine, historyIn } from '../volume/lists/historyLines'
import { escapeTsv } from '../volume/lists/indexTsv'
import { indexId, readableIndex } from '../volume/lists/setIndex'
import { currentPlan } from '../volume/planned/currentPlan'
import {
  INDEX_PLACE,
  openPlanFolder,
  PACKED_INDEX_PLACE,
  type PlanFolder,
  setIdOf,
} from '../volume/planned/planFolder'
import { encryptedLines } from './encryptedLines'
import type { EarlierState } from './growPlan'
import { type PlanOnVolume, planOnVolume } from './planOnVolume'

export type EarlierCatalog = Pick<
  Catalog,
  'plan' | 'plans' | 'planEntries' | 'planHistory' | 'ownPlaces' | 'run' | 'runs' | 'saveRun'
> &
  CopyCatalog

/** The plan that a new one adds to, with those before it. */
export interface OpenedEarlier extends EarlierState {
  readonly encryption: string
  /** As the new plan names them. */
  readonly addsTo: readonly EarlierPlan[]
  /** The label of the newest volume, and the prefix of those without one of their own. */
  readonly lastLabel: string
  readonly labelPrefix: string
  /** Labels of volumes that were planned and never made: their contents are planned again. */
  readonly notMade: readonly string[]
  /** Labels of volumes whose copies are all lost: their contents are planned again. */
  readonly lost: readonly string[]
  /** Labels of volumes whose last verification failed: what they hold counts as kept. */
  readonly failed: readonly string[]
  /** The label of the volume by which alone the plan is known; null for one that is at hand. */
  readonly knownBy: string | null
  /** The ID of another plan that was made and adds to the same one; null if there is none. */
  readonly alsoAdded: string | null
}

/**
 * Opens the plan that a request adds to: by its folder or, where that is gone, by the catalog. A
 * volume in place of the folder names its plan; of one that this catalog does not know, all volumes
 * count as written.
 * @returns null where the request names none
 * @param onVolume the index of a plan that the catalog knows, from one of its volumes
 * @throws AppError `not-found`, `refused` for a plan whose packing does not grow and for one of
 *   which no volume was built or written, `verification-failed` for an index that is not as it was
 *   exported
 */
export async function earlierPlan(
  { addTo, addToFolder }: Pick<PlanRequest, 'addTo' | 'addToFolder'>,
  catalog: EarlierCatalog,
  nowWallMs: number,
  onVolume: Buffer | null = null,
): Promise<OpenedEarlier | null> {
  const folder = addToFolder ?? (addTo === undefined ? null : folderIn(catalog, addTo))
  if (folder === null && addTo === undefined) return null
  if (folder !== null && isVolume(folder)) {
    const found = await planOnVolume(folder)
    if (catalog.plans().some(({ id }) => id === found.planId))
      return earlierPlan({ addTo: found.planId }, catalog, nowWallMs, found.text)
    return byVolume(found, catalog)
  }
  const exported = folder === null ? null : await openPlanFolder(folder)
  const planned = exported?.plan ?? catalog.plan(addTo ?? '')
  requireGrowing(planned)
  const opened = exported && (await currentPlan(exported))
  if (opened && !opened.isPacked) throw noneMade(planned.id)
  const plan = opened?.plan ?? planned
  const runs = exported ? await runsOfFolder(exported, catalog) : runsOfPlan(plan.id, catalog)
  const text = opened ? await indexIn(opened) : indexOf(plan, catalog, onVolume)
  const setId = opened ? indexId(text) : (runs.find((run) => run.setId !== undefined)?.setId ?? indexId(text))
  const states = statesByRuns(
    plan.createdWallMs,
    plan.volumes.map(({ index }) => index),
    runs,
  )
  const made = plan.volumes.filter(({ index }) => {
    const state = states.get(index)
    return state !== undefined && stepOf(state) !== 'planned'
  })
  if (made.length === 0) throw noneMade(plan.id)
  const madeIndexes = new Set(made.map(({ index }) => index))
  const skipped = new Map(
    plan.volumes.map(({ index }) => [index, new Set([...skippedBy(runs, index).keys()].map(escapeTsv))]),
  )
  const utf8 = text.toString('utf8')
  const encryption = plan.packing?.encryption ?? 'none'
  const lines =
    exported && opened && encryption !== 'none'
      ? await encryptedLines(exported, opened, utf8)
      : historyIn(utf8)
  const own = plan.addsTo?.length ?? 0
  const itself = {
    generation: own + 1,
    planId: plan.id,
    setId,
    createdWallMs: plan.createdWallMs,
    volumes: plan.volumes.map(({ index, label }) => ({ index, label })),
  }
  const addsTo = [...(plan.addsTo ?? []), itself]
  const isLost = lostVolumes(catalog, nowWallMs)
  return {
    generation: own + 2,
    generations: [...generationsIn(utf8).slice(0, own), itself],
    lines,
    encryption,
    isKept: (line: HistoryLine) =>
      !isLost(addsTo[line.on.generation - 1]?.planId ?? '', line.on.volume) &&
      (line.on.generation !== own + 1 ||
        (madeIndexes.has(line.on.volume) &&
          skipped.get(line.on.volume)?.has(line.at || factOf(line, 'path')) !== true)),
    addsTo,
    lastLabel: plan.volumes.at(-1)?.label ?? '',
    labelPrefix: prefixOfLabels(plan.volumes, plan.placement, lastComponent(plan.roots[0] ?? '')),
    failed: made
      .filter(({ index }) => stepOf(states.get(index) as VolumeState) === 'failed')
      .map(({ label }) => label),
    knownBy: null,
    alsoAdded: otherAddedTo(plan.id, catalog),
    lost: addsTo.flatMap(({ planId, volumes }) =>
      volumes.filter(({ index }) => isLost(planId, index)).map(({ label }) => label),
    ),
    notMade: plan.volumes.filter(({ index }) => !madeIndexes.has(index)).map(({ label }) => label),
  }
}

function noneMade(planId: string): AppError {
  return new AppError('refused', said`cannot add to plan ${planId}: none of its volumes was built or written`)
}

/** @throws AppError `refused` for a plan whose packing does not grow */
function requireGrowing(plan: PlanDocument): void {
  const because = planGrowthRefusal(plan)
  if (because !== null) throw doesNotGrow(plan.id, because)
}

function doesNotGrow(planId: string, because: string): AppError {
  return new AppError('refused', said`cannot add to plan ${planId}: ${because}; plan everything anew`)
}

/**
 * The index of a plan whose folder is gone.
 * @throws AppError `refused` for a packed plan of which no volume is given either
 */
function indexOf(plan: PlanDocument, catalog: EarlierCatalog, onVolume: Buffer | null): Buffer {
  if (!plan.packing) return textBytes(catalogIndexText(plan, catalog))
  if (onVolume) return onVolume
  if (plan.packing.encryption !== 'none')
    throw doesNotGrow(plan.id, said`its folder is gone, and its volumes are encrypted`)
  const message = said`cannot add to plan ${plan.id}: its folder is gone, and the catalog does not know what is in which archive; name one of its volumes instead`
  throw new AppError('refused', message)
}

/** True for an image or a device, and for a folder that is no plan's. */
function isVolume(path: string): boolean {
  return lstatAt(path) !== null && lstatAt(joinPath(path, 'plan.json')) === null
}

/** A plan that this catalog does not know, by one of its volumes. */
function byVolume(
  { planId, text, plans, refusal, skipped, label }: PlanOnVolume,
  catalog: EarlierCatalog,
): OpenedEarlier {
  if (refusal !== null) throw doesNotGrow(planId, refusal)
  const own = plans.length
  const volumes = plans.at(-1)?.volumes ?? []
  const gone = new Set([...skipped.keys()].map(escapeTsv))
  const isOnIt = ({ on }: HistoryLine): boolean => on.generation === own && on.label === label
  return {
    generation: own + 1,
    generations: plans,
    lines: historyIn(text.toString('utf8')),
    encryption: 'none',
    isKept: (line) => !(isOnIt(line) && gone.has(line.at || factOf(line, 'path'))),
    addsTo: plans,
    lastLabel: volumes.at(-1)?.label ?? '',
    labelPrefix: prefixOfLabels(volumes),
    notMade: [],
    lost: [],
    failed: [],
    knownBy: label,
    alsoAdded: otherAddedTo(planId, catalog),
  }
}

/** The newest plan that was made of those that add to a plan. */
function otherAddedTo(planId: string, catalog: EarlierCatalog): string | null {
  const made = catalog.plans().filter(({ built, onMedia }) => built + onMedia > 0)
  return made.find(({ id }) => catalog.plan(id).addsTo?.at(-1)?.planId === planId)?.id ?? null
}

/** Where the folder of a plan of the catalog is; null where it is not there any more. */
function folderIn(catalog: EarlierCatalog, planId: string): string | null {
  const known = catalog.ownPlaces().plans.find(({ id }) => id === planId)
  return known && planIdIn(known.directory) === planId ? known.directory : null
}

/** The index in the folder of a plan. */
async function indexIn({ directory, plan }: PlanFolder): Promise<Buffer> {
  const place = joinPath(directory, plan.packing ? PACKED_INDEX_PLACE : INDEX_PLACE)
  const text = await attempt('read', place, readFile(fsPath(place)))
  const setId = setIdOf(plan)
  if (setId !== undefined && setId !== indexId(text))
    throw cannot('verification-failed', 'use', place, said`it differs from the exported plan`)
  // A folder may come from anyone.
  const [line] = [...readableIndex(text).unreadable, ...(grownIndex(text)?.all.unreadable ?? [])]
  if (line !== undefined) throw cannot('bad-input', 'use', place, said`line ${line} is damaged`)
  return text
}
