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
import { typesAsIs } from '../../../domain/options/recipes/asIs'
import { additionRefusal } from '../../../domain/sets/growing/growthRefusal'
import { mediumAt } from '../../../domain/sets/mixedMedia'
import { isImageTarget, rockRidgeTarget } from '../../../domain/sets/naming/linkTargets'
import { nameBytes } from '../../../domain/sets/naming/nameBytes'
import { macNames, namesPreflight } from '../../../domain/sets/naming/names'
import { readerNames } from '../../../domain/sets/naming/readerNames'
import { labelPrefix } from '../../../domain/sets/naming/volumeLabels'
import { lastComponent, ownFolderName } from '../../../domain/sets/naming/volumePaths'
import { withEqualFiles } from '../../../domain/sets/packing/equalFiles'
import type { Assignment, InventoryItem } from '../../../domain/sets/packing/inventory'
import { listsProblem } from '../../../domain/sets/packing/listsShare'
import { checkPlan, planTotals } from '../../../domain/sets/packing/planTotals'
import { udfEntriesProblem } from '../../../domain/sets/packing/udfEntries'
import { type Placement, usableSectors } from '../../../domain/sets/placement'
import { discLists } from '../../../domain/sets/protection/discLists'
import { parityRoomProblem } from '../../../domain/sets/protection/parityRoom'
import { requireProtectable } from '../../../domain/sets/protection/protectable'
import { requireSetProtection } from '../../../domain/sets/protection/setParity'
import { mayLeaveOut } from '../../../domain/survey/rules/rules'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatCounted, formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import type { PlaceNotes } from '../../files/scratch'
import type { Job, JobContext } from '../../jobs/jobContext'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { mediaCatalogue } from '../../media/mediaCatalogue'
import { usualMemory } from '../../protection/usualMemory'
import { type SourceEntries, sourceEntries, topNames } from '../../survey/sourceEntries'
import type { History } from '../volume/historyLines'
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
import { laterTimes } from './laterTimes'
import { type Layout, layoutVolumes } from './layoutVolumes'
import { layoutWithParity } from './layoutWithParity'
import { packedLayout } from './packedLayout'
import {
  inPackingOrder,
  type PackedPlan,
  type PackingCatalog,
  packedPlan,
  packingGroups,
  partOf,
  planPacking,
} from './packedPlan'
import { EQUAL_FILES_ONCE, placedGroups, placedSource, requirePlaceable } from './placedSource'
import { PlanLines } from './planLines'
import { planProgress } from './planProgress'
import { protectionProblems } from './protectionProblems'
import { sourceOwnership } from './sourceOwnership'
import { masteringOf, partDigests, volumesOf } from './splitPartDigests'
import { timesOfPlan } from './timesOfPlan'

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

/** An archive of nothing cannot be made: names alone are recorded by plans of plain files. */
function requireNewContent(items: readonly InventoryItem[], recipe: string): void {
  if (items.some(({ bytes }) => bytes > 0)) return
  throw new AppError(
    'nothing-to-do',
    said`no content is new that could be packed as ${recipe}: nothing is lost, and the next volume with new content lists names, folders and links`,
  )
}

function requireContent(items: readonly InventoryItem[], recipe: string): void {
  if (items.some(({ bytes }) => bytes > 0)) return
  const isEmpty = items.every(({ path }) => path === '')
  const message = isEmpty
    ? said`the source has no files to plan`
    : said`cannot plan ${recipe}: no file of the source has content; plan it as plain files`
  throw new AppError('nothing-to-do', message)
}

async function makePlan(
  { catalog, ownershipOf = sourceOwnership }: Parameters<typeof planJob>[0],
  request: PlanRequest,
  context: JobContext,
): Promise<string> {
  const { signal } = context
  const medium = resolveMedium(mediaCatalogue, request.mediumId)
  const packed = packedPlan(request, medium)
  const media = firstMedia(request, medium, packed !== null)
  const isOnce = request.recipe === EQUAL_FILES_ONCE
  if (request.placement) requirePlaceable(request.placement, { medium, packed, recipe: request.recipe ?? '' })
  const isImage = medium.kind === 'image'
  const { protection, protectSet } = request
  if (protection !== undefined) requireProtectable(medium)
  if (protectSet)
    requireSetProtection({ mediumKind: medium.kind, isMixed: media.length > 0, isPacked: packed !== null })
  const survey = catalog.survey(request.surveyId)
  if (survey.partial) {
    throw new AppError('refused', said`cannot plan from survey ${survey.id}: it was stopped early`)
  }
  const earlier = await earlierPlan(request, catalog, context.clock.wallMs())
  if (earlier) requireAddable(earlier, packed)
  let source = sourceEntries(survey.roots, catalog.surveyEntries(survey.id))
  if (packed) requireContent(source.items, packed.name)
  let packing = packed && (await planPacking(catalog, survey, packed, source))
  const toHash = bytesToHash(source)
  const splitBytes = source.items
    .filter(({ kind, bytes }) => kind === 'file' && bytes > medium.capacityBytes)
    .reduce((sum, { bytes }) => sum + bytes, 0)
  const progress = planProgress(context, {
    hashing: toHash.bytes,
    entries: source.items.length,
    parts: packed ? 0 : splitBytes,
    isOfFolders: medium.kind === 'folder',
  })
  progress.owners()
  const { byEntry: ownership, created, problems: leftOut } = await ownershipOf(source, signal)
  source = { ...source, ownership, created, laterTimes: await laterTimes(source, signal) }
  const { placement, placing: placed } = request.placement
    ? placedSource(request.placement, source)
    : { placement: undefined, placing: undefined }
  let placing = placed
  const prefix =
    request.labelPrefix ?? earlier?.labelPrefix ?? labelPrefix(lastComponent(survey.roots[0] ?? ''))
  const packedOn = async (history?: History): Promise<Layout | null> => {
    if (!packed || !packing) return null
    const layout = await packedLayout({
      ...packed,
      source,
      medium,
      mostBytes: packing.image?.bytes ?? Math.ceil(packing.bytes.high),
      labelPrefix: prefix,
      placement,
      protection,
      placing,
      history,
      addsTo: earlier?.addsTo,
      signal,
    })
    requireOneImage(packed, survey, earlier !== null, layout.volumes.length)
    return layout
  }
  // A plan that cannot be packed is refused before the source is read for its digests.
  let packedVolumes = earlier ? null : await packedOn()
  const files = await fileDigests(
    source,
    signal,
    (digests, everyFile) => catalog.keepSha256(survey.id, digests, everyFile),
    (done) => progress.hashing([done.files, toHash.files], done.bytes, done.current),
  )
  const grown = earlier && grownSource(source, files, earlier, request.recordNames ?? false)
  if (grown) {
    if (packed && packing) {
      requireNewContent(grown.items, packed.name)
      packing = { ...packing, bytes: partOf(packing.bytes, source.items, grown.items) }
    }
    source = { ...source, items: grown.items }
    placing = placed && placingOf(placed, grown.items)
  }
  if (isOnce)
    source = {
      ...source,
      items: withEqualFiles(
        source.items,
        files,
        Math.floor(medium.capacityBytes / 2),
        placing && placedGroups(placing),
      ),
    }
  const problems = packing?.image
    ? macNames(source.items)
    : packed && packed.form.kind !== 'many'
      ? []
      : [
          ...namesPreflight(source.items, medium.kind),
          ...targetProblems(source, medium.kind),
          ...longNames(source, packed),
          ...(isImage ? readerNames(source.items) : []),
        ]
  const groups = packed ? packingGroups(catalog, survey.id, packed) : undefined
  const lines = new PlanLines(source, { files, packed: groups })
  const createdWallMs = context.clock.wallMs()
  // Images keep whole seconds.
  const volumeDateWallMs = Math.floor(createdWallMs / 1000) * 1000
  const start = {
    id: context.newId('p'),
    createdWallMs,
    roots: survey.roots,
    ...(survey.project && { project: survey.project }),
    ...(request.copies !== undefined && { copies: request.copies }),
    ...pricesOf(request, [medium, ...media.map((first) => first.medium)]),
    medium,
    ...(media.length > 0 ? { firstMedia: media } : {}),
    ...exclusionsOf(survey),
    ...(isOnce ? { equalFiles: 'once' as const } : {}),
    ...(request.language ? { language: request.language } : {}),
    ...(placement ? { placement } : {}),
    ...(protection === undefined ? {} : { protection }),
    ...(request.protectionMemoryBytes === undefined || protection === undefined
      ? {}
      : { protectionMemoryBytes: request.protectionMemoryBytes }),
    ...(protectSet ? { protectSet } : {}),
    ...discLists({ medium, protection, protectSet }),
    ...(earlier ? { addsTo: [...earlier.addsTo] } : {}),
    indexVersion: INDEX_VERSION,
  } as const
  const history = grown && earlier ? historyOf(start, earlier, grown) : undefined
  packedVolumes ??= await packedOn(history)
  const sized = { ...start, mastering: masteringOf(medium, volumeDateWallMs), history }
  const payloadName = ownFolderName(topNames(source.items))
  const laidOutOn = (on: Medium): Promise<Layout> =>
    layoutVolumes({
      notes: catalog,
      source,
      medium: on,
      firstMedia: media,
      mostVolumes: request.mostVolumes,
      plan: sized,
      placement: placing,
      payloadName,
      labelPrefix: prefix,
      lines,
      signal,
      onProgress: progress.layout,
    })
  const acrossDiscs = protectSet
    ? await layoutWithParity({
        plan: sized,
        medium,
        protectSet,
        labelPrefix: prefix,
        generation: earlier?.generation ?? 1,
        layOut: laidOutOn,
      })
    : null
  const layout = acrossDiscs?.layout ?? packedVolumes ?? (await laidOutOn(medium))
  requireLabelledThere(placement, layout.volumes.length)
  if (earlier) requireNewLabels(earlier, [...layout.volumes, ...(acrossDiscs?.parity ?? [])])
  if (isOnce && medium.kind === 'folder' && layout.volumes.length > 1) {
    throw new AppError(
      'refused',
      said`cannot plan ${EQUAL_FILES_ONCE} on ${layout.volumes.length} folders: what they are copied to may not keep hard links; plan one folder, discs or plain files`,
    )
  }
  checkPlan(
    source.items,
    layout.packing,
    layout.volumes.map(({ sectors }) => sectors),
    layout.packing.volumes.map(
      ({ bin }) => mediumAt(bin, acrossDiscs?.medium ?? medium, media).capacitySectors,
    ),
  )
  const parts = await partDigests(source, layout, signal, progress.parts)
  const inOrder = packed ? inPackingOrder(catalog, survey.id, packed) : (all: readonly Assignment[]) => all
  const entriesOf = (index: number): PlanEntry[] =>
    lines.of(inOrder(layout.packing.volumes[index - 1]?.assignments ?? []), parts)
  progress.timing()
  // The forecast of packing is of the whole source.
  const times =
    packed && earlier
      ? null
      : await timesOfPlan(
          catalog,
          survey,
          { medium, packed, layout, source, protection, parity: acrossDiscs?.parity ?? [] },
          signal,
        )
  const volumes = volumesOf(layout, medium, source.items, media)
  const totals = planTotals(source.items, layout.packing, layout.fewest)
  const document: PlanDocument = {
    schema: PLAN_SCHEMA,
    ...start,
    surveyId: survey.id,
    ...(packing ? { packing } : {}),
    ...(grown && earlier ? { growth: growthOf(grown, earlier, volumes.length) } : {}),
    totals,
    mastering: masteringOf(medium, volumeDateWallMs),
    volumes,
    ...(acrossDiscs ? { parity: acrossDiscs.parity } : {}),
    ...(times ? { times } : {}),
    problems: [
      ...problems,
      ...(earlier ? earlierNotes(earlier) : []),
      ...fewReaders(packed),
      ...leftOut,
      ...layout.packing.problems,
      ...listsProblem(volumes, medium.sectorBytes),
      ...(isImage && !packed && !acrossDiscs ? udfEntriesProblem(layout.packing, volumes, totals) : []),
      ...(acrossDiscs ? parityRoomProblem(medium, acrossDiscs.medium) : []),
      ...(packed
        ? []
        : protectionProblems(
            layout.volumes.map(({ label, sectors, protection: data }, at) => ({
              label,
              sectors,
              protection: data,
              room: usableSectors(mediumAt(layout.packing.volumes[at]?.bin ?? 0, medium, media), placement),
            })),
            protection,
            request.protectionMemoryBytes ?? usualMemory(),
          )),
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

/** mksquashfs takes rules for types only with whole folders, not with a part of their files. */
function requireOneImage(
  packed: PackedPlan | null,
  survey: SurveyDocument,
  isAdded: boolean,
  volumes: number,
): void {
  if (packed?.recipe.family !== 'squashfs' || typesAsIs(packed.recipe).length === 0) return
  if (isAdded) {
    throw new AppError(
      'refused',
      said`cannot plan ${packed.name}: mksquashfs stores types as they are only in an image of whole folders, and earlier plans keep files of them; choose another option, or plan everything anew`,
    )
  }
  if (mayLeaveOut(survey)) {
    throw new AppError(
      'refused',
      said`cannot plan ${packed.name}: mksquashfs stores types as they are only in an image of whole folders, and rules leave files out; choose another option`,
    )
  }
  if (packed.isJoined || volumes === 1) return
  throw new AppError(
    'refused',
    said`cannot plan ${packed.name} on ${volumes} volumes: mksquashfs stores types as they are only in one image of everything; choose another option, a larger medium or --joined`,
  )
}

/**
 * The most bytes that compressed files have at the end of their names, after the name of the source
 * file.
 */
const LONGEST_ENDING = 4
const LONGEST_NAME = 255

/** Each compressed file has its own name and an ending, and no system keeps longer names. */
function longNames(source: SourceEntries, packed: PackedPlan | null): PlanDocument['problems'] {
  if (packed?.recipe.family !== 'compressed-files') return []
  return source.items.flatMap(({ path, kind }) => {
    const length = nameBytes(path.slice(path.lastIndexOf('/') + 1))
    if (kind !== 'file' || length <= LONGEST_NAME - LONGEST_ENDING) return []
    const message = said`the name of ${pathForDisplay(path)} has ${length} bytes, too many for an ending such as .zst; choose 7z or plain files`
    return [{ code: 'name-too-long', message, path, blocking: true }]
  })
}

/**
 * Links whose targets an image cannot hold: those that are too long are in the index alone, and of
 * the others doubled or trailing slashes are lost, which changes nothing of what the link means.
 * Restoring puts both back from the index.
 */
function targetProblems(source: SourceEntries, kind: Medium['kind']): PlanDocument['problems'] {
  if (kind === 'folder') return []
  return source.items.flatMap(({ index, path }) => {
    const target = source.entries.get(index)?.linkTarget ?? ''
    if (!isImageTarget(target)) {
      const message = said`the target of the link ${pathForDisplay(path)} is too long for an image: the link is in the index alone, and restored from it`
      return [{ code: 'target-too-long', message, path, blocking: false }]
    }
    if (rockRidgeTarget(target) === target) return []
    const message = said`the target of the link ${pathForDisplay(path)} loses its doubled or trailing slashes`
    return [{ code: 'target-tidied', message, path, blocking: false }]
  })
}

/** A note where the set is of images that hardly anything else opens. */
function fewReaders(packed: PackedPlan | null): PlanDocument['problems'] {
  if (packed === null || packed.name !== 'udzo' || packed.encryption === 'none') return []
  const message = said`only Stowage and a Mac open encrypted UDZO images, and RESTORE.sh cannot unpack them; choose 7z for other systems`
  return [{ code: 'encrypted-udzo', message, blocking: false }]
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
