/**
 * The room `catalogExport` writes what a catalog knows of copies as Parquet, for many machines.
 * How: `knownTables` gives volumes and judged copies, `exportCatalog` adds files by
 * their digests, page by page, and the note of all parts last.
 * Not here: Parquet and its check (`fingerprints`), the judgement of copies (`sets`).
 */

import { createHash } from 'node:crypto'
import {
  CATALOG_FOOTER_KEY,
  type CatalogExport,
  type CatalogNote,
} from '../../domain/fingerprints/catalogNote'
import { FINGERPRINT_FORMAT } from '../../domain/fingerprints/completeNote'
import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { isFolder, joinPath, lstatAt, namesIn } from '../files/fileSystem'
import { requireSpace } from '../files/freeSpace'
import type { PlaceNotes } from '../files/scratch'
import { type FingerprintKey, readFingerprintKey } from '../fingerprints/fingerprintKey'
import type { PartRows } from '../fingerprints/parquetPart'
import { FORMAT_FOLDER, type TablesFolder, withTablesFolder } from '../fingerprints/tablesFolder'
import { tablesWriter } from '../fingerprints/writeTables'
import type { Job, JobContext } from '../jobs/jobContext'
import type { KeptResults } from '../jobs/keptResults'
import { type Pause, pausing } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import type { Looking } from '../sets/copies/lookAtCopies'
import { CATALOG_COLUMNS, type CatalogTable, catalogPart } from './catalogTables'
import { type ExportedCatalog, knownTables } from './knownTables'

export interface CatalogExportRequest {
  /** The folder for the catalogs of many machines; made if it is not there. */
  readonly folder: string
  /** A file whose bytes are the key of every digest. */
  readonly key?: string | undefined
  /** False: neither paths nor labels. */
  readonly paths: boolean
  /** Takes the place of an earlier export of this catalog. */
  readonly force: boolean
}

/** Rows of files that are written at a time. */
const FILES_AT_ONCE = 100_000
/** Bytes of a row, with a path of usual length. */
const FILE_BYTES = { withPath: 160, without: 80 } as const
const KNOWN_BYTES = 1_000_000

/**
 * Writes what this catalog knows of copies: files by SHA-256, the volumes that hold them, their
 * copies with place and last verification. Nothing is in its place unless all of it is.
 * @throws AppError when it runs: `nothing-to-do` where the catalog knows no copy, `exists`,
 *   `no-space`, `io`, `cancelled`; `bad-input` for a key or a folder that cannot be used
 */
export function catalogExportJob(
  request: CatalogExportRequest,
  results: KeptResults<CatalogExport>,
  catalog: ExportedCatalog & PlaceNotes,
  looking: Looking,
): Job {
  return {
    kind: 'export',
    title: said`Export of the catalog`,
    async run(context) {
      const made = await exportCatalog(request, catalog, looking, context)
      return results.keep(context.newId('e'), made)
    },
  }
}

async function exportCatalog(
  { folder, key: keyFile, paths: hasPaths, force }: CatalogExportRequest,
  catalog: ExportedCatalog & PlaceNotes,
  looking: Looking,
  context: JobContext,
): Promise<CatalogExport> {
  const { signal, clock } = context
  const key = keyFile === undefined ? null : await readFingerprintKey(keyFile)
  const id = catalog.catalogId()
  const name = `catalog=${id}`
  requirePlace(folder, name, force)
  const createdWallMs = clock.wallMs()
  const pause = pausing(() => throwIfAborted(signal), clock)
  const known = await knownTables(catalog, { key, hasPaths }, { nowWallMs: createdWallMs, looking, pause })
  if (known.copies === 0)
    throw new AppError('nothing-to-do', said`cannot export the catalog: it knows no copy of a volume`)
  const filesExpected = catalog.plans().reduce((sum, { files }) => sum + files, 0)
  const about = {
    format: FINGERPRINT_FORMAT,
    catalog: id,
    createdWallMs,
    key: key?.id ?? null,
  } as const
  const write = async ({ making, take }: TablesFolder): Promise<CatalogExport> => {
    const { withPath, without } = FILE_BYTES
    await requireSpace(
      folder,
      KNOWN_BYTES + filesExpected * (hasPaths ? withPath : without),
      said`write the catalog to ${pathForDisplay(folder)}`,
    )
    let filesDone = 0
    let bytesDone = 0
    const report = (): void =>
      context.progress({
        phase: { index: 1, count: 1, name: 'exporting' },
        filesDone,
        filesTotal: Math.max(filesDone, filesExpected),
        bytesDone,
        bytesTotal: null,
        current: null,
      })
    report()
    const tables = tablesWriter(making, CATALOG_FOOTER_KEY, {
      signal,
      onProgress(bytes) {
        bytesDone = bytes
        report()
      },
    })
    const part = (table: CatalogTable, batches: AsyncIterable<PartRows>): Promise<void> =>
      tables.part(catalogPart(table), CATALOG_COLUMNS[table], { ...about, table }, batches)
    for (const table of ['volumes', 'copies', 'disks', 'places', 'inside'] as const)
      await part(table, oneBatch(known.rows[table]))
    const ways = new Ways(known.heldAs)
    const onFiles = (some: number): void => {
      filesDone += some
      report()
    }
    await part('files', fileRows(known.held, ways, { key, hasPaths, pause, onFiles }))
    await part('ways', oneBatch(ways.rows()))
    const totals = {
      files: filesDone,
      volumes: known.volumes,
      copies: known.copies,
      goodCopies: known.goodCopies,
      places: known.places,
    }
    const note = await tables.complete(
      (parts): CatalogNote => ({
        schema: 'stowage.catalogTables/1',
        ...about,
        emptySha256: digestOf(SHA256_OF_NOTHING, key),
        paths: hasPaths,
        totals,
        parts: [...parts],
      }),
    )
    return { ...note, schema: 'stowage.catalogExport/1', folder: await take(name, force) }
  }
  return withTablesFolder(catalog, folder, write)
}

/** @throws AppError `exists`, and `bad-input` for a folder of fingerprints */
function requirePlace(folder: string, name: string, force: boolean): void {
  const tables = joinPath(folder, FORMAT_FOLDER)
  const target = joinPath(tables, name)
  if (lstatAt(target) !== null && !force)
    throw new AppError('exists', said`${pathForDisplay(target)} is already there (--force replaces it)`, {
      path: target,
    })
  if (isFolder(tables) && namesIn(tables).some((one) => one.startsWith('survey=')))
    throw new AppError(
      'bad-input',
      said`cannot export to ${pathForDisplay(folder)}: fingerprints are in it; catalogs need a folder of their own`,
      { path: folder },
    )
}

const SHA256_OF_NOTHING = createHash('sha256').digest('hex')

function digestOf(sha256: string, key: FingerprintKey | null): string {
  return key?.digest(sha256) ?? sha256
}

/** The lists of volumes that files need, each once. */
class Ways {
  readonly #heldAs: readonly number[]
  readonly #numbers = new Map<string, number>()
  readonly #lists: (readonly number[])[] = []

  /** @param heldAs the volumes' numbers in the tables */
  constructor(heldAs: readonly number[]) {
    this.#heldAs = heldAs
  }

  /** @param volumes their places among those that hold files */
  numberOf(volumes: readonly number[]): number {
    const list = volumes.map((place) => this.#heldAs[place] ?? -1)
    const name = list.join(' ')
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.#lists.length)
    return this.#lists.push(list) - 1
  }

  rows(): PartRows {
    const flat = this.#lists.flatMap((list, way) => list.map((volume) => ({ way, volume })))
    return [Int32Array.from(flat, ({ way }) => way), Int32Array.from(flat, ({ volume }) => volume)]
  }
}

async function* oneBatch(rows: PartRows): AsyncIterable<PartRows> {
  if ((rows[0]?.length ?? 0) > 0) yield rows
}

/** The files that volumes hold, each as often as it is there; without those of no known digest. */
async function* fileRows(
  held: Awaited<ReturnType<typeof knownTables>>['held'],
  ways: Ways,
  {
    key,
    hasPaths,
    pause,
    onFiles,
  }: {
    readonly key: FingerprintKey | null
    readonly hasPaths: boolean
    readonly pause: Pause
    onFiles(some: number): void
  },
): AsyncIterable<PartRows> {
  let digests: string[] = []
  let sizes: number[] = []
  let numbers: number[] = []
  let paths: string[] = []
  const rows = (): PartRows => [
    digests,
    BigInt64Array.from(sizes, (size) => BigInt(size)),
    Int32Array.from(numbers),
    paths,
  ]
  for (const page of held.files(hasPaths)) {
    for (const { sha256, bytes, source, volumes } of page) {
      if (sha256 === '') continue
      digests.push(digestOf(sha256.toLowerCase(), key))
      sizes.push(bytes)
      numbers.push(ways.numberOf(volumes))
      paths.push(source === null ? '' : pathFromBytes(source))
    }
    await pause()
    if (digests.length < FILES_AT_ONCE) continue
    yield rows()
    onFiles(digests.length)
    digests = []
    sizes = []
    numbers = []
    paths = []
  }
  if (digests.length === 0) return
  yield rows()
  onFiles(digests.length)
}
