import type { PlanDocument } from '../../../contract/dto/plan'
import type { QueueRequest } from '../../../contract/dto/restoreQueue'
import type { VolumeCopy } from '../../../domain/sets/copies/copy'
import type { CopyOffer, OfferedVolume } from '../../../domain/sets/queue/restoreQueue'
import { skippedBy } from '../../../domain/sets/skippedFile'
import type { Catalog } from '../../catalog/catalog'
import { lstatAt } from '../../files/fileSystem'
import type { Generation } from '../volume/lists/historyLines'
import type { SetIndex } from '../volume/lists/setIndex'
import type { ReadSet } from './catalogSet'
import type { SetVolumes } from './waysToRestore'

export interface OfferFacts {
  readonly copies: readonly VolumeCopy[]
  readonly catalog: Pick<Catalog, 'plan' | 'planVolumeLabels' | 'runs'>
  /** Labels of volumes that were given before. */
  readonly given: readonly string[]
  /** Copies that do not count. */
  readonly without: QueueRequest['without']
}

/** A set whose volumes are offered. */
export interface OfferedSet extends ReadSet {
  readonly planId: string | null
  /** The plan itself, where its folder was given: it may be in no catalog. */
  readonly plan: PlanDocument | null
  /** Volumes that were given, by their numbers. */
  readonly given: ReadonlyMap<number, string>
  /** Given volumes that may be of a newer generation, as `openSet` says. */
  readonly mayBeNewer?: readonly string[]
}

/**
 * The volumes of sets with all their copies; a set's volumes are added to the list.
 * @returns how the set's index names them
 */
export function offerVolumes(
  { index, generations, planId, plan, given }: OfferedSet,
  { copies, catalog, given: before, without }: OfferFacts,
  offered: OfferedVolume[],
): SetVolumes {
  const placeOf = new Map<number, number>()
  const leftOut = new Map<number, ReadonlyMap<string, unknown>>()
  const plans = plansOf(planId, plan, generations, catalog)
  for (const { index: number, label } of index.volumes) {
    const own = ownVolume({ number, label }, plans, index)
    const of = own && copies.filter((copy) => copy.planId === own.plan.id && copy.volume === own.index)
    const path = given.get(number)
    placeOf.set(number, offered.length)
    const planned = own?.plan.volumes.find((volume) => volume.index === own.index)
    offered.push({
      planId: own?.plan.id ?? planId,
      index: own?.index ?? number,
      label,
      copies: offersOf(of ?? [], path).filter(
        ({ copy }) => !without.some((left) => left.label === label && left.copy === copy),
      ),
      isGiven: before.includes(label),
      wholeBytes: planned?.bytes ?? 0,
      seconds: own?.plan.times?.volumes[own.index - 1]?.restore ?? null,
    })
    if (own) leftOut.set(number, skippedBy(catalog.runs(own.plan.id), own.index))
  }
  return { placeOf, isLeftOut: (volume, path) => leftOut.get(volume)?.has(path) === true }
}

/** The plans whose volumes a set has, the newest last. */
function plansOf(
  planId: string | null,
  plan: PlanDocument | null,
  generations: readonly Generation[] = [],
  catalog: OfferFacts['catalog'],
): PlanDocument[] {
  const ids = new Set([...generations.map((one) => one.planId), ...(planId === null ? [] : [planId])])
  return [...ids].flatMap((id) => {
    if (plan?.id === id) return [plan]
    try {
      return [catalog.plan(id)]
    } catch {
      // It is in another catalog, or damaged in this one.
      return []
    }
  })
}

/** In an archive that grows labels alone name volumes, which are numbered over all generations. */
function ownVolume(
  { number, label }: { readonly number: number; readonly label: string },
  plans: readonly PlanDocument[],
  { generation }: SetIndex,
): { readonly plan: PlanDocument; readonly index: number } | null {
  for (const plan of plans) {
    const volume = plan.volumes.find((each) =>
      generation === undefined ? each.index === number : each.label === label,
    )
    if (volume) return { plan, index: volume.index }
  }
  return null
}

function offersOf(copies: readonly VolumeCopy[], given: string | undefined): CopyOffer[] {
  const offers = copies.map(
    ({ copy, place, state, path }): CopyOffer => ({
      copy,
      place,
      state,
      path: path !== null && lstatAt(path) !== null ? path : null,
    }),
  )
  if (given !== undefined && !offers.some(({ path }) => path === given))
    offers.push({ copy: null, place: null, state: 'unknown', path: given })
  return offers.length > 0 ? offers : [{ copy: null, place: null, state: 'unknown', path: null }]
}
