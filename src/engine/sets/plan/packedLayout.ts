import type { PlanDocument, PlanEntry } from '../../../contract/dto/plan'
import type { Medium } from '../../../domain/media/medium'
import { storesAsIs } from '../../../domain/options/recipes/asIs'
import { parseRecipe, partsOf, printRecipe, type Recipe } from '../../../domain/options/recipes/recipe'
import { nameBytes } from '../../../domain/sets/naming/nameBytes'
import { volumeLabels } from '../../../domain/sets/naming/volumeLabels'
import { type PackedForm, packedForm } from '../../../domain/sets/packedForm'
import { type CostModel, costsOf } from '../../../domain/sets/packing/costModel'
import type { Assignment, InventoryItem, PackedVolume, Packing } from '../../../domain/sets/packing/inventory'
import { type PackingOptions, packVolumes } from '../../../domain/sets/packing/packVolumes'
import type { PackingPlacement } from '../../../domain/sets/packing/placedTrees'
import type { Placement } from '../../../domain/sets/placement'
import type { EarlierPlan } from '../../../domain/sets/planDocument'
import { INDEX_VERSION } from '../../../domain/sets/planDocument'
import { dataSectors } from '../../../domain/sets/protection/dataSectors'
import type { Protection } from '../../../domain/sets/protection/volumeProtection'
import { AppError } from '../../../primitives/appError'
import { formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { cannot } from '../../files/fileSystem'
import type { SourceEntries } from '../../survey/sourceEntries'
import { scriptAndTextBytes } from '../export/volumeTexts'
import { generationLines, type History, historyLine } from '../volume/lists/historyLines'
import { indexTsv } from '../volume/lists/indexTsv'
import { largeFileSizes } from './largeFiles'
import { fewestWithout, type Layout, volumesBefore } from './layoutVolumes'
import { PlanLines } from './planLines'

export interface PackedLayoutRequest {
  readonly source: SourceEntries
  readonly medium: Medium
  readonly recipe: Recipe
  readonly form: Exclude<PackedForm, { kind: 'plain' }>
  readonly isJoined: boolean
  /** The most bytes that all archives together are forecast to have. */
  readonly mostBytes: number
  readonly labelPrefix: string
  readonly placement: Placement | undefined
  readonly protection: Protection | undefined
  /** The part of the placement that decides where files lie; absent where it does not. */
  readonly placing: PackingPlacement | undefined
  /** The lines on earlier plans in the index. */
  readonly history: History | undefined
  /** The plans that it adds to. */
  readonly addsTo: readonly EarlierPlan[] | undefined
  readonly signal: AbortSignal
}

/** The room of a volume for archives, in bytes, and what it has besides them. */
interface PackedRoom {
  readonly bytes: number
  readonly reserveBytes: number
  readonly baseBytes: number
  /** Recovery data for each byte of all that. */
  readonly recoveryShare: number
}

/**
 * The room that a volume of the medium has left for archives, after the lists of the whole set. The
 * places of files in the index are known only once the archives are made, so each file is assumed
 * to have a long one.
 * @throws AppError `cannot-fit` when nothing is left
 */
function packedRoom(
  entries: readonly PlanEntry[],
  roots: readonly string[],
  medium: Medium,
  recipe: string,
  constraints: {
    readonly placement: Placement | undefined
    readonly protection: Protection | undefined
    readonly history: History | undefined
  },
): PackedRoom {
  const model = costsOf(medium.kind)
  // Recovery data comes with a second copy of the lists.
  const recoveryShare = typeof constraints.protection === 'number' ? constraints.protection / 100 : 0
  const reserveBytes = (recoveryShare > 0 ? 2 : 1) * ownBytes(entries, roots, recipe, constraints.history)
  const sectors = dataSectors(medium, constraints)
  const bytes = sectors * medium.sectorBytes - model.baseBytes - reserveBytes
  if (bytes > 0) return { bytes, reserveBytes, baseBytes: model.baseBytes, recoveryShare }
  throw new AppError(
    'cannot-fit',
    said`a volume of ${medium.capacityBytes} bytes is too small for the lists of this source`,
  )
}

/**
 * Assigns files to volumes by what they are forecast to take when packed, at the upper end of the
 * range. Building corrects what the forecast got wrong, but no archive can hold a part of a file:
 * samples of the files that may be too large are packed. Sectors are those of the forecast.
 * @throws AppError `cannot-fit`, also for a file that may be larger than a volume; `changed`,
 *   `vanished`, `cancelled`
 */
export async function packedLayout(request: PackedLayoutRequest): Promise<Layout> {
  const { source, medium, recipe, form, isJoined } = request
  const files = source.items.filter(({ kind }) => kind === 'file')
  const room = packedRoom(new PlanLines(source).all(), source.roots, medium, printRecipe(recipe), request)
  const sourceBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  const isAsIs = storesAsIs(recipe)
  const asIsBytes = files.reduce((sum, { path, bytes }) => sum + (isAsIs(path) ? bytes : 0), 0)
  const rest = sourceBytes - asIsBytes
  const ratio = rest === 0 ? 1 : Math.max(0, request.mostBytes - asIsBytes) / rest
  const isWhole = form.kind === 'archive' && !isJoined && request.mostBytes > room.bytes
  const large = isWhole ? await largeFileSizes(source, recipe, room.bytes, request.signal) : new Map()
  const scaled = source.items.map((item) => {
    const sampled = large.get(item.linkOf ?? item.index)
    return { ...item, bytes: sampled ?? (isAsIs(item.path) ? item.bytes : Math.ceil(item.bytes * ratio)) }
  })
  const packing: Packing & { readonly fewest?: number } =
    isJoined || form.kind === 'repository' || form.kind === 'macImage'
      ? onePiece(request, room, scaled)
      : inPieces(request, room, scaled)
  const labels = volumeLabels(
    request.labelPrefix,
    packing.volumes.length,
    request.placement?.labels,
    volumesBefore(request),
  )
  const volumes = labels.map((label, at) => {
    const packed = packing.volumes[at] as PackedVolume
    return { index: at + 1, label, sectors: packed.modelSectors, payloadBytes: room.reserveBytes }
  })
  return {
    packing: { ...packing, volumes: packing.volumes.map((volume) => inSourceBytes(volume, source)) },
    volumes,
    ...(packing.fewest === undefined ? {} : { fewest: packing.fewest }),
  }
}

/**
 * The most that the index, the checksums and the other files take that Stowage adds to the source.
 */
export function ownFilesBytes(source: SourceEntries, recipe: string): number {
  return ownBytes(new PlanLines(source).all(), source.roots, recipe)
}

function ownBytes(
  entries: readonly PlanEntry[],
  roots: readonly string[],
  recipe: string,
  history?: History,
): number {
  return packedIndexBytes(entries, recipe, history) + scriptAndTextBytes(roots)
}

/** Every volume with archives of its own. */
function inPieces(
  { medium, recipe, placing }: PackedLayoutRequest,
  room: PackedRoom,
  items: readonly InventoryItem[],
): Packing & { readonly fewest?: number } {
  const options: PackingOptions = {
    capacitySectors: room.bytes,
    cost: makesFiles(recipe) ? inWholeUnits(medium) : BYTES_ONLY,
    reserveBytes: 0,
    splitBoundaryBytes: 1,
  }
  const packing = packVolumes(items, { ...options, ...(placing && { placement: placing }) })
  if (packing.splitFiles > 0) {
    const largest = items.reduce((one, other) => (other.bytes > one.bytes ? other : one))
    const most = packedForm(recipe, medium.kind)
    const way =
      typeof most === 'object' && most.kind === 'archive'
        ? said`pack one archive across all volumes (--joined), or choose a larger medium`
        : said`choose a larger medium, or plain files, which can be split`
    throw cannot('cannot-fit', 'plan', largest.path, said`even packed it may be larger than a volume; ${way}`)
  }
  const volumes: PackedVolume[] = []
  for (const volume of packing.volumes) {
    const modelSectors = sectorsOf(volume.modelSectors, room, medium)
    volumes.push({ ...volume, modelSectors, allowanceSectors: medium.capacitySectors })
  }
  return { ...packing, volumes, ...(placing && fewestWithout(items, options, packing)) }
}

/**
 * One archive over all volumes, or a repository or a disk image on the only one: all entries are
 * listed with the first.
 */
function onePiece(
  { medium, form, mostBytes, recipe }: PackedLayoutRequest,
  room: PackedRoom,
  items: readonly InventoryItem[],
): Packing {
  const count = Math.max(1, Math.ceil(mostBytes / room.bytes))
  if ((form.kind === 'repository' || form.kind === 'macImage') && count > 1) {
    const what = form.kind === 'repository' ? `${recipe.family} repository` : 'disk image'
    throw new AppError(
      'cannot-fit',
      said`cannot plan a ${what} on ${medium.name}: it may have ${formatSize(mostBytes)} and must be on one volume; choose 7z or plain files, or a medium that holds it`,
    )
  }
  const assignments = items
    .filter(({ path }) => path !== '')
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map(({ index }): Assignment => ({ kind: 'whole', index }))
  const volumes = Array.from({ length: count }, (_, bin): PackedVolume => {
    const bytes = Math.min(room.bytes, mostBytes - bin * room.bytes)
    const counted = (kind: InventoryItem['kind']): number =>
      bin > 0 ? 0 : items.filter((item) => item.kind === kind && item.path !== '').length
    return {
      bin,
      assignments: bin === 0 ? assignments : [],
      files: counted('file') + counted('hardLink'),
      hardLinks: counted('hardLink'),
      parts: 0,
      folders: counted('folder'),
      symlinks: counted('symlink'),
      bytes: 0,
      modelSectors: sectorsOf(bytes, room, medium),
      allowanceSectors: medium.capacitySectors,
    }
  })
  return {
    volumes,
    splitFiles: 0,
    folderBreaks: 0,
    brokenFolders: 0,
    lowerBoundVolumes: count,
    leastBytes: mostBytes,
    apart: [],
    problems: [],
  }
}

function sectorsOf(
  bytes: number,
  { baseBytes, reserveBytes, recoveryShare }: PackedRoom,
  { sectorBytes, capacitySectors }: Medium,
): number {
  const whole = (bytes + baseBytes + reserveBytes) * (1 + recoveryShare)
  return Math.min(capacitySectors, Math.ceil(whole / sectorBytes))
}

function inSourceBytes(volume: PackedVolume, source: SourceEntries): PackedVolume {
  const bytesOf = new Map(source.items.map((item) => [item.index, item.kind === 'file' ? item.bytes : 0]))
  const bytes = volume.assignments.reduce(
    (sum, one) => sum + (one.kind === 'whole' ? (bytesOf.get(one.index) ?? 0) : 0),
    0,
  )
  return { ...volume, bytes }
}

/**
 * Files in an archive take no records of their own on the volume; packing wants every entry to cost
 * something.
 */
const BYTES_ONLY: CostModel = {
  sectorBytes: 1,
  baseBytes: 0,
  leastBaseBytes: 0,
  maxNameBytes: 255,
  leastEntryBytes: 1,
  leastFileBytes: 0,
  entryBytes: () => 1,
  folderBytes: () => 1,
  spills: () => false,
}

/**
 * Bytes that the record of a file on a volume takes, with its name; more than most records take.
 */
const RECORD_BYTES = 256

/**
 * Compressed files are files of the volume, each in whole units: at most one is lost at its end.
 */
function inWholeUnits({ sectorBytes }: Medium): CostModel {
  return { ...BYTES_ONLY, entryBytes: (kind) => (kind === 'file' ? sectorBytes + RECORD_BYTES : 1) }
}

function makesFiles(recipe: Recipe): boolean {
  return partsOf(recipe).some(({ family }) => family === 'compressed-files')
}

/**
 * The longest that a row gets by its container: three separators, a usual path and the name of the
 * recipe.
 */
const CONTAINER_COLUMNS_BYTES = 80
/** So long are names of recipes that store no types as they are, at most. */
const USUAL_NAME_BYTES = 24

/** The index with a row for every file and for its container, and the checksums of both. */
function packedIndexBytes(entries: readonly PlanEntry[], recipe: string, history?: History): number {
  const columns = CONTAINER_COLUMNS_BYTES + Math.max(0, longestMethod(recipe) - USUAL_NAME_BYTES)
  let bytes = 0
  for (const line of indexTsv([{ index: 1, label: LONGEST, entries }], { version: INDEX_VERSION }))
    bytes += 2 * nameBytes(line) + columns
  if (!history) return bytes
  for (const line of generationLines(history)) bytes += nameBytes(line)
  for (const line of history.lines) {
    bytes += nameBytes(historyLine(line))
    // The place of a content on the new volumes is not known yet: a member at a path as long as its own.
    if (line.on.volume === 0) bytes += columns + nameBytes(LONGEST) + nameBytes(line.at)
  }
  return bytes
}

/** The characters of the longest name of a method that rows of a plan have. */
function longestMethod(name: string): number {
  const recipe = parseRecipe(name)
  const names = recipe ? partsOf(recipe).map(printRecipe) : [name]
  return Math.max(...names.map(({ length }) => length))
}

const LONGEST = 'A'.repeat(27)

/**
 * The room of a volume for archives, in bytes.
 * @param entries of the whole source, which the index of every volume names
 * @throws AppError `cannot-fit` when nothing is left
 */
export function archiveRoom(
  entries: readonly PlanEntry[],
  plan: Pick<PlanDocument, 'roots' | 'medium' | 'packing' | 'placement' | 'protection'>,
  history: History | undefined,
): number {
  const { roots, medium, packing, placement, protection } = plan
  const recipe = packing?.recipe ?? ''
  return packedRoom(entries, roots, medium, recipe, {
    placement,
    protection,
    history,
  }).bytes
}
