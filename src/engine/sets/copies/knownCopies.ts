/**
 * The room `copies` knows where volumes are, and how good each copy is.
 * How: events of the catalog with running numbers give the copies; before a strong word is said,
 * the places are looked at (`lookAtCopies`), and identity is device and inode, or a digest.
 * Not here: reading volumes (`check`), writing them (`write`).
 */

import type { PlanListItem } from '../../../contract/dto/plan'
import { BUILT_COPY, type VolumeCopy } from '../../../domain/sets/copies/copy'
import { type KnownCopy, volumeCopies } from '../../../domain/sets/copies/volumeCopies'
import { eventsOfSet, type NewEvent, newestSet, type VolumeEvent } from '../../../domain/sets/volumeEvent'
import type { Catalog } from '../../catalog/catalog'
import { joinPath, lstatAt } from '../../files/fileSystem'
import { placeIn, volumePlaces } from '../volume/planned/plannedVolume'

export type CopyCatalog = Pick<Catalog, 'plans' | 'runs' | 'events'>

/** A set of volumes as the catalog knows it. */
interface KnownSet {
  readonly plan: PlanListItem | undefined
  readonly planId: string | null
  /** The ID of its index, where the catalog knows it by more than checks of volumes. */
  readonly setId: string | null
  /** In their order. */
  readonly events: readonly VolumeEvent[]
}

/**
 * The sets that the catalog knows, each with what happened to its volumes; of a plan that was
 * packed anew the newest alone. Runs of plans that were removed from the catalog say nothing.
 */
export function setsOf(catalog: CopyCatalog): KnownSet[] {
  const plans = new Map(catalog.plans().map((plan) => [plan.id, plan]))
  const runs = Map.groupBy(catalog.runs(), ({ planId }) => planId)
  const events = Map.groupBy(catalog.events(), setOf)
  return [...new Set([...plans.keys(), ...events.keys()])].map((ofSet) => {
    const plan = plans.get(ofSet)
    const all = events.get(ofSet) ?? []
    // What was built and written goes with the plan; what was read and said of its volumes stays.
    const kept = plan ? all : all.filter(({ kind }) => !isMade(kind))
    const ofRuns = plan ? newestSet(runs.get(ofSet) ?? [], []) : null
    const own = eventsOfSet(kept, ofRuns ?? newestSet([], kept))
    const planId = plan?.id ?? own.find((event) => event.planId !== null)?.planId ?? null
    return { plan, planId, setId: ofRuns, events: own }
  })
}

/**
 * The copies of all volumes that the catalog knows, by set, number and copy. The image or folder in
 * a plan's folder is a copy while it is there.
 * @param nowWallMs decides which are overdue
 */
export function knownCopies(catalog: CopyCatalog, nowWallMs: number): KnownCopy[] {
  return setsOf(catalog).flatMap(({ plan, planId, setId, events }) => {
    const pathOf = (volume: { index: number; label: string }, folder: string | null): string | null =>
      folder === null
        ? builtAt(plan, volume.index)
        : placeIn(folder, volume.label, plan?.mediumKind ?? 'image')
    return volumeCopies({ planId, setId, events, pathOf }, nowWallMs)
      .filter(({ copy, path }) => copy !== BUILT_COPY || path !== null)
      .map((copy) => Object.assign(copy, { setId: setId ?? newestSet([], events) }))
  })
}

/** A copy as it is shown, without what only looking at it needs. */
export function withoutPlaces(copy: KnownCopy): VolumeCopy {
  const { fileSystem: _, digest: _1, bytes: _2, drive: _3, madeBy: _4, check: _5, ...shown } = copy
  return shown
}

/** Names a set as notes on its copies do: by its plan, else by its own ID. */
export function setOf({ planId, setId }: Pick<NewEvent, 'planId' | 'setId'>): string {
  return planId ?? setId ?? ''
}

function isMade(kind: NewEvent['kind']): boolean {
  return kind === 'built' || kind === 'kept' || kind === 'written'
}

function builtAt(plan: PlanListItem | undefined, index: number): string | null {
  if (!plan || plan.directory === null) return null
  const { image, folder } = volumePlaces(index, plan.volumes)
  const paths = [image, folder].map((place) => joinPath(plan.directory ?? '', place))
  return paths.find((path) => lstatAt(path) !== null) ?? null
}
