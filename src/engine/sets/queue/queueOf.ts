/**
 * The room `queue` says which discs to fetch, in which order, and what they give.
 * How: from the index of a set and the copies that the catalog knows, the fewest volumes that hold
 * what is wanted.
 * Not here: restoring from them (`restore`).
 */

import type { PlanDocument } from '../../../contract/dto/plan'
import type { QueueRequest } from '../../../contract/dto/restoreQueue'
import { QUEUE_SCHEMA, type RestoreQueue } from '../../../domain/sets/queue/queueDocument'
import { type OfferedVolume, restoreQueue, type WantedFile } from '../../../domain/sets/queue/restoreQueue'
import type { Way } from '../../../domain/sets/queue/volumeCover'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { lstatAt } from '../../files/fileSystem'
import type { PlaceNotes } from '../../files/scratch'
import { type CopyCatalog, knownCopies } from '../copies/knownCopies'
import { openWholeSet } from '../restore/openWholeSet'
import { numbersAtHand } from '../restore/restorePlan'
import { notListed, type Wanted, wantedOf } from '../restore/wantedFiles'
import { planIndex } from '../volume/lists/planIndex'
import type { IndexRow } from '../volume/lists/setIndex'
import { readmeFacts, readmeOf } from '../volume/open/givenVolumes'
import { openPlanFolder } from '../volume/planned/planFolder'
import { catalogSet } from './catalogSet'
import { notYetRestored } from './notYetRestored'
import { type OfferedSet, offerVolumes } from './offeredVolumes'
import { waysToRestore } from './waysToRestore'

type QueueCatalog = CopyCatalog & Pick<Catalog, 'plan' | 'planEntries' | 'planHistory' | 'planVolumeLabels'>

interface QueueDeps {
  readonly catalog: QueueCatalog
  readonly notes: PlaceNotes
  readonly nowWallMs: number
  readonly signal: AbortSignal
}

/**
 * The fewest volumes for the wanted files, with the copy of each to fetch, in the order in which to
 * give them. The set is that of given volumes or of a plan's folder; without any, those of plans of
 * the catalog, of which no volume need be at hand. A file that several of these have under the same
 * path, with the same content, comes from any of them.
 * @throws AppError as `openWholeSet` and `wantedOf`; `not-found` for a plan that does not exist
 */
export async function queueOf(request: QueueRequest, deps: QueueDeps): Promise<RestoreQueue> {
  const { catalog, nowWallMs } = deps
  const sets = request.volumes.length > 0 ? [await givenSet(request, deps)] : catalogSets(request, catalog)
  const given = givenBefore(request)
  const facts = { catalog, copies: knownCopies(catalog, nowWallMs), given, without: request.without }
  const offered: OfferedVolume[] = []
  const files = new Map<string, WantedFile>()
  const lackingWays: Way[] = []
  let nowhere: readonly string[] | null = null
  for (const set of sets) {
    const volumes = offerVolumes(set, facts, offered)
    const missing = new Set<string>()
    const wanted = wantedOf(set.index, request, missing)
    const lacking = await lackingFiles(request, wanted, set.index.rows, deps)
    nowhere = [...missing].filter((name) => nowhere?.includes(name) ?? true)
    const contents = wanted.files.map((file) =>
      'whole' in file ? file.whole.sha256 : wholeSha256(file.parts),
    )
    for (const [at, file] of waysToRestore(set.index.rows, wanted.files, volumes).entries()) {
      const key = `${contents[at]} ${file.path}`
      const known = files.get(key)
      files.set(key, known ? { ...known, ways: [...known.ways, ...file.ways] } : file)
      if (lacking.has(file.path)) lackingWays.push(...file.ways)
    }
  }
  takeBack(lackingWays, offered)
  if (nowhere !== null && nowhere.length > 0) throw notListed(nowhere)
  const mayBeNewer = sets.flatMap((set) => set.mayBeNewer ?? [])
  return {
    schema: QUEUE_SCHEMA,
    atWallMs: nowWallMs,
    ...restoreQueue([...files.values()], offered, request.limit, request.near),
    ...(mayBeNewer.length > 0 && { mayBeNewer }),
  }
}

/** The labels of volumes that were given; none where the target of an earlier day is gone. */
function givenBefore({ given, to, resumes }: QueueRequest): readonly string[] {
  return resumes && to !== undefined && !lstatAt(to)?.isDirectory() ? [] : given
}

/** Paths of wanted files that the target of an earlier day lacks; none for a queue that begins. */
async function lackingFiles(
  request: QueueRequest,
  wanted: Wanted,
  rows: readonly IndexRow[],
  deps: QueueDeps,
): Promise<ReadonlySet<string>> {
  const { to, resumes } = request
  if (!resumes || to === undefined || givenBefore(request).length === 0) return new Set()
  const files = await notYetRestored(to, wanted, rows, deps)
  return new Set(files.map(({ path }) => path))
}

/**
 * Volumes that would have restored what is lacking count as not given. A file in parts is lacking
 * until all of its volumes are given: till then those of the others wait in the target.
 */
function takeBack(lacking: readonly Way[], offered: OfferedVolume[]): void {
  const back = new Set(lacking.filter((way) => way.every((at) => offered[at]?.isGiven)).flat())
  for (const at of back) {
    const volume = offered[at]
    if (volume) offered[at] = { ...volume, isGiven: false }
  }
}

function wholeSha256(parts: readonly { readonly wholeSha256: string }[]): string {
  return parts[0]?.wholeSha256 ?? ''
}

/** The set that given volumes are of, or the one whose plan's folder was given. */
async function givenSet(
  { volumes: paths, password, asOf }: QueueRequest,
  { notes, catalog, signal }: QueueDeps,
): Promise<OfferedSet> {
  const plan = await planIn(paths)
  try {
    const set = await openWholeSet({ volumes: [...paths], password, asOf }, { notes, catalog, signal })
    const [first] = set.volumes
    const { planId } = readmeFacts(first ? await readmeOf(first, first.own) : '')
    const given = new Map<number, string>()
    for (const [volume, number] of await numbersAtHand(set.volumes)) given.set(number, volume.path)
    return { ...set, planId: plan?.id ?? planId, plan, given }
  } catch (thrown) {
    const { code } = AppError.from(thrown)
    const found = code === 'not-found' ? await planIndex(paths[0] ?? '', asOf) : null
    if (found === null) throw thrown
    return { ...found, planId: found.plan.id, given: new Map() }
  }
}

async function planIn(paths: readonly string[]): Promise<OfferedSet['plan']> {
  for (const path of paths) {
    const opened = await openPlanFolder(path).catch(() => null)
    if (opened) return opened.plan
  }
  return null
}

/** The sets of the named plans; else of all plans, but for those that a later one adds to. */
function catalogSets({ planIds, asOf }: QueueRequest, catalog: QueueCatalog): OfferedSet[] {
  const plans = (planIds.length > 0 ? planIds : catalog.plans().map(({ id }) => id)).map((id) =>
    catalog.plan(id),
  )
  const earlier = new Set(
    planIds.length > 0 ? [] : plans.flatMap(({ addsTo = [] }) => addsTo.map(({ planId }) => planId)),
  )
  const newest = plans.filter(({ id }) => !earlier.has(id))
  if (newest.length === 0) throw new AppError('refused', said`the catalog has no plan`)
  return newest.map((plan) => offeredSet(plan, catalog, asOf))
}

function offeredSet(plan: PlanDocument, catalog: QueueCatalog, asOf: string | undefined): OfferedSet {
  return { ...catalogSet(plan, catalog, asOf), planId: plan.id, plan, given: new Map() }
}
