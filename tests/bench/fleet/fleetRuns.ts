import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type CompleteNote, FOOTER_KEY } from '../../../src/domain/fingerprints/completeNote'
import { type CountedScheme, numbersOf, SumsByGroup } from '../../../src/domain/fleet/fleetCounts'
import { figureOf } from '../../../src/domain/fleet/fleetReport'
import type { CheckedFingerprints } from '../../../src/engine/fingerprints/checkFingerprints'
import { HASH_COLUMNS, partName } from '../../../src/engine/fingerprints/fingerprintTables'
import { type PartRows, writePart } from '../../../src/engine/fingerprints/parquetPart'
import { countScheme } from '../../../src/engine/fleet/countScheme'
import { type Bounds, type Database, withDuckdb } from '../../../src/engine/fleet/duckdb'
import type { DuckdbPlace } from '../../../src/engine/fleet/duckdbPlace'
import { type HashRange, keptRange } from '../../../src/engine/fleet/prints'

/** The part of DuckDB's place that a bench names. */
export type Place = DuckdbPlace

/** A scheme of fingerprints without the rest of a survey: enough to be counted. */
function checkedAt(folder: string, name: string): CheckedFingerprints {
  return { folder, note: { survey: name } as CompleteNote }
}

/** The classes of contents: which of the three sources have them, by the number of ten that a content has. */
const CLASSES = [[0], [0], [1], [1], [2], [2], [0, 1], [0, 1], [1, 2], [0, 1, 2]] as const

export interface Truth {
  readonly contents: number
  readonly rows: number
  readonly unique: bigint
  readonly adds: readonly bigint[]
  readonly pairs: Readonly<Record<string, bigint>>
  /** The hashes of the piece. */
  readonly range: HashRange
}

/**
 * Writes a piece of three sources with known overlaps by DuckDB itself, sorted by hash without sorting: each content's hash lies
 * at random within its own step. Lengths are 1 to 1,048,576 by the content's number.
 * @param contents of all pieces
 */
export async function writeLarge(
  folder: string,
  contents: number,
  piece: { readonly from: number; readonly to: number },
  place: Place,
  bounds: Bounds,
): Promise<Truth> {
  const made = `range(${piece.from}, ${piece.to}) t(k)`
  const step = (1n << 64n) / BigInt(contents)
  const lengthOf = `1 + ((k * 2654435761) & 1048575)`
  const truth = { unique: 0n, adds: [0n, 0n, 0n], pairs: {} as Record<string, bigint> }
  let rows = 0
  await withDuckdb(place, bounds, new AbortController().signal, async (database) => {
    for (const source of [0, 1, 2]) {
      const path = join(folder, `s${source}`, partName('chunks', 'made'))
      mkdirSync(join(path, '..'), { recursive: true })
      const classes = CLASSES.flatMap((sources, at) =>
        (sources as readonly number[]).includes(source) ? [at] : [],
      )
      rows += (classes.length * (piece.to - piece.from)) / CLASSES.length
      await database.run(`COPY (SELECT
          CAST(CAST(k AS HUGEINT) * ${step} - 9223372036854775808 + hash(k) % ${step} AS BIGINT) AS hash,
          CAST(${lengthOf} AS BIGINT) AS bytes, CAST(k & 131071 AS INT) AS file, 1 AS count
        FROM ${made} WHERE k % ${CLASSES.length} IN (${classes.join(', ')}))
        TO '${path}' (FORMAT parquet, PARQUET_VERSION v2, COMPRESSION snappy, ROW_GROUP_SIZE 1000000)`)
    }
    const sums = `SELECT k % ${CLASSES.length} AS class, CAST(SUM(${lengthOf}) AS DECIMAL(38, 0)) AS bytes
      FROM ${made} GROUP BY class`
    for await (const { class: at, bytes } of database.rows(sums, { class: 'number', bytes: 'whole' })) {
      const sources = CLASSES[at] ?? []
      truth.unique += bytes
      truth.adds[sources[0] ?? 0] = (truth.adds[sources[0] ?? 0] ?? 0n) + bytes
      for (const one of sources)
        for (const other of sources)
          if (one < other) truth.pairs[`${one} ${other}`] = (truth.pairs[`${one} ${other}`] ?? 0n) + bytes
    }
  })
  const range = { from: BigInt(piece.from) * step, to: BigInt(piece.to) * step }
  return { contents: piece.to - piece.from, rows, range, ...truth }
}

/** Counts the piece that `writeLarge` has written, in ranges. */
export async function countLarge(
  folder: string,
  rows: number,
  range: HashRange,
  place: Place,
  bounds: Bounds,
  withPairs: boolean,
  onShare: (share: number) => void,
): Promise<{ unique: bigint; contents: bigint; adds: bigint[]; pairs: Record<string, bigint> }> {
  const counted = await withDuckdb(place, bounds, new AbortController().signal, (database) =>
    countMade(
      database,
      [0, 1, 2].map((source) => join(folder, `s${source}`)),
      'made',
      { shift: 0, range },
      rows,
      bounds,
      withPairs,
      onShare,
    ),
  )
  const adds = new SumsByGroup()
  adds.addAll(counted.adds)
  return {
    unique: adds.all.bytes,
    contents: adds.all.contents,
    adds: [0, 1, 2].map((source) => adds.of(source).bytes),
    pairs: Object.fromEntries(
      (counted.pairs ?? []).map(({ group, other, bytes }) => [`${group} ${other}`, BigInt(bytes)]),
    ),
  }
}

function countMade(
  database: Database,
  folders: readonly string[],
  name: string,
  { shift, range }: { readonly shift: number; readonly range: HashRange },
  rows: number,
  bounds: Bounds,
  withPairs: boolean,
  onShare: (share: number) => void,
): Promise<CountedScheme> {
  const asked = {
    table: 'chunks' as const,
    scheme: name,
    manyGroup: null,
    sources: folders.map((folder, index) => ({ index, fingerprints: checkedAt(folder, String(index)) })),
    facts: { name, table: 'chunks' as const, nominalBytes: null, shift, sharesDiffer: false, missing: [] },
    rows,
  }
  return countScheme(database, asked, range, { withPairs, bounds, rows, onShare })
}

/** A way of cutting for the bench of ranges. */
export interface MadeScheme {
  readonly name: string
  readonly nominalBytes: number
  readonly shift: number
  /** Lengths differ as those of chunks do. */
  readonly isChunked: boolean
}

/** A figure that was estimated, and the one that the generator knows. */
export interface Tried {
  readonly scheme: string
  readonly figure: string
  readonly kept: number
  readonly isWithin: boolean
  /** The half width of the range, relative to the true value. */
  readonly width: number
  readonly error: number
}

/**
 * Draws the contents of two sources at random, keeps the share that their hashes say, lets the database count them, and
 * compares the ranges of its figures with what was drawn.
 */
export async function tryRanges(
  folder: string,
  schemes: readonly MadeScheme[],
  sourceBytes: number,
  random: () => number,
  database: Database,
  bounds: Bounds,
): Promise<Tried[]> {
  const tried: Tried[] = []
  for (const { name, nominalBytes, shift, isChunked } of schemes) {
    const scale = 2 ** shift
    const contents = Math.ceil((1.5 * sourceBytes) / nominalBytes)
    const kept: [bigint, bigint][][] = [[], []]
    const truth = [0, 0, 0]
    for (let at = 0; at < contents; at++) {
      // A third is in the first alone, in the second alone, and in both.
      const where = at % 3
      const length = isChunked
        ? Math.ceil(nominalBytes * (0.25 - 0.75 * Math.log(1 - random())))
        : nominalBytes
      truth[where] = (truth[where] ?? 0) + length
      if (random() * scale >= 1) continue
      const hash = -(1n << 63n) + BigInt(Math.floor(random() * 2 ** (63 - shift))) * 2n
      for (const source of [0, 1])
        if (where === 2 || where === source) kept[source]?.push([hash, BigInt(length)])
    }
    const folders = [0, 1].map((source) => join(folder, `r${source}`))
    for (const [source, rows] of kept.entries()) {
      const path = join(folders[source] ?? '', partName('chunks', name))
      mkdirSync(join(path, '..'), { recursive: true })
      rmSync(path, { force: true })
      rows.sort(([a], [b]) => (a < b ? -1 : 1))
      await writePart(path, HASH_COLUMNS, { key: FOOTER_KEY, value: {} }, batchOf(rows))
    }
    const counted = await countMade(
      database,
      folders,
      name,
      { shift, range: keptRange(shift) },
      contents,
      bounds,
      true,
      () => undefined,
    )
    const [a = 0, b = 0, both = 0] = truth
    const adds = new SumsByGroup()
    adds.addAll(counted.adds)
    const [pair] = counted.pairs ?? []
    const NONE = { contents: '0', bytes: '0', squares: '0' }
    const figures = [
      ['unique', adds.all, a + b + both, 2 * (a + b + both)],
      ['new of the second', adds.of(1), b, b + both],
      ['in common', numbersOf(pair ?? NONE), both, Math.min(a, b) + both],
    ] as const
    for (const [figure, sums, value, most] of figures) {
      const {
        bytes,
        low,
        high,
        kept: number,
      } = figureOf(sums, { shift, nominalBytes, isCertain: true }, most)
      tried.push({
        scheme: name,
        figure,
        kept: number,
        isWithin: low <= value && value <= high,
        width: (high - low) / 2 / value,
        error: bytes / value - 1,
      })
    }
  }
  return tried
}

async function* batchOf(rows: readonly (readonly [bigint, bigint])[]): AsyncIterable<PartRows> {
  yield [
    BigInt64Array.from(rows, ([hash]) => hash),
    BigInt64Array.from(rows, ([, bytes]) => bytes),
    new Int32Array(rows.length),
    new Int32Array(rows.length).fill(1),
  ]
}

export { withDuckdb } from '../../../src/engine/fleet/duckdb'
