import { createHash } from 'node:crypto'
import type { PlanDocument } from '../../../contract/dto/plan'
import {
  type ImageContents,
  imageContents,
  type OtherSources,
  OWN_RANK,
  type OwnFile,
} from '../../discImages/imageEntries'
import { layOutImage, type RawImageLayout } from '../../native/discImage'
import { versionOf } from '../volume/lists/imageTsv'
import type { PlannedVolume } from '../volume/planned/plannedVolume'
import { keptPlaces } from './keptPlaces'
import { withRecovery } from './recoveryFiles'

/** The facts of a plan that its images follow from. */
type ImagedPlan = Pick<PlanDocument, 'id' | 'equalFiles' | 'discLists'> & {
  readonly mastering: Pick<PlanDocument['mastering'], 'version' | 'volumeDateWallMs'>
}

/** The layout of one of Stowage's own images, and what it is of. */
export interface OwnLayout {
  readonly layout: RawImageLayout
  readonly contents: ImageContents
}

/** The differences of an image from its plan. */
interface Changes {
  /** The layout by the plan, whose places and length stay; absent where nothing is left out. */
  readonly planned?: OwnLayout
  readonly otherSources?: OtherSources
}

/**
 * The layout of the image of a volume.
 * @param own Stowage's own files on it
 * @throws AppError `cannot-fit` for an image that is larger than any can be
 */
export async function ownLayout(
  plan: ImagedPlan,
  volume: PlannedVolume,
  own: readonly OwnFile[],
  { planned, otherSources }: Changes = {},
): Promise<OwnLayout> {
  const dateWallMs = plan.mastering.volumeDateWallMs
  const equalOnce = plan.equalFiles === 'once'
  const contents = imageContents(volume, { own, dateWallMs, equalOnce, otherSources })
  const names = {
    label: volume.label,
    uniqueId: uniqueId(plan.id, volume.index),
    application: `STOWAGE ${versionOf(plan)}`,
    madeSeconds: Math.floor(dateWallMs / 1000),
  }
  const places = planned && keptPlaces(planned, contents, volume.label)
  return { layout: await layOutImage(contents.entries, names, places), contents }
}

/** The places of the files on an image, which follow from their names and lengths. */
export interface ImagePlaces {
  readonly layout: Pick<RawImageLayout, 'sectors' | 'firstSectors'>
  readonly contents: Pick<ImageContents, 'numbers'> & {
    readonly entries: Pick<ImageContents['entries'], 'bytes' | 'ranks'>
  }
}

/** The last places for the entries of a volume, and the names of Stowage's own files among them. */
const lastPlaces = new WeakMap<PlannedVolume['entries'], { names: string; places: ImagePlaces }>()

/**
 * The places of `ownLayout`. While the lengths of Stowage's own files are sought, which are the
 * last on an image, those of the source keep their places and are not laid out again.
 * @throws AppError `cannot-fit`
 */
export async function ownPlaces(
  plan: ImagedPlan,
  volume: PlannedVolume,
  own: readonly OwnFile[],
): Promise<ImagePlaces> {
  const names = namesOf(plan, volume, own)
  const last = lastPlaces.get(volume.entries)
  if (last?.names === names) return withLengths(last.places, volume, own)
  const { layout, contents } = await ownLayout(plan, volume, own)
  const { bytes, ranks } = contents.entries
  const places = placesOf(layout.sectors(), layout.firstSectors(), bytes, {
    ranks,
    numbers: contents.numbers,
  })
  lastPlaces.set(volume.entries, { names, places })
  return places
}

/** The longest file with one directory record: more of them may move everything. */
const LONGEST_EXTENT = 0xffff_f800

/** All that the places of the source's files follow from, besides the entries. */
function namesOf(plan: ImagedPlan, volume: PlannedVolume, own: readonly OwnFile[]): string {
  const files = own.map(({ name, bytes, rank = OWN_RANK }) =>
    [name, rank, bytes > LONGEST_EXTENT ? bytes : bytes > 0].join('/'),
  )
  const { id, equalFiles, mastering } = plan
  const { index, label, payloadName } = volume
  const of = [id, equalFiles, mastering.volumeDateWallMs, index, label, payloadName]
  return JSON.stringify([...of, ...files.toSorted()])
}

const SECTOR = 2048
/** Images are whole multiples of it. */
const IMAGE_SECTORS = 32

/** The places with other lengths of Stowage's own files, which follow one another. */
function withLengths(
  { layout, contents }: ImagePlaces,
  { payloadName }: PlannedVolume,
  own: readonly OwnFile[],
): ImagePlaces {
  const { numbers, entries } = contents
  const bytes = entries.bytes.slice()
  const firsts = layout.firstSectors().slice()
  const moved: number[] = []
  let sector = layout.sectors()
  for (const file of own) {
    const number = numbers.get(`${payloadName}/${file.name}`) ?? 0
    if (file.bytes === 0) continue
    bytes[number] = file.bytes
    sector = Math.min(sector, firsts[number] ?? sector)
    moved.push(number)
  }
  const rankOf = (number: number): number => entries.ranks[number] ?? 0
  for (const number of moved.toSorted((a, b) => rankOf(a) - rankOf(b) || a - b)) {
    firsts[number] = sector
    sector += Math.ceil((bytes[number] ?? 0) / SECTOR)
  }
  // The last sector has an anchor.
  const sectors = Math.ceil((sector + 1) / IMAGE_SECTORS) * IMAGE_SECTORS
  return placesOf(sectors, firsts, bytes, { ranks: entries.ranks, numbers })
}

function placesOf(
  sectors: number,
  firsts: Float64Array,
  bytes: Float64Array,
  { ranks, numbers }: Pick<ImageContents['entries'], 'ranks'> & Pick<ImageContents, 'numbers'>,
): ImagePlaces {
  return {
    layout: { sectors: () => sectors, firstSectors: () => firsts },
    contents: { numbers, entries: { bytes, ranks } },
  }
}

/**
 * The first sector of every file with content on the image of a volume, by its path. It does not
 * depend on how long Stowage's own lists are, only on their names.
 * @throws AppError `cannot-fit`
 */
export async function firstSectors(
  plan: ImagedPlan,
  volume: PlannedVolume,
  ownNames: readonly string[],
): Promise<(path: string) => number | undefined> {
  const own = ownNames.map((name) => ({ name, bytes: 1, source: null }))
  const { layout, contents } = await ownPlaces(plan, volume, withRecovery(own, volume.protection))
  const sectors = layout.firstSectors()
  return (path) => sectors[contents.numbers.get(path) ?? 0] || undefined
}

/** Sixteen hexadecimal digits that tell the images of all plans apart. */
function uniqueId(planId: string, index: number): string {
  return createHash('sha256').update(`${planId}/${index}`).digest('hex').slice(0, 16)
}
