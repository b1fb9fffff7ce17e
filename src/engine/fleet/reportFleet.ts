import { unitedSchemes } from '../../domain/fingerprints/fingerprintCheck'
import {
  FILES_SCHEME,
  FLEET_REPORT_SCHEMA,
  type FleetReport,
  type FleetScheme,
} from '../../domain/fleet/fleetReport'
import { added, NO_SUMS, type Sums, sampledBytes } from '../../domain/fleet/sampledBytes'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { type CheckedFingerprints, openAllFingerprints } from '../fingerprints/checkFingerprints'
import { partName } from '../fingerprints/fingerprintTables'
import type { JobContext } from '../jobs/jobContext'
import { type Bounds, type Database, tableBytes, withDuckdb } from './duckdb'
import type { DuckdbPlace } from './duckdbPlace'
import { definePrints, type HashRange, keptRange, type PrintsOf, partOfRange } from './prints'
import { defineShared, QUERIES } from './sharedSql'

export interface FleetRequest {
  /** Absolute paths of folders of fingerprints. */
  readonly folders: readonly string[]
  /** Names of schemes; empty for all. */
  readonly schemes: readonly string[]
  readonly tables: readonly 'pairs'[]
  readonly bounds: Bounds
}

/** Memory of a row while it is grouped: measured, with a margin. */
const GROUPED_ROW_BYTES = 160

/** A way of cutting with the sources that have it. */
interface Asked extends PrintsOf {
  readonly name: string
  readonly nominalBytes: number | null
  readonly shift: number
  readonly sharesDiffer: boolean
  readonly rows: number
}

/**
 * Checks the fingerprints, then asks the database for one scheme and one range of hashes after the
 * other, so that each fits into memory.
 * @throws AppError as `openAllFingerprints` and `withDuckdb`; `usage` for a scheme that none has
 */
export async function reportFleet(
  request: FleetRequest,
  place: DuckdbPlace,
  context: JobContext,
): Promise<FleetReport> {
  const { signal } = context
  const checked = await openAllFingerprints(request.folders, {
    signal,
    onBytes: (done, total) => tell(context, 1, done, total),
  })
  const asked = askedSchemes(checked, request.schemes)
  const total = asked.reduce((sum, { rows }) => sum + rows, 0)
  let before = 0
  const schemes = await withDuckdb(place, request.bounds, signal, async (database) => {
    const all: FleetScheme[] = []
    for (const one of asked) {
      all.push(
        await schemeFigures(database, one, checked, request, (share) =>
          tell(context, 2, Math.round(before + share * one.rows), total),
        ),
      )
      before += one.rows
    }
    return all
  })
  return {
    schema: FLEET_REPORT_SCHEMA,
    sources: checked.map(({ folder, note: { survey, createdWallMs, totals } }) => ({
      survey,
      folder,
      createdWallMs,
      ...totals,
    })),
    key: checked[0]?.note.key ?? null,
    schemes,
  }
}

const PHASES = ['checking', 'comparing'] as const

/** @param total bytes that are checked, or rows that are compared */
function tell({ progress }: JobContext, index: 1 | 2, done: number, total: number): void {
  progress({
    phase: { index, count: PHASES.length, name: PHASES[index - 1] ?? '' },
    filesDone: 0,
    filesTotal: null,
    bytesDone: index === 1 ? done : 0,
    bytesTotal: index === 1 ? total : null,
    current: null,
    work: [
      { kind: 'checking', unit: 'bytes', done: index === 1 ? done : total, total },
      { kind: 'comparing', unit: 'bytes', done: index === 1 ? 0 : done, total, isCalculated: true },
    ],
  })
}

function askedSchemes(checked: readonly CheckedFingerprints[], names: readonly string[]): Asked[] {
  const sources = checked.map((fingerprints, index) => ({ index, fingerprints }))
  const rowsOf = (table: PrintsOf['table'], scheme?: string): number =>
    checked.reduce(
      (sum, { note }) => sum + (note.parts.find(({ name }) => name === partName(table, scheme))?.rows ?? 0),
      0,
    )
  const all: Asked[] = [
    ...unitedSchemes(checked.map(({ note }) => note)).map(
      ({ name, table, nominalBytes, shift, sharesDiffer }) => ({
        name,
        table,
        scheme: name,
        nominalBytes,
        shift,
        sharesDiffer,
        rows: rowsOf(table, name),
        sources: sources.filter(({ fingerprints: { note } }) =>
          note.schemes.some((scheme) => scheme.name === name),
        ),
      }),
    ),
    {
      name: FILES_SCHEME,
      table: 'contents',
      scheme: undefined,
      nominalBytes: null,
      shift: 0,
      sharesDiffer: false,
      rows: rowsOf('contents'),
      sources,
    },
  ]
  const unknown = names.find((name) => !all.some((one) => one.name === name))
  if (unknown !== undefined)
    throw new AppError(
      'usage',
      said`no fingerprints of ${unknown} are there, but of ${all.map(({ name }) => name).join(', ')}`,
    )
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
}

/** Sums by the sources' places. */
interface Counted {
  readonly own: Map<number, Sums>
  readonly adds: Map<number, Sums>
  readonly onlyHere: Map<number, Sums>
  /** By `one other`. */
  readonly pairs: Map<string, Sums>
}

async function schemeFigures(
  database: Database,
  asked: Asked,
  checked: readonly CheckedFingerprints[],
  { tables, bounds }: FleetRequest,
  onShare: (share: number) => void,
): Promise<FleetScheme> {
  const counted: Counted = { own: new Map(), adds: new Map(), onlyHere: new Map(), pairs: new Map() }
  await inRanges(keptRange(asked.shift), asked.rows, bounds, onShare, async (range) => {
    await definePrints(database, asked, range)
    await defineShared(database)
    await count(database, counted, tables.includes('pairs'))
  })
  const { name, table, nominalBytes, shift, sharesDiffer, sources } = asked
  const bytesOf = (index: number): number => checked[index]?.note.totals.bytes ?? 0
  const totalBytes = sources.reduce((sum, { index }) => sum + bytesOf(index), 0)
  const figure = (sums: Sums | undefined, most: number) =>
    sampledBytes(sums ?? NO_SUMS, shift, { typicalBytes: nominalBytes ?? 0, most })
  const union = [...counted.adds.values()].reduce(added, NO_SUMS)
  return {
    name,
    table,
    nominalBytes,
    shift,
    sharesDiffer,
    missing: checked.flatMap((_, index) => (sources.some((one) => one.index === index) ? [] : [index])),
    totalBytes,
    unique: figure(union, totalBytes),
    sources: sources.map(({ index }) => ({
      source: index,
      unique: figure(counted.own.get(index), bytesOf(index)),
      adds: figure(counted.adds.get(index), bytesOf(index)),
      onlyHere: figure(counted.onlyHere.get(index), bytesOf(index)),
    })),
    ...(tables.includes('pairs') && {
      pairs: [...counted.pairs]
        .map(([key, sums]) => {
          const [one = 0, other = 0] = key.split(' ').map(Number)
          return { one, other, shared: figure(sums, Math.min(bytesOf(one), bytesOf(other))) }
        })
        .toSorted((a, b) => b.shared.bytes - a.shared.bytes || a.one - b.one || a.other - b.other),
    }),
  }
}

const SUMS = { contents: 'whole', bytes: 'whole', squares: 'whole' } as const

/** Adds the answers for the rows that are defined now. */
async function count(database: Database, counted: Counted, withPairs: boolean): Promise<void> {
  const add = <K>(to: Map<K, Sums>, key: K, sums: Sums): void =>
    void to.set(key, added(to.get(key) ?? NO_SUMS, sums))
  for await (const row of database.rows(QUERIES.own, { source: 'number', ...SUMS }))
    add(counted.own, row.source, row)
  for await (const row of database.rows(QUERIES.new, { source: 'number', only_here: 'number', ...SUMS })) {
    add(counted.adds, row.source, row)
    if (row.only_here === 1) add(counted.onlyHere, row.source, row)
  }
  if (!withPairs) return
  for await (const row of database.rows(QUERIES.pairs, { one: 'number', other: 'number', ...SUMS }))
    add(counted.pairs, `${row.one} ${row.other}`, row)
}

/**
 * Goes through a range of hashes in parts that fit into memory.
 * @param rows in the range, by which their parts are equally large
 */
async function inRanges(
  all: HashRange,
  rows: number,
  bounds: Bounds,
  onShare: (share: number) => void,
  work: (range: HashRange) => Promise<void>,
): Promise<void> {
  const parts = Math.max(1, Math.ceil((rows * GROUPED_ROW_BYTES) / tableBytes(bounds)))
  for (let index = 0; index < parts; index++) {
    await work(partOfRange(all, index, parts))
    onShare((index + 1) / parts)
  }
}
