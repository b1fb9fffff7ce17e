import { createHash } from 'node:crypto'
import type { DamagedFolders, ImageTreeName } from '../../../../domain/sets/damagedFolders'
import { type ContentPlace, sha256Of } from '../../../files/read'
import { type FileRow, hasListedSize, type PartRow, pathOn, type SetIndex } from '../lists/setIndex'
import type { Volume } from '../lists/volume'
import { damageIn } from './image'
import { SECTOR } from './imageTree'

/** The short files by which an image shows which volume it is. */
const MOST_PROBES = 16
const LONGEST_PROBE = 2 ** 20
const EMPTY_SHA256 = createHash('sha256').digest('hex')

type ContentRow = FileRow | PartRow

/**
 * Where the content of listed files is on one volume: where its folders say, or else, in an image
 * of Stowage's own, from the sector that the index says.
 */
export class ImagePlaces {
  readonly #files: Volume
  readonly #label: string
  readonly #rows: ReadonlyMap<string, ContentRow>
  readonly #damaged: ReadonlySet<ImageTreeName>
  readonly #bySector = new Set<string>()
  readonly #byTree = new Map<string, ImageTreeName>()
  /** Files are elsewhere than the index says: another program made the image. */
  #isRemade = false

  /** @param number of the volume in the set; null where that is not known */
  constructor(files: Volume, { rows, volumes }: Pick<SetIndex, 'rows' | 'volumes'>, number: number | null) {
    this.#files = files
    this.#label = volumes.find(({ index }) => index === number)?.label ?? files.label ?? files.path
    this.#damaged = new Set(files.damage?.trees)
    const isOwnImage = files.folder === null && rows.some((row) => isContent(row) && row.sector !== null)
    const own = isOwnImage ? rows.filter((row) => row.volume === number).filter(isContent) : []
    this.#rows = new Map(own.map((row) => [pathOn(row), row]))
  }

  async placeOf(path: string): Promise<ContentPlace | null> {
    const found = await this.#files.placeOf(path)
    const row = this.#rows.get(path)
    const listed = row ? listedPlace(this.#files.path, row) : null
    if (row === undefined || listed === null || this.#isRemade) return this.#byFolders(path, found)
    if (found?.offset === listed.offset || (found?.bytes === 0 && row.bytes === 0))
      if (found.bytes === listed.bytes) return this.#byFolders(path, found)
    // Where the two differ, the content proves which is right.
    const isWhole = this.#damaged.size === 0
    if (found && hasListedSize(row, found.bytes) && (await isContentOf(row, found))) {
      this.#isRemade = isWhole
      return this.#byFolders(path, found)
    }
    if (isWhole && !(await isContentOf(row, listed))) return this.#byFolders(path, found)
    this.#bySector.add(path)
    this.#byTree.delete(path)
    return listed
  }

  /** Null where no folder is damaged. */
  damagedFolders(): DamagedFolders | null {
    // Folders that lead elsewhere than to the listed content are damaged, however well they read.
    const isAstray = this.#damaged.size === 0 && this.#bySector.size > 0
    const damaged: ImageTreeName[] = isAstray ? ['iso9660'] : [...this.#damaged]
    if (damaged.length === 0) return null
    const by = (tree: ImageTreeName): number =>
      [...this.#byTree.values()].filter((one) => one === tree).length
    return {
      path: this.#files.path,
      label: this.#label,
      damaged,
      files: { iso9660: by('iso9660'), udf: by('udf'), sectors: this.#bySector.size },
    }
  }

  #byFolders(path: string, found: ContentPlace | null): ContentPlace | null {
    const tree = this.#files.damage?.treeOf(path)
    if (found && tree) this.#byTree.set(path, tree)
    return found
  }
}

/**
 * The number of an image that does not say it, by files that are where an index says: some short
 * ones of each volume are read, or the shortest where all are long.
 */
export async function numberByContent(image: string, { rows, volumes }: SetIndex): Promise<number | null> {
  const byVolume = Map.groupBy(
    rows.filter(isContent).filter(({ sector }) => sector !== null),
    ({ volume }) => volume,
  )
  for (const { index } of volumes) {
    for (const row of probesOf(byVolume.get(index) ?? [])) {
      const place = listedPlace(image, row)
      if (place && (await isContentOf(row, place))) return index
    }
  }
  return null
}

function probesOf(rows: readonly ContentRow[]): ContentRow[] {
  const short = rows.filter(({ bytes }) => bytes <= LONGEST_PROBE)
  if (short.length === 0) return rows.toSorted((one, other) => one.bytes - other.bytes).slice(0, 1)
  const step = Math.ceil(short.length / MOST_PROBES)
  return short.filter((_, at) => at % step === 0)
}

function isContent(row: SetIndex['rows'][number]): row is ContentRow {
  return row.kind === 'part' || (row.kind === 'file' && row.packed === null)
}

/** Where the index says that content is: nothing is anywhere. */
function listedPlace(image: string, { bytes, sha256, sector }: ContentRow): ContentPlace | null {
  if (bytes === 0 && sha256 === EMPTY_SHA256) return { file: image, offset: 0, bytes: 0 }
  return sector === null ? null : { file: image, offset: sector * SECTOR, bytes }
}

/**
 * True when a place can be read and has the content of a row.
 * @throws AppError `cancelled`, and what is no damage
 */
export async function isContentOf(
  { sha256 }: Pick<ContentRow, 'sha256'>,
  place: ContentPlace,
  signal: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  return sha256Of(place, signal).then(
    (digest) => digest === sha256,
    (thrown: unknown) => {
      damageIn(thrown)
      return false
    },
  )
}
