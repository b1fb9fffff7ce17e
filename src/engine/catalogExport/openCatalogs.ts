import { parquetReadObjects } from 'hyparquet'
import {
  CATALOG_FOOTER_KEY,
  type CatalogNote,
  catalogNoteSchema,
} from '../../domain/fingerprints/catalogNote'
import { COPY_STATES } from '../../domain/sets/copies/copy'
import type { Way } from '../../domain/sets/copies/safety'
import type { ExportedCopies, ExportedCopy } from '../../domain/sets/copies/unitedCopies'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { joinPath } from '../files/fileSystem'
import { onPart } from '../fingerprints/partFile'
import {
  type CheckedTables,
  type Following,
  openAllTables,
  openTableNotes,
  type TableKind,
} from '../fingerprints/tableFolders'
import { CATALOG_COLUMNS, type CatalogTable, catalogPart } from './catalogTables'

const TABLES = Object.keys(CATALOG_COLUMNS) as CatalogTable[]

const CATALOGS: TableKind<CatalogNote> = {
  folderKey: 'catalog',
  footerKey: CATALOG_FOOTER_KEY,
  schema: catalogNoteSchema,
  idOf: ({ catalog }) => catalog,
  partsOf: ({ format, catalog, key, createdWallMs }) =>
    new Map(
      TABLES.map((table) => [
        catalogPart(table),
        { columns: CATALOG_COLUMNS[table], footer: { format, catalog, key, createdWallMs, table } },
      ]),
    ),
  words: {
    noneThere: () => said`there is no exported catalog in it`,
    alienFolder: () => said`it is not the folder of a catalog`,
    notItsNote: () => said`it is damaged, or no note of an exported catalog`,
    otherId: (id) => said`it holds catalog ${id}`,
    otherParts: () => said`its parts are not those of a catalog`,
    alienFile: () => said`it is not one of the catalog's parts`,
    givenTwice: (id, one, other) => said`catalog ${id} is given twice: ${one} and ${other}`,
  },
}

/** An exported catalog whose parts are all as its note says. */
export type CheckedCatalog = CheckedTables<CatalogNote>

/**
 * Reads and checks every part of the exported catalogs in these folders.
 * @throws AppError as `openAllTables`
 */
export function openAllCatalogs(
  folders: readonly string[],
  following: Following = {},
): Promise<CheckedCatalog[]> {
  return openAllTables(CATALOGS, folders, following)
}

/**
 * The notes of the exported catalogs in these folders, whose parts are not looked at.
 * @throws AppError as `openTableNotes`
 */
export function openCatalogNotes(folders: readonly string[]): Promise<CheckedCatalog[]> {
  return openTableNotes(CATALOGS, folders)
}

/** Everything that a catalog's tables say but the files. */
export interface KnownOfCatalog extends ExportedCopies {
  /** The volumes that each way needs, by its number. */
  readonly ways: readonly Way[]
  /** The copies in the folders of a survey, by its ID. */
  readonly inside: ReadonlyMap<string, ReadonlySet<number>>
}

type Row = Readonly<Record<string, unknown>>

/**
 * The copies of a catalog and the ways to its files, from its tables.
 * @throws AppError `bad-input` that names the file, for numbers that lead nowhere
 */
export async function readKnown({ folder, note }: CheckedCatalog): Promise<KnownOfCatalog> {
  const rows = {} as Record<Exclude<CatalogTable, 'files'>, Row[]>
  for (const table of ['volumes', 'copies', 'disks', 'places', 'inside', 'ways'] as const)
    rows[table] = await rowsOf(joinPath(folder, catalogPart(table)))
  const requireBelow = (table: CatalogTable, column: string, most: number, least = 0): void => {
    for (const row of table === 'files' ? [] : rows[table]) {
      const number = Number(row[column])
      if (number >= least && number < most) continue
      const path = joinPath(folder, catalogPart(table))
      throw new AppError(
        'bad-input',
        said`cannot use ${pathForDisplay(path)}: its column ${column} has ${number}, which is not there`,
        { path },
      )
    }
  }
  requireBelow('copies', 'volume', rows.volumes.length)
  requireBelow('copies', 'place', rows.places.length, -1)
  for (const table of ['disks', 'inside'] as const) requireBelow(table, 'copy', rows.copies.length)
  requireBelow('ways', 'volume', rows.volumes.length)
  requireBelow('ways', 'way', rows.ways.length)
  const disks = Map.groupBy(rows.disks, ({ copy }) => Number(copy))
  const inside = Map.groupBy(rows.inside, ({ survey }) => String(survey))
  const ways: number[][] = []
  for (const { way, volume } of rows.ways) (ways[Number(way)] ??= []).push(Number(volume))
  return {
    exportedWallMs: note.createdWallMs,
    volumes: rows.volumes.length,
    copies: rows.copies.map((row, at) =>
      copyOf(row, {
        volume: rows.volumes[Number(row['volume'])] ?? {},
        place: rows.places[Number(row['place'])],
        disks: (disks.get(at) ?? []).map(({ disk }) => String(disk)),
      }),
    ),
    ways: Array.from(ways, (way) => way ?? []),
    inside: new Map(
      [...inside].map(([survey, own]) => [survey, new Set(own.map(({ copy }) => Number(copy)))]),
    ),
  }
}

function copyOf(
  row: Row,
  of: { readonly volume: Row; readonly place: Row | undefined; readonly disks: readonly string[] },
): ExportedCopy {
  const timeOf = (column: string): number | null => Number(row[column]) || null
  const textOf = (column: string): string | null => String(row[column]) || null
  const found = textOf('found')
  return {
    volume: Number(row['volume']),
    of: `${String(of.volume['plan']) || String(of.volume['set_id'])} ${Number(of.volume['number'])}`,
    copy: Number(row['number']),
    place: of.place ? String(of.place['name']) : null,
    medium: textOf('medium'),
    // A state of a later version is none that counts.
    state: COPY_STATES.find((state) => state === row['state']) ?? 'unverified',
    verifiedWallMs: timeOf('verified_ms'),
    verifyByWallMs: timeOf('verify_by_ms'),
    madeBy: textOf('made_by'),
    isMissing: found === 'gone' || found === 'other',
    disks: of.disks,
  }
}

async function rowsOf(path: string): Promise<Row[]> {
  const rows: Row[] = []
  for await (const some of onPart(path, async function* (file) {
    yield await parquetReadObjects({ file })
  }))
    for (const row of some) rows.push(row)
  return rows
}
