/**
 * The room `plan` makes a plan of a survey: which file goes on which volume.
 * How: a kind of plans (`kinds/`) answers for layout, lines, problems and times; growth and parity
 * are the same for all kinds. The job reads from the request to the document.
 * Not here: the folder of the plan (`export`), making archives (`pack`), packing as such (domain).
 */

import {
  INDEX_VERSION,
  PLAN_SCHEMA,
  type PlanDocument,
  type PlanEntry,
  type PlanRequest,
} from '../../../contract/dto/plan'
import type { SurveyDocument } from '../../../contract/dto/survey'
import type { Medium } from '../../../domain/media/medium'
import { priceOfMedium } from '../../../domain/media/price'
import { resolveMedium } from '../../../domain/media/resolveMedium'
import { additionRefusal } from '../../../domain/sets/growing/growthRefusal'
import { mediumAt } from '../../../domain/sets/mixedMedia'
import { labelPrefix } from '../../../domain/sets/naming/volumeLabels'
import { lastComponent, ownFolderName } from '../../../domain/sets/naming/volumePaths'
import { listsProblem } from '../../../domain/sets/packing/listsShare'
import { checkPlan, planTotals } from '../../../domain/sets/packing/planTotals'
import type { Placement } from '../../../domain/sets/placement'
import { discLists } from '../../../domain/sets/protection/discLists'
import { parityRoomProblem } from '../../../domain/sets/protection/parityRoom'
import { requireProtectable } from '../../../domain/sets/protection/protectable'
import { type ParityDisc, requireSetProtection } from '../../../domain/sets/protection/setParity'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatCounted, formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import type { PlaceNotes } from '../../files/scratch'
import type { Job, JobContext } from '../../jobs/jobContext'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { mediaCatalogue } from '../../media/mediaCatalogue'
import { type SourceEntries, sourceEntries, topNames } from '../../survey/sourceEntries'
import type { BurnsCatalog } from './earlierBurns'
import { type EarlierCatalog, earlierPlan, type OpenedEarlier } from './earlierPlan'
import { bytesToHash, fileDigests } from './fileDigests'
import { firstMedia } from './firstMedia'
import {
  earlierNotes,
  grownSource,
  growthOf,
  historyOf,
  placingOf,
  requireNewLabels,
  storedLines,
} from './grownPlan'
import { packedKind } from './kinds/packedKind'
import { plainKind } from './kinds/plainKind'
import type { AskedPlan, Laying, PlacedContent, PlanKind } from './kinds/planKind'
import { laterTimes } from './laterTimes'
import type { Layout } from './layoutVolumes'
import { layoutWithParity } from './layoutWithParity'
import { type PackedPlan, type PackingCatalog, packedPlan } from './packedPlan'
import { placedSource, requirePlaceable } from './placedSource'
import { planProgress } from './planProgress'
import { sourceOwnership } from './sourceOwnership'
import { masteringOf, partDigests, volumesOf } from './splitPartDigests'

type PlanCatalog = Pick<Catalog, 'survey' | 'surveyEntries' | 'keepSha256' | 'savePlan'> &
  PackingCatalog &
  EarlierCatalog &
  BurnsCatalog &
  PlaceNotes

/**
 * Makes a plan of a survey: every file with its SHA-256 on volumes that fit to the sector, parts of
 * split files hashed. Stores it in the catalog and gives its id. Sources are read only for digests
 * that the survey does not have, which are kept with the survey: the next plan of it does not read
 * them again. The job throws `not-found`, `refused` for a survey that was cancelled, `changed` and
 * `vanished` when the source is no longer what was surveyed, `cannot-fit`, `nothing-to-do`,
 * `tool-missing`, `cancelled`, …
 */
export function planJob(
  deps: {
    catalog: PlanCatalog
    /** The source's, as the system says, if not given. */
    ownershipOf?: typeof sourceOwnership
  },
  request: PlanRequest,
): Job {
  return {
    kind: 'plan',
    title: `Plan for ${request.mediumId}`,
    run: (context) => makePlan(deps, request, context),
  }
}

/** @throws AppError `refused` for files that are packed so that they cannot be added */
function requireAddable(earlier: OpenedEarlier, packed: PackedPlan | null): void {
  const because = additionRefusal(packed, earlier)
  if (because === null) return
  const planId = earlier.addsTo.at(-1)?.planId ?? ''
  throw new AppError(
    'refused',
    said`cannot add to plan ${planId} as ${packed?.name ?? 'plain'}: ${because}; choose another option, or plan everything anew`,
  )
}

async function makePlan(
  { catalog, ownershipOf = sourceOwnership }: Parameters<typeof planJob>[0],
  request: PlanRequest,
  context: JobContext,
): Promise<string> {
  const { signal } = context
  const wanted = wantedPlan(request)
  const survey = wholeSurvey(catalog, request.surveyId)
  const earlier = await earlierPlan(request, catalog, context.clock.wallMs())
  if (earlier) requireAddable(earlier, wanted.packed)
  const labelled = request.labelPrefix ?? earlier?.labelPrefix
  const asked = {
    ...wanted,
    survey,
    earlier,
    labelPrefix: labelled ?? labelPrefix(lastComponent(survey.roots[0] ?? '')),
    catalog,
    signal,
  }
  const surveyed = sourceEntries(survey.roots, catalog.surveyEntries(survey.id))
  const whole = await kindOf(asked, surveyed)
  const toHash = bytesToHash(surveyed)
  const progress = planProgress(context, progressed(asked, whole, surveyed, toHash.bytes))
  progress.owners()
  const owned = await withOwners(surveyed, ownershipOf, signal)
  const placed = { ...placedBy(request.placement, owned.source), source: owned.source }
  // A plan that cannot be packed is refused before the source is read for its digests.
  const early = earlier ? null : await whole.layout.beforeDigests(placed, asked.medium)
  const files = await fileDigests(
    placed.source,
    signal,
    (digests, everyFile) => catalog.keepSha256(survey.id, digests, everyFile),
    (done) => progress.hashing([done.files, toHash.files], done.bytes, done.current),
  )
  const grown = earlier && grownSource(placed.source, files, earlier, request.recordNames ?? false)
  const kind = grown ? whole.ofNew(grown.items, placed.source.items) : whole
  const added = grown ? withItems(placed, grown.items) : placed
  const content = { ...added, source: { ...added.source, items: kind.items(added, files) } }
  const start = startOf(asked, kind, content.placement, context)
  const history = grown && earlier ? historyOf(start, earlier, grown) : undefined
  const lines = kind.lines.of(content.source, files)
  const { layout, parity, medium } = await laidOut(asked, kind, content, early, {
    plan: { ...start, history },
    payloadName: ownFolderName(topNames(content.source.items)),
    lines,
    onProgress: progress.layout,
  })
  requireLabelledThere(content.placement, layout.volumes.length)
  if (earlier) requireNewLabels(earlier, [...layout.volumes, ...parity])
  requireFitting(content.source, layout, medium, asked.media)
  const parts = await partDigests(content.source, layout, signal, progress.parts)
  const inOrder = kind.lines.inOrder()
  const entriesOf = (index: number): PlanEntry[] =>
    lines.of(inOrder(layout.packing.volumes[index - 1]?.assignments ?? []), parts)
  progress.timing()
  const times = await kind.times(layout, content.source, parity)
  const sized = {
    ...start,
    ...(layout.filledBy && { filledBy: layout.filledBy }),
    ...(layout.romSets && { romSets: layout.romSets }),
    totals: planTotals(content.source.items, layout.packing, layout.fewest),
    volumes: volumesOf(layout, asked.medium, content.source.items, asked.media),
    ...(parity.length > 0 ? { parity } : {}),
  }
  const document: PlanDocument = {
    schema: PLAN_SCHEMA,
    ...sized,
    ...kind.facts,
    surveyId: survey.id,
    ...(grown && earlier ? { growth: growthOf(grown, earlier, sized.volumes.length) } : {}),
    ...(times ? { times } : {}),
    problems: [
      ...kind.problems.ofNames(content.source),
      ...(earlier ? earlierNotes(earlier) : []),
      ...owned.problems,
      ...layout.packing.problems,
      ...listsProblem(sized.volumes, asked.medium.sectorBytes),
      ...(parity.length > 0 ? parityRoomProblem(asked.medium, medium) : []),
      ...kind.problems.ofVolumes(layout, sized),
      ...skippedProblem(survey.totals.skipped),
      ...ownFolderNotes(survey),
    ],
  }
  throwIfAborted(signal)
  catalog.savePlan(
    document,
    document.volumes.map(({ index }) => ({ index, entries: entriesOf(index) })),
    request.forExport,
    history && storedLines(history, document, entriesOf),
  )
  return document.id
}

/** The facts that a request asks for. @throws AppError `refused`, before anything is read */
function wantedPlan(request: PlanRequest): WantedPlan {
  const medium = resolveMedium(mediaCatalogue, request.mediumId)
  const packed = packedPlan(request, medium)
  const media = firstMedia(request, medium, packed !== null)
  const { placement, protection, protectSet, recipe = '' } = request
  if (placement) requirePlaceable(placement, { medium, packed, recipe })
  if (protection !== undefined) requireProtectable(medium)
  if (protectSet)
    requireSetProtection({ mediumKind: medium.kind, isMixed: media.length > 0, isPacked: packed !== null })
  return { request, medium, media, packed }
}

type WantedPlan = Pick<AskedPlan, 'request' | 'medium' | 'media'> & { readonly packed: PackedPlan | null }

/** @throws AppError `not-found`, `refused` for a survey that was stopped */
function wholeSurvey(catalog: Pick<PlanCatalog, 'survey'>, surveyId: string): SurveyDocument {
  const survey = catalog.survey(surveyId)
  if (!survey.partial) return survey
  throw new AppError('refused', said`cannot plan from survey ${survey.id}: it was stopped early`)
}

function kindOf(asked: AskedPlan & WantedPlan, surveyed: SourceEntries): Promise<PlanKind> {
  return asked.packed ? packedKind(asked, asked.packed, surveyed) : Promise.resolve(plainKind(asked))
}

/** The amounts of work of a plan, for its progress. */
function progressed(
  { medium }: AskedPlan,
  { splitsFiles }: PlanKind,
  { items }: SourceEntries,
  hashing: number,
): Parameters<typeof planProgress>[1] {
  const split = items.filter(({ kind, bytes }) => kind === 'file' && bytes > medium.capacityBytes)
  return {
    hashing,
    entries: items.length,
    parts: splitsFiles ? split.reduce((sum, { bytes }) => sum + bytes, 0) : 0,
    isOfFolders: medium.kind === 'folder',
  }
}

/** A source with its owners and times, and what of them cannot be kept. */
async function withOwners(
  source: SourceEntries,
  ownershipOf: typeof sourceOwnership,
  signal: AbortSignal,
): Promise<{ source: SourceEntries; problems: readonly PlanDocument['problems'][number][] }> {
  const { byEntry: ownership, created, problems } = await ownershipOf(source, signal)
  return { source: { ...source, ownership, created, laterTimes: await laterTimes(source, signal) }, problems }
}

function placedBy(
  placement: PlanRequest['placement'],
  source: SourceEntries,
): Pick<PlacedContent, 'placement' | 'placing'> {
  return placement ? placedSource(placement, source) : { placement: undefined, placing: undefined }
}

/** The part of a source that is new, with the constraints on it. */
function withItems(placed: PlacedContent, items: PlacedContent['source']['items']): PlacedContent {
  const { source, placing } = placed
  return { ...placed, source: { ...source, items }, placing: placing && placingOf(placing, items) }
}

/** The facts of a plan that do not depend on its volumes. */
function startOf(
  { request, medium, media, survey, earlier }: AskedPlan,
  { facts: { equalFiles } }: PlanKind,
  placement: Placement | undefined,
  context: JobContext,
) {
  const createdWallMs = context.clock.wallMs()
  const { protection, protectSet, protectionMemoryBytes } = request
  return {
    id: context.newId('p'),
    createdWallMs,
    roots: survey.roots,
    ...projectOf(request, survey, context),
    ...(request.copies !== undefined && { copies: request.copies }),
    ...pricesOf(request, [medium, ...media.map((first) => first.medium)]),
    medium,
    ...(media.length > 0 ? { firstMedia: media } : {}),
    ...exclusionsOf(survey),
    ...(equalFiles && { equalFiles }),
    ...(request.language ? { language: request.language } : {}),
    ...(placement ? { placement } : {}),
    ...(protection === undefined ? {} : { protection }),
    ...(protectionMemoryBytes === undefined || protection === undefined ? {} : { protectionMemoryBytes }),
    ...(protectSet ? { protectSet } : {}),
    ...discLists({ medium, protection, protectSet }),
    ...(earlier ? { addsTo: [...earlier.addsTo] } : {}),
    indexVersion: INDEX_VERSION,
    // Images keep whole seconds.
    mastering: masteringOf(medium, Math.floor(createdWallMs / 1000) * 1000),
  } as const
}

/**
 * The volumes of a plan; with parity those that leave room for it.
 * @param early its layout, where it is known already
 */
async function laidOut(
  { request: { protectSet }, medium, earlier, labelPrefix: prefix }: AskedPlan,
  kind: PlanKind,
  content: PlacedContent,
  early: Layout | null,
  laying: Omit<Laying, 'medium'>,
): Promise<{ layout: Layout; parity: ParityDisc[]; medium: Medium }> {
  const layOut = (on: Medium): Promise<Layout> => kind.layout.layOut(content, { ...laying, medium: on })
  if (!protectSet) return { layout: early ?? (await layOut(medium)), parity: [], medium }
  const generation = earlier?.generation ?? 1
  return layoutWithParity({ plan: laying.plan, medium, protectSet, labelPrefix: prefix, generation, layOut })
}

/** @throws AppError `internal` for volumes that hold something twice, nothing, or too much */
function requireFitting(
  { items }: SourceEntries,
  { packing, volumes }: Layout,
  medium: Medium,
  media: AskedPlan['media'],
): void {
  checkPlan(
    items,
    packing,
    volumes.map(({ sectors }) => sectors),
    packing.volumes.map(({ bin }) => mediumAt(bin, medium, media).capacitySectors),
  )
}

function projectOf(
  { project, beginsArchive }: PlanRequest,
  survey: Pick<SurveyDocument, 'project'>,
  context: JobContext,
): Pick<PlanDocument, 'project'> {
  const named = project ?? survey.project
  if (named) return { project: named }
  return beginsArchive === undefined ? {} : { project: { id: context.newId('pr'), name: beginsArchive } }
}

/** The prices of a plan's media, of all that the person has noted. */
function pricesOf({ prices = [] }: PlanRequest, media: readonly Medium[]): Pick<PlanDocument, 'prices'> {
  const used = new Set(media.flatMap(({ id }) => priceOfMedium(prices, id) ?? []))
  return used.size === 0 ? {} : { prices: [...used] }
}

function requireLabelledThere({ labels = [] }: Placement = {}, volumes: number): void {
  const beyond = labels.find(({ volume }) => volume > volumes)
  if (!beyond) return
  const message = said`cannot label volume ${beyond.volume}: the plan has ${formatCounted(volumes, 'volume')}`
  throw new AppError('refused', message)
}

function skippedProblem(skipped: number): PlanDocument['problems'] {
  if (skipped === 0) return []
  const paths = formatCounted(skipped, 'path')
  const message =
    skipped === 1
      ? said`${paths} could not be read and is on no volume`
      : said`${paths} could not be read and are on no volume`
  return [{ code: 'survey-skips', message, blocking: false }]
}

/** The rules of the survey, and what they left out; the plan looks at nothing of it. */
function exclusionsOf({ rules, excluded }: SurveyDocument): Pick<PlanDocument, 'rules' | 'excluded'> {
  if (!excluded || excluded.rules.length === 0) return rules ? { rules } : {}
  const { files, bytes, folders, counted, rules: counts } = excluded
  return { ...(rules && { rules }), excluded: { files, bytes, folders, counted, rules: counts } }
}

/** A note for each of Stowage's own folders in the source: no volume holds them. */
function ownFolderNotes({ leftOut = [] }: SurveyDocument): PlanDocument['problems'] {
  return leftOut.map(({ path, files, bytes }) => ({
    code: 'own-folder',
    message: said`${pathForDisplay(path)} is Stowage's own and on no volume (${formatCounted(files, 'file')}, ${formatSize(bytes)})`,
    path,
    blocking: false,
  }))
}
