import type { ContentPlace } from '../../files/read'
import {
  type FileRow,
  hasListedSize,
  type IndexRow,
  type PartRow,
  partsByWhole,
  pathOn,
} from '../volume/lists/setIndex'
import type { Skipped } from '../volume/lists/skippedList'
import { type GivenVolume, guessedNumber } from '../volume/open/givenVolumes'
import { INDEX_NAME } from '../volume/planned/ownNames'
import { containersOf, type SetContainer } from './setContainers'
import type { Wanted, WantedFile } from './wantedFiles'

/** A file that is whole on its volume or in a container. */
export type WholeFile = Extract<WantedFile, { whole: unknown }>

/** A volume that something is on. */
export type OnVolume = Pick<PartRow, 'path' | 'volume' | 'label'>

/** A file whose parts are joined; `from` of a part is null where its volume is not at hand. */
export interface SplitFile {
  readonly path: string
  readonly bytes: number
  readonly parts: readonly (PartRow & { readonly from: ContentPlace | null })[]
}

/** A container of which at least something is at hand, and the wanted files in it. */
export interface PackedFiles {
  readonly container: SetContainer
  readonly files: readonly WholeFile[]
}

/** A further name of a file. */
export interface FurtherName extends WholeFile {
  /**
   * Where its content is on a volume; null where it is only read from the first name, once that is
   * restored.
   */
  readonly from: ContentPlace | null
}

/** Where each wanted file of a set comes from: the order in which a restore goes through it. */
export interface RestorePlan {
  /** Files that are not packed, in the order in which they lie on the volumes. */
  readonly plain: readonly (WholeFile & { readonly from: ContentPlace })[]
  readonly split: readonly SplitFile[]
  /** Each container once, in the order of the volumes. */
  readonly packed: readonly PackedFiles[]
  /** Made when all others are restored. */
  readonly names: readonly FurtherName[]
  /** Files that are on volumes which are not at hand, or missing on those that are. */
  readonly absent: readonly { readonly file: WholeFile; readonly rows: readonly OnVolume[] }[]
  /** Files whose container the index does not have. */
  readonly unlisted: readonly WholeFile[]
}

/**
 * Where the content of a row of the index is on the volumes at hand; what has no place is not
 * there.
 */
export type Places = ReadonlyMap<IndexRow, ContentPlace>

/** The numbers of the volumes at hand. */
export async function numbersAtHand(volumes: readonly GivenVolume[]): Promise<Map<GivenVolume, number>> {
  const numbers = new Map<GivenVolume, number>()
  for (const volume of volumes) {
    const own = volume.number ?? (await guessedNumber(volume))
    if (own !== null) numbers.set(volume, own)
  }
  return numbers
}

/** The files that were left out of the volumes at hand, by the numbers of these. */
export function skippedOf(
  volumes: readonly GivenVolume[],
  numbers: ReadonlyMap<GivenVolume, number>,
): Map<number, Skipped> {
  return new Map(
    volumes.flatMap((volume) => {
      const number = numbers.get(volume)
      return number === undefined || volume.skipped.size === 0 ? [] : [[number, volume.skipped] as const]
    }),
  )
}

/**
 * Looks for the content of wanted files on the volumes at hand: for the files that are not packed,
 * for parts, and for what containers consist of.
 * @param rows of the whole set
 */
export async function placesOf(
  volumes: readonly GivenVolume[],
  rows: readonly IndexRow[],
  { files }: Pick<Wanted, 'files'>,
): Promise<Places> {
  const places = new Map<IndexRow, ContentPlace>()
  const placesFor = placeFinder(volumes, rows)
  for (const row of contentRows(rows, files)) {
    for await (const place of placesFor(row)) {
      places.set(row, place)
      break
    }
  }
  return places
}

/**
 * Finds every place of the content of a row on the volumes at hand, of which several may be copies
 * of one.
 * @param rows of the whole set
 */
export function placeFinder(
  volumes: readonly GivenVolume[],
  rows: readonly IndexRow[],
): (row: FileRow | PartRow) => AsyncGenerator<ContentPlace, void, void> {
  const others = otherPlaces(rows)
  return async function* (row) {
    for (const one of [row, ...others(row)])
      for (const volume of volumes) {
        const place = await placeOn(volume, one)
        if (place) yield place
      }
  }
}

/**
 * The rows whose content wanted files consist of: the files that are not packed, parts, and what
 * containers consist of. Each is there once.
 * @param rows of the whole set
 */
export function contentRows(rows: readonly IndexRow[], files: readonly WantedFile[]): (FileRow | PartRow)[] {
  const needed = new Set<FileRow | PartRow>()
  const parts = partsByWhole(rows)
  for (const file of files) {
    if ('whole' in file && file.whole.packed) continue
    const own = 'parts' in file ? file.parts : parts.get(file.whole.linkOf ?? '')
    for (const row of own ?? ('whole' in file ? [file.whole] : [])) needed.add(row)
  }
  for (const container of containersOf(rows, containerPaths(files)).values())
    for (const row of container.rows) needed.add(row)
  return [...needed]
}

/** Where the content of a row is on a volume; null where it is not there. */
async function placeOn(volume: GivenVolume, row: FileRow | PartRow): Promise<ContentPlace | null> {
  // Another generation of the archive may have another file there.
  if (row.at !== undefined && volume.number !== null && volume.number !== row.volume) return null
  const isEmpty = row.at !== undefined && row.method === null && row.bytes === 0
  const place = await volume.placeOf(isEmpty ? `${volume.own}/${INDEX_NAME}` : pathOn(row))
  if (place && isEmpty) return { ...place, bytes: 0 }
  return place && hasListedSize(row, place.bytes) ? place : null
}

/**
 * Other places of a content in an archive that grows: its first plan may have it on several
 * volumes, of which one is enough.
 */
function otherPlaces(rows: readonly IndexRow[]): (row: FileRow | PartRow) => readonly FileRow[] {
  const grown = rows
    .filter((row) => row.kind === 'file')
    .filter(({ at, packed, method }) => at !== undefined && packed === null && method === null)
  const bySha256 = Map.groupBy(grown, ({ sha256 }) => sha256)
  return (row) =>
    (row.kind === 'file' ? bySha256.get(row.sha256) : undefined)?.filter(
      ({ volume, at }) => volume !== row.volume || at !== row.at,
    ) ?? []
}

/**
 * Plans a restore; nothing is read.
 * @param rows of the whole set, by which `places` are known
 */
export function restorePlan(
  rows: readonly IndexRow[],
  { files }: Pick<Wanted, 'files'>,
  places: Places,
): RestorePlan {
  const plain: (WholeFile & { from: ContentPlace })[] = []
  const split: SplitFile[] = []
  const packed: WholeFile[] = []
  const namesOfSplit: FurtherName[] = []
  const absent: { file: WholeFile; rows: readonly OnVolume[] }[] = []
  const partsOf = partsByWhole(rows)
  const wantedPaths = new Set(files.map(({ path }) => path))
  const placed = (parts: readonly PartRow[]): SplitFile['parts'] =>
    parts.map((part) => ({ ...part, from: places.get(part) ?? null }))
  for (const file of files) {
    if ('parts' in file) {
      split.push({ ...file, parts: placed(file.parts) })
      continue
    }
    if (file.whole.packed) {
      packed.push(file)
      continue
    }
    const parts = partsOf.get(file.whole.linkOf ?? '')
    if (parts) {
      // Without its first name, a further name of a split file is joined by itself.
      if (wantedPaths.has(file.whole.linkOf ?? '')) namesOfSplit.push({ ...file, from: null })
      else split.push({ path: file.path, bytes: file.bytes, parts: placed(parts) })
      continue
    }
    const from = places.get(file.whole)
    if (from) plain.push({ ...file, from })
    else absent.push({ file, rows: [file.whole] })
  }
  plain.sort((a, b) => a.whole.volume - b.whole.volume || a.from.offset - b.from.offset)
  const groups = packedGroups(rows, packed, places)
  return {
    plain: plain.filter(({ whole }) => whole.linkOf === null),
    split,
    packed: groups.packed,
    names: [...groups.names, ...namesOfSplit, ...plain.filter(({ whole }) => whole.linkOf !== null)],
    absent: [...absent, ...groups.absent],
    unlisted: groups.unlisted,
  }
}

/** Packed files by the containers that are at hand, at least in part; each is unpacked once. */
function packedGroups(
  rows: readonly IndexRow[],
  files: readonly WholeFile[],
  places: Places,
): Pick<RestorePlan, 'packed' | 'names' | 'absent' | 'unlisted'> {
  const paths = new Set(files.map(({ path }) => path))
  const containers = containersOf(rows, containerPaths(files))
  const groups = new Map<SetContainer, { container: SetContainer; files: WholeFile[] }>()
  const names: FurtherName[] = []
  const absent: { file: WholeFile; rows: readonly OnVolume[] }[] = []
  const unlisted: WholeFile[] = []
  const hopeless = new Map<SetContainer, readonly OnVolume[]>()
  for (const container of containers.values()) {
    const lacking = container.rows.filter((row) => !places.has(row))
    const most = container.kind === 'parts' ? container.rows.length : 1
    if (lacking.length >= most) hopeless.set(container, lacking)
  }
  for (const file of files) {
    const { whole } = file
    const container = containers.get(whole.packed?.in ?? '')
    const lacking = container && hopeless.get(container)
    if (!container) unlisted.push(file)
    else if (lacking) absent.push({ file, rows: lacking })
    else if (whole.linkOf !== null && paths.has(whole.linkOf)) names.push({ ...file, from: null })
    else {
      const group = groups.get(container) ?? { container, files: [] }
      group.files.push(file)
      groups.set(container, group)
    }
  }
  const volumeOf = ({ container }: PackedFiles): number => container.rows[0]?.volume ?? 0
  return {
    packed: [...groups.values()].toSorted((a, b) => volumeOf(a) - volumeOf(b)),
    names,
    absent,
    unlisted,
  }
}

function containerPaths(files: readonly WantedFile[]): Set<string> {
  return new Set(files.flatMap((file) => ('whole' in file && file.whole.packed ? file.whole.packed.in : [])))
}
