import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Medium } from '../../../domain/media/medium'
import type { FirstMedia } from '../../../domain/sets/mixedMedia'
import { mediumAt } from '../../../domain/sets/mixedMedia'
import { ISO_MAX_FILE_BYTES } from '../../../domain/sets/naming/names'
import { labelsByYear, volumeLabels } from '../../../domain/sets/naming/volumeLabels'
import { fullAllowances, tightenAllowances } from '../../../domain/sets/packing/allowances'
import { type CostModel, costsOf } from '../../../domain/sets/packing/costModel'
import { yearSpan, yearsOn } from '../../../domain/sets/packing/datesOfVolumes'
import { packedIfPossible, sharePackings, takesNoMore } from '../../../domain/sets/packing/fillShares'
import { type GroupOf, withGroupsTogether } from '../../../domain/sets/packing/groupsTogether'
import type { InventoryItem, Packing } from '../../../domain/sets/packing/inventory'
import {
  type OrderedPacking,
  orderedPacking,
  packedInOrder,
  type UsualOrder,
  withOrder,
} from '../../../domain/sets/packing/orderedPacking'
import { type PackingOptions, packVolumes } from '../../../domain/sets/packing/packVolumes'
import type { PackingPlacement } from '../../../domain/sets/packing/placedTrees'
import { type FilledBy, type LabelBy, type Placement, usableSectors } from '../../../domain/sets/placement'
import type { EarlierPlan, PlanDocument } from '../../../domain/sets/planDocument'
import { INDEX_VERSION } from '../../../domain/sets/planDocument'
import { dataSectors } from '../../../domain/sets/protection/dataSectors'
import { describedFileBytes } from '../../../domain/sets/protection/recoverySets'
import type { Protection, VolumeProtection } from '../../../domain/sets/protection/volumeProtection'
import { isWorthFilling } from '../../../domain/sets/protection/worthFilling'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { type PlaceNotes, withSystemTempFolder } from '../../files/scratch'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { modifiedMs, type SourceEntries } from '../../survey/sourceEntries'
import { scriptAndTextBytes } from '../export/volumeTexts'
import { type PackedLists, writeSizedFiles } from '../export/writeVolumes'
import { imageSectors } from '../mastering/writeImage'
import { indexTsvBytes } from '../volume/lists/indexTsv'
import type { PlanBeforeSizing } from '../volume/lists/planBeforeSizing'
import { UNKNOWN_SHA256 } from '../volume/lists/sha256Sums'
import { type PlannedVolume, plannedVolumes } from '../volume/planned/plannedVolume'
import type { PlanLines } from './planLines'
import { protectVolumes } from './protectVolumes'

interface LayoutRequest {
  readonly notes: PlaceNotes
  readonly source: SourceEntries
  readonly medium: Medium
  readonly firstMedia?: FirstMedia
  readonly mostVolumes?: number | undefined
  /** Labels and reserve are those of its placement, and recovery data that of its protection. */
  readonly plan: PlanBeforeSizing
  /** The part of its placement that decides where files lie; absent where it does not. */
  readonly placement?: PackingPlacement | undefined
  /** The groups of files that share a volume where that costs no further one; absent for none. */
  readonly groupOf?: GroupOf | undefined
  readonly payloadName: string
  readonly labelPrefix: string
  readonly lines: PlanLines
  readonly packed?: PackedLists
  readonly signal: AbortSignal
  /** Packing round from 1; the volume being sized (0 while packing) and how many there are. */
  readonly onProgress: (round: number, sized: number, volumes: number) => void
}

/** Volumes that fit, with what they hold and how large each is. */
export interface Layout {
  readonly packing: Packing
  readonly volumes: readonly {
    readonly index: number
    readonly label: string
    /** Exact for images, by their layout; for folders by the cost model. */
    readonly sectors: number
    /** Bytes of the files that Stowage adds. */
    readonly payloadBytes: number
    readonly protection?: VolumeProtection
  }[]
  /** Volumes without the placement, where there is one. */
  readonly fewest?: number
  /** The order of filling, where the person chose none and it was looked for. */
  readonly filledBy?: FilledBy
  /** The ROM sets of a survey that DATs grouped. */
  readonly romSets?: PlanDocument['romSets']
}

/**
 * Packs the source and lays out the image of every volume with the very files that will be on it,
 * until all fit to the sector. Volumes that are filled up with recovery data
 * have the largest share each that costs no further volume; where none does, what is free after
 * packing as without. Groups of files are on one volume each where that costs none. Nothing but a
 * temporary folder is written.
 * @throws AppError `cannot-fit`, `nothing-to-do`, `cancelled`, `tool-failed`, …
 */
export async function layoutVolumes(request: LayoutRequest): Promise<Layout> {
  const { source, plan, placement } = request
  const unplaced = plainPacking({
    ...request,
    placement: plan.placement,
    protection: plan.protection,
  })
  const options: PackingOptions = { ...unplaced, ...(placement && { placement }) }
  const rounds = roundsOf(request)
  rounds.next()
  const packing = packVolumes(source.items, options)
  if (packing.volumes.length === 0) throw new AppError('nothing-to-do', said`the source has no files to plan`)
  const layout = await withSystemTempFolder(request.notes, 'plan', async (directory) => {
    const on: Attempts = { request, directory, rounds }
    const together = await layoutTogether(on, { options, packing })
    if (together) return together
    const apart = await layoutAs(on, { options, packing }, fittingLayout)
    // Sizes of images may take a further volume anyway.
    const isLarger = !takesNoMore(apart.packing, packing, options)
    return (isLarger ? await layoutTogether(on, { options, packing: apart.packing }) : null) ?? apart
  })
  return { ...layout, ...(placement && fewestWithout(source.items, unplaced, layout.packing)) }
}

/**
 * The layout with as many groups together as take no more volumes than a packing without.
 * @returns null where none can be, and where there are none
 */
async function layoutTogether(on: Attempts, { options, packing: plain }: Attempt): Promise<Layout | null> {
  const { source, groupOf } = on.request
  if (!groupOf || plain.volumes.length < 2) return null
  for (const items of withGroupsTogether(source.items, groupOf, options.placement?.pins)) {
    const packing = packedIfPossible(items, options)
    if (packing === null || !takesNoMore(packing, plain, options)) continue
    const request = { ...on.request, source: { ...source, items } }
    const layout = await layoutAs({ ...on, request }, { options, packing, atMost: plain }, layoutIfPossible)
    // How few volumes there could be is a matter of the files alone.
    const { lowerBoundVolumes, leastBytes } = plain
    if (layout) return { ...layout, packing: { ...layout.packing, lowerBoundVolumes, leastBytes } }
  }
  return null
}

/** With recovery data and in an order where that costs nothing, else as `last` lays it out. */
async function layoutAs<L extends Layout | null>(
  on: Attempts,
  attempt: Attempt,
  last: (on: Attempts, attempt: Attempt) => Promise<L>,
): Promise<Layout | L> {
  const { source, plan } = on.request
  const { options, packing } = attempt
  const dateOf = (index: number): number => modifiedMs(source, index)
  const isOrderable = packing.volumes.length > 1 && hasUsualOrder(plan)
  const ordered = isOrderable ? orderedPacking(source.items, packing, options, dateOf) : null
  const layout =
    (plan.protection === 'fill' ? await layoutWithShare(on, { options, packing }, ordered) : null) ??
    (ordered && (await orderedLayout(on, { ...ordered, atMost: packing }))) ??
    (await last(on, attempt))
  return layout && isOrderable ? { filledBy: 'size', ...layout } : layout
}

/**
 * True for a plan that may be filled in an order though the person chose none: archives move while
 * they are built, and equal files lie where the first of them does.
 */
function hasUsualOrder({ placement, packing, equalFiles }: PlanBeforeSizing): boolean {
  return placement?.order === undefined && packing === undefined && equalFiles === undefined
}

/** Lays the same source out, maybe several times, in a folder of its own for each round. */
interface Attempts {
  readonly request: LayoutRequest
  /** A temporary folder. */
  readonly directory: string
  readonly rounds: Rounds
}

/** The rounds of packing and sizing, counted from 1. */
interface Rounds {
  next(): void
  number(): number
}

function roundsOf({ signal, onProgress }: Pick<LayoutRequest, 'signal' | 'onProgress'>): Rounds {
  let round = 0
  return {
    next() {
      throwIfAborted(signal)
      round += 1
      onProgress(round, 0, 0)
    },
    number: () => round,
  }
}

/** A first packing, by the cost model alone. */
interface Attempt {
  readonly options: PackingOptions
  readonly packing: Packing
  /** The share in percent for which the packing keeps room, of volumes that are filled up. */
  readonly least?: number
  /** The packing that one with less room may take no more than. */
  readonly atMost?: Packing
}

/**
 * The layout with the largest share of recovery data for which `plain` has room on as many volumes.
 * An order that costs nothing comes before another packing with the same share, not with a larger.
 * @returns null for none
 */
async function layoutWithShare(
  on: Attempts,
  { options, packing: plain }: Attempt,
  ordered: OrderedPacking | null,
): Promise<Layout | null> {
  const { source, medium, firstMedia, plan } = on.request
  const cost = costWithDescriptions(options.cost, source)
  const keeping = (percent: number): PackingOptions =>
    keepingShare({ ...options, cost }, percent, { medium, firstMedia, placement: plan.placement })
  const dateOf = (index: number): number => modifiedMs(source, index)
  for (const { percent, ...found } of sharePackings(source.items, plain, keeping)) {
    const within = { least: percent, atMost: plain }
    const orderedSo =
      ordered && packedInOrder(source.items, plain, withOrder(found.options, ordered.order, dateOf))
    const layout =
      (ordered &&
        orderedSo &&
        (await orderedLayout(on, { ...orderedSo, ...within, order: ordered.order }))) ??
      (await layoutIfPossible(on, { ...found, ...within }))
    // How few volumes there could be is a matter of the files alone.
    const { lowerBoundVolumes, leastBytes } = plain
    if (layout) return { ...layout, packing: { ...layout.packing, lowerBoundVolumes, leastBytes } }
  }
  return null
}

/**
 * @returns null where the real sizes need more than is allowed, or what is asked for with the
 *   volumes does not go with these
 */
async function layoutIfPossible(on: Attempts, attempt: Attempt): Promise<Layout | null> {
  try {
    return await fittingLayout(on, attempt)
  } catch (thrown) {
    const { code } = AppError.from(thrown)
    if (code !== 'cannot-fit' && code !== 'refused') throw thrown
    // Another attempt has a folder of its own.
    on.rounds.next()
    return null
  }
}

async function orderedLayout(
  on: Attempts,
  { order, ...attempt }: Attempt & { readonly order: UsualOrder },
): Promise<Layout | null> {
  const layout = await layoutIfPossible(on, attempt)
  return layout && { ...layout, filledBy: order }
}

/**
 * Sizes a packing and packs again with less room until every volume fits.
 * @throws AppError `cannot-fit`, also for more than is allowed
 */
async function fittingLayout(
  { request, directory, rounds }: Attempts,
  { options, packing: first, least, atMost }: Attempt,
): Promise<Layout> {
  const { source, plan } = request
  const { capacitySectors, firstCapacities = [] } = options
  const keepsRoom = typeof plan.protection === 'number' || least !== undefined
  let packing = first
  let allowances = fullAllowances(capacitySectors)
  for (;;) {
    const place = join(directory, String(rounds.number()))
    await mkdir(place)
    const planned = volumesIn(request, packing)
    const recovering = { request, volumes: planned, packing, least }
    const volumes = keepsRoom
      ? await withRecoveryData(recovering, null, place)
      : await sizeVolumes(request, planned, packing, rounds.number(), place)
    const capacities = packing.volumes.map(({ bin }) => firstCapacities[bin] ?? capacitySectors)
    const most = roomOf(request, packing)
    const tightened = tightenAllowances(
      allowances,
      packing,
      volumes.map(({ sectors }, at) => sectors - ((most[at] ?? 0) - (capacities[at] ?? 0))),
      capacities,
    )
    if (tightened === null) {
      const isFilled = plan.protection === 'fill' && !keepsRoom
      return { packing, volumes: isFilled ? await withRecoveryData(recovering, volumes, place) : volumes }
    }
    allowances = tightened
    rounds.next()
    packing = packVolumes(source.items, { ...options, allowances })
    if (atMost && !takesNoMore(packing, atMost, options))
      throw new AppError('cannot-fit', said`this way of filling takes a further volume`)
  }
}

/**
 * How files as they are are packed before any image has been sized.
 * @throws AppError `cannot-fit` for a reserve that leaves nothing
 */
export function plainPacking({
  source,
  medium,
  placement,
  protection,
  firstMedia,
  mostVolumes,
  ...index
}: Pick<
  LayoutRequest,
  'source' | 'medium' | 'firstMedia' | 'mostVolumes' | 'lines' | 'labelPrefix' | 'packed'
> & {
  readonly placement: Placement | undefined
  readonly protection: Protection | undefined
  /** The plan, where it may add to others. */
  readonly plan?: Pick<PlanBeforeSizing, 'addsTo' | 'history' | 'indexVersion'> | undefined
}): PackingOptions {
  const room = { medium, firstMedia, placement }
  const options: PackingOptions = {
    ...capacitiesFor(undefined, room),
    ...(mostVolumes !== undefined && { mostVolumes }),
    cost: costWithSums(medium, source),
    reserveBytes:
      indexBytes({ ...index, medium, labelBy: placement?.labelBy }) + scriptAndTextBytes(source.roots),
    isAtLeastOne: index.plan?.history !== undefined,
    splitBoundaryBytes: medium.family === 'bd' || medium.family === 'bdxl' ? 65_536 : medium.sectorBytes,
    ...(medium.kind === 'image' ? { maxFileBytes: ISO_MAX_FILE_BYTES } : {}),
  }
  return typeof protection === 'number' ? keepingShare(options, protection, room) : options
}

/** The media of volumes, and how much of each may be used. */
interface Room {
  readonly medium: Medium
  readonly firstMedia: FirstMedia | undefined
  readonly placement: Placement | undefined
}

/** The same with room on every volume for recovery data of a share in percent. */
function keepingShare(options: PackingOptions, percent: number, room: Room): PackingOptions {
  // Recovery data comes with a second copy of the lists.
  return { ...options, ...capacitiesFor(percent, room), reserveBytes: 2 * options.reserveBytes }
}

function capacitiesFor(
  protection: number | undefined,
  { medium, firstMedia = [], placement }: Room,
): Pick<PackingOptions, 'capacitySectors' | 'firstCapacities'> {
  return {
    capacitySectors: dataSectors(medium, { placement, protection }),
    firstCapacities: firstMedia.flatMap((first) =>
      Array<number>(first.volumes).fill(dataSectors(first.medium, { placement, protection })),
    ),
  }
}

/** The volumes that a source takes without a placement, and no more than with it. */
export function fewestWithout(
  items: readonly InventoryItem[],
  options: Omit<PackingOptions, 'placement'>,
  packing: Packing,
): { readonly fewest: number } {
  return { fewest: Math.min(packing.volumes.length, packVolumes(items, options).volumes.length) }
}

function volumesIn(request: LayoutRequest, packing: Packing): PlannedVolume[] {
  const { lines, payloadName } = request
  const labels = labelsOf(request, packing)
  const labelled = labels.map((label, at) => ({ index: at + 1, label }))
  return plannedVolumes(
    labelled,
    payloadName,
    (index) => lines.of(packing.volumes[index - 1]?.assignments),
    request.packed ? 'packed/volumes' : 'volumes',
  )
}

/** The sectors that the image of each volume may have, on its own medium. */
function roomOf({ medium, firstMedia, plan }: LayoutRequest, { volumes }: Packing): number[] {
  return volumes.map(({ bin }) => usableSectors(mediumAt(bin, medium, firstMedia), plan.placement))
}

/** @param sized the volumes without recovery data, which is to fill them up; null for a share */
async function withRecoveryData(
  {
    request,
    volumes,
    packing,
    least,
  }: {
    readonly request: LayoutRequest
    readonly volumes: readonly PlannedVolume[]
    readonly packing: Packing
    readonly least: number | undefined
  },
  sized: Layout['volumes'] | null,
  directory: string,
): Promise<Layout['volumes']> {
  const { plan, medium, signal, packed } = request
  const { protection: wanted } = plan
  if (medium.kind !== 'image' || wanted === undefined) return sized ?? []
  const room = roomOf(request, packing)
  const sectorsAt = (at: number): number => room[at] ?? 0
  const found = await protectVolumes(
    volumes,
    (at) => sized === null || isWorthFilling(sized[at]?.sectors ?? sectorsAt(at), sectorsAt(at)),
    {
      plan,
      roomAt: (at) => ({ wanted, least, sectors: sectorsAt(at) }),
      directory,
      signal,
      write: (place, tried) => writeSizedFiles(place, plan, tried, signal, packed),
    },
  )
  const all: Layout['volumes'][number][] = []
  for (const [at, { files, ...size }] of found.entries()) {
    const { index, label } = volumes[at] as PlannedVolume
    all.push({ index, label, payloadBytes: files.reduce((sum, bytes) => sum + bytes, 0), ...size })
  }
  return all
}

async function sizeVolumes(
  request: LayoutRequest,
  volumes: readonly PlannedVolume[],
  packing: Packing,
  round: number,
  directory: string,
): Promise<Layout['volumes']> {
  const { medium, plan, signal } = request
  const written = await writeSizedFiles(directory, plan, volumes, signal, request.packed)
  const sized: Layout['volumes'][number][] = []
  for (const [at, volume] of volumes.entries()) {
    const { index, label } = volume
    throwIfAborted(signal)
    request.onProgress(round, at, volumes.length)
    const files = written[at] ?? []
    const payloadBytes = files.reduce((sum, bytes) => sum + bytes, 0)
    const sectors =
      medium.kind === 'image'
        ? await imageSectors(plan, volume, directory)
        : (packing.volumes[at]?.modelSectors ?? 0) + folderSectors(files, medium)
    sized.push({ index, label, sectors, payloadBytes })
  }
  return sized
}

function labelsOf({ source, plan, labelPrefix }: LayoutRequest, { volumes }: Packing): string[] {
  const { labels, labelBy = 'number' } = plan.placement ?? {}
  if (labelBy === 'number') return volumeLabels(labelPrefix, volumes.length, labels, volumesBefore(plan))
  const items = new Map(source.items.map((item) => [item.index, item]))
  const spans = volumes.map((volume) =>
    yearSpan(
      yearsOn(
        volume,
        (index) => items.get(index) as InventoryItem,
        (index) => modifiedMs(source, index),
      ),
    ),
  )
  const taken = new Set(plan.addsTo?.flatMap((earlier) => earlier.volumes.map(({ label }) => label)))
  return labelsByYear(labelPrefix, spans, labels, taken)
}

/** Our own folder on a folder volume: each file in whole units, one unit for the folder. */
export function folderSectors(files: readonly number[], { sectorBytes }: Medium): number {
  return files.reduce((sum, bytes) => sum + Math.ceil(bytes / sectorBytes), 1)
}

/**
 * The medium's cost model with the line that every file takes in its volume's checksum list. The
 * folder part of a path is taken at its average over all files; where that is too little, the
 * layout shows it and packing is done again.
 */
function costWithSums(medium: Medium, source: SourceEntries): CostModel {
  const model = costsOf(medium.kind)
  const average = averageFolderBytes(source)
  return {
    ...model,
    entryBytes(kind, name, content, target) {
      const line = kind === 'file' || kind === 'hardLink' ? UNKNOWN_SHA256.length + 3 + name + average : 0
      return model.entryBytes(kind, name, content, target) + line
    },
  }
}

/** In a set's first file, and at both ends of the second. */
const DESCRIPTIONS = 3

/** The cost model with the least that recovery data takes to describe every file. */
function costWithDescriptions(model: CostModel, source: SourceEntries): CostModel {
  const average = averageFolderBytes(source)
  return {
    ...model,
    entryBytes(kind, name, content, target) {
      const described = kind === 'file' && content > 0 ? describedFileBytes(name + average, 1) : 0
      return model.entryBytes(kind, name, content, target) + DESCRIPTIONS * described
    },
  }
}

/** The part of a path before a file's name, at its average over all files. */
function averageFolderBytes({ items }: Pick<SourceEntries, 'items'>): number {
  const files = items.filter(({ kind }) => kind === 'file' || kind === 'hardLink')
  const bytes = files.reduce((sum, { path }) => sum + path.lastIndexOf('/') + 1, 0)
  return files.length === 0 ? 0 : Math.ceil(bytes / files.length)
}

/** As long as the number of a sector on the largest disc. */
const LONG_SECTOR = 62_500_863

/** The volumes of the plans that this one adds to. */
export function volumesBefore({
  addsTo = [],
}: {
  readonly addsTo?: readonly Pick<EarlierPlan, 'volumes'>[] | undefined
}): number {
  return addsTo.reduce((sum, { volumes }) => sum + volumes.length, 0)
}

/** As long as a span of years can be. */
const SEVERAL_YEARS = { from: 2000, to: 2001 }

/** Each volume has the index of all. Its size hardly depends on which entry is on which. */
function indexBytes({
  lines,
  labelPrefix,
  packed,
  medium,
  labelBy,
  plan = { indexVersion: INDEX_VERSION },
}: Pick<LayoutRequest, 'lines' | 'labelPrefix' | 'packed' | 'medium'> & {
  readonly labelBy: LabelBy | undefined
  readonly plan?: Pick<PlanBeforeSizing, 'addsTo' | 'history' | 'indexVersion'> | undefined
}): number {
  const entries = lines.all()
  const [label = ''] =
    labelBy === 'date'
      ? labelsByYear(labelPrefix, [SEVERAL_YEARS])
      : volumeLabels(labelPrefix, 1, [], volumesBefore(plan))
  const volumes = [{ index: 1, label, entries }]
  const sectorOf = medium.kind === 'image' ? () => LONG_SECTOR : undefined
  return indexTsvBytes(volumes, {
    members: packed?.members,
    sectorOf,
    history: plan.history,
    version: plan.indexVersion,
  })
}
