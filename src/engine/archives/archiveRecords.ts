/**
 * The room `archives` knows the archives of the catalog, and what the next plan of each adds to.
 * How: plans that add to one another are a set; a set is of the archive that it was adopted into,
 * else of the project that its plans name. An intent that nobody stored is that of the last plan.
 * Not here: surveys and plans themselves (`survey`, `sets/plan`), which the caller starts.
 */

import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import {
  ARCHIVES_SCHEMA,
  type ArchiveDocument,
  type ArchiveSet,
  type ArchivesDocument,
} from '../../contract/dto/archive'
import type { PlanDocument, PlanListItem } from '../../contract/dto/plan'
import type { ArchiveIntent } from '../../domain/archives/archive'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import type { Catalog } from '../catalog/catalog'
import { fsPath } from '../files/fileSystem'
import { intentOfPlan } from './intentOfPlan'

export type ArchiveCatalog = Pick<
  Catalog,
  | 'listedPlans'
  | 'archives'
  | 'adoptedSets'
  | 'archivePlaces'
  | 'keepArchive'
  | 'forgetArchive'
  | 'adoptSet'
  | 'noteArchivePlace'
  | 'readableSurvey'
>

/** A plan as the catalog lists it. */
export interface ListedPlan {
  readonly item: PlanListItem
  readonly plan: PlanDocument
}

/** The plans of a set, oldest first. */
type Chain = readonly [ListedPlan, ...ListedPlan[]]

/** The sets that plans form, the one that was added to last first. */
function chainsOf(plans: readonly ListedPlan[]): Chain[] {
  const chains = Map.groupBy(plans, ({ plan }) => plan.addsTo?.[0]?.planId ?? plan.id)
  return [...chains.values()].map((newestFirst) => newestFirst.toReversed() as unknown as Chain)
}

function newestOf(chain: Chain): ListedPlan {
  return chain.at(-1) ?? chain[0]
}

/** The ID of the first plan of a set, whether or not the catalog still has it. */
export function firstPlanOf({ plan }: ListedPlan): string {
  return plan.addsTo?.[0]?.planId ?? plan.id
}

/** True when a volume of the plan was built or written. */
function isMade({ item }: ListedPlan): boolean {
  return item.built + item.onMedia > 0
}

/** The plans that the catalog lists, by archive and set; those of no archive under null. */
function chainsByArchive(
  catalog: ArchiveCatalog,
  listed: readonly ListedPlan[],
): {
  readonly chains: ReadonlyMap<string | null, Chain[]>
  readonly kept: readonly ArchiveIntent[]
} {
  const noted = catalog.archives()
  const forgotten = new Set(noted.filter(({ isForgotten }) => isForgotten).map(({ intent }) => intent.id))
  const adopted = catalog.adoptedSets()
  const archiveOf = (chain: Chain): string | null => {
    const id =
      adopted.get(firstPlanOf(chain[0])) ??
      chain.findLast(({ plan }) => plan.project !== undefined)?.plan.project?.id ??
      null
    return id !== null && forgotten.has(id) ? null : id
  }
  return {
    chains: Map.groupBy(chainsOf(listed), archiveOf),
    kept: noted.flatMap(({ intent, isForgotten }) => (isForgotten ? [] : [intent])),
  }
}

/**
 * Every archive, and every set of none; what was added to last comes first.
 * @param listed the plans of the catalog, where they are at hand
 */
export function archiveRecords(
  catalog: ArchiveCatalog,
  listed: readonly ListedPlan[] = catalog.listedPlans(),
): ArchivesDocument {
  const { chains, kept } = chainsByArchive(catalog, listed)
  const places = catalog.archivePlaces(hostname())
  const placeOf = (id: string, source: string): string | undefined =>
    places.find((place) => place.archive === id && place.source === source)?.path
  const document = (intent: ArchiveIntent, ofIt: readonly Chain[], isDerived: boolean): ArchiveDocument => ({
    ...intent,
    isDerived,
    sources: intent.sources.map(({ name, path: usual }) => {
      const path = placeOf(intent.id, name) ?? usual
      return { name, path, isThere: existsSync(fsPath(path)) }
    }),
    sets: lastMadeFirst(ofIt).map(setOf),
  })
  const intents = new Map(kept.map((intent) => [intent.id, intent]))
  // The plan that was made last decides: chains come in that order.
  const withSets = [...chains].flatMap(([id, ofIt]) => {
    const [last] = ofIt
    if (id === null || !last) return []
    const intent = intents.get(id)
    return [document(intent ?? derivedIntent(id, ofIt, last), ofIt, intent === undefined)]
  })
  const withoutSets = kept.filter(({ id }) => !chains.has(id)).map((intent) => document(intent, [], false))
  return {
    schema: ARCHIVES_SCHEMA,
    archives: [...withSets, ...withoutSets],
    sets: (chains.get(null) ?? []).map(setOf),
  }
}

/** @throws AppError `not-found` */
export function archiveRecord(
  catalog: ArchiveCatalog,
  archiveId: string,
  listed?: readonly ListedPlan[],
): ArchiveDocument {
  const found = archiveRecords(catalog, listed).archives.find(({ id }) => id === archiveId)
  if (found) return found
  throw new AppError('not-found', said`no archive ${archiveId} in the catalog`)
}

/** Sets of which nothing was made come last: nothing can be added to them. */
function lastMadeFirst(chains: readonly Chain[]): readonly Chain[] {
  const [made, planned] = [
    chains.filter((chain) => chain.some(isMade)),
    chains.filter((chain) => !chain.some(isMade)),
  ]
  return [...made, ...planned]
}

function derivedIntent(id: string, chains: readonly Chain[], last: Chain): ArchiveIntent {
  const newest = newestOf(last)
  const { plan, item } = newest
  return intentOfPlan(plan, {
    id,
    name: plan.project?.name ?? id,
    createdWallMs: Math.min(...chains.map(([first]) => first.plan.createdWallMs)),
    folder: item.directory === null ? null : dirname(item.directory),
  })
}

function setOf(chain: Chain): ArchiveSet {
  const { plan } = newestOf(chain)
  return {
    id: firstPlanOf(chain[0]),
    mediumId: plan.medium.id,
    mediumName: plan.medium.name,
    option: plan.packing?.recipe ?? null,
    encryption: plan.packing?.encryption ?? 'none',
    newestMade: chain.findLast(isMade)?.plan.id ?? null,
    plans: chain.map(({ item }) => item),
  }
}
