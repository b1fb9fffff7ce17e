import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  GROUP_ROWS,
  type PartColumn,
  type PartRows,
  writePart,
} from '../../../../src/engine/fingerprints/parquetPart'

const COLUMNS: readonly PartColumn[] = [
  { name: 'hash', type: 'INT64' },
  { name: 'file', type: 'INT32' },
  { name: 'path', type: 'STRING' },
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'stowage-parquet-part-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
async function written(batches: readonly PartRows[], columns = COLUMNS) {
  const path = join(folder, `${++files}.parquet`)
  const part = await writePart(path, columns, { key: 'about', value: { is: 'whole' } }, each(batches))
  const bytes = readFileSync(path)
  const file = new Uint8Array(bytes).buffer
  return { part, bytes, file, metadata: parquetMetadata(file) }
}

async function* each(batches: readonly PartRows[]): AsyncIterable<PartRows> {
  yield* batches
}

/** Hashes from the lowest on, files in a scattered order, and texts made of each row's number. */
function rowsFrom(first: number, count: number, text: (row: number) => string): PartRows {
  const numbers = Array.from({ length: count }, (_, at) => first + at)
  return [
    BigInt64Array.from(numbers, (row) => -(2n ** 63n) + BigInt(row) * 2n ** 40n),
    Int32Array.from(numbers, (row) => Math.imul(row, 0x9e3779b1)),
    numbers.map(text),
  ]
}

function groupsOf({ row_groups: groups }: FileMetaData) {
  return groups.map(({ num_rows: rows, columns }) => ({
    rows: Number(rows),
    columns: columns.map(({ meta_data: meta }) => ({
      rows: Number(meta?.num_values),
      low: meta?.statistics?.min_value,
      high: meta?.statistics?.max_value,
      pages: meta?.encoding_stats?.reduce((sum, { count }) => sum + count, 0) ?? 0,
    })),
  }))
}

it('reads back every row of a group that has many pages', async () => {
  const rows = rowsFrom(0, 40_000, (row) => `/a/${row % 7 === 0 ? '' : 'Fotos ä'}/${row}`)
  const { part, bytes, file, metadata } = await written([rows])
  expect(part).toEqual({
    bytes: bytes.length,
    rows: 40_000,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })
  expect(metadata.key_value_metadata).toEqual([{ key: 'about', value: '{"is":"whole"}' }])
  const [hash, number, path] = rows
  const read = await parquetReadObjects({ file })
  expect(read).toEqual(
    Array.from({ length: 40_000 }, (_, at) => ({ hash: hash?.[at], file: number?.[at], path: path?.[at] })),
  )
  // By the places of pages alone.
  const some = await parquetReadObjects({ file, rowStart: 20_000, rowEnd: 20_003, useOffsetIndex: true })
  expect(some).toEqual(read.slice(20_000, 20_003))
})

it('describes a group by the lowest and highest value of all its pages', async () => {
  // By UTF-8 the sign beyond the basic plane is the highest, by UTF-16 it is not.
  const names = new Map([
    [1, '\u{1F600}'],
    [17_000, ''],
    [39_999, '\uFFFD'],
  ])
  const rows = rowsFrom(0, 40_000, (row) => names.get(row) ?? `m${row}`)
  const { metadata } = await written([rows])
  const [group] = groupsOf(metadata)
  const own = Array.from(rows[1] as Int32Array)
  expect(group?.columns).toMatchObject([
    { rows: 40_000, low: -(2n ** 63n), high: -(2n ** 63n) + 39_999n * 2n ** 40n },
    { rows: 40_000, low: Math.min(...own), high: Math.max(...own) },
    { rows: 40_000, low: '', high: '\u{1F600}' },
  ])
  for (const { pages } of group?.columns ?? []) expect(pages).toBeGreaterThan(1)
})

it('makes a group of each batch, and of a million rows at most', async () => {
  const columns = COLUMNS.slice(1, 2)
  const batches = [GROUP_ROWS + 3, 2].map((count) => [new Int32Array(count).fill(7)])
  const { part, metadata } = await written(batches, columns)
  expect(groupsOf(metadata).map(({ rows }) => rows)).toEqual([GROUP_ROWS, 3, 2])
  expect([part.rows, metadata.num_rows]).toEqual([GROUP_ROWS + 5, BigInt(GROUP_ROWS + 5)])
})

it('lets other work of the thread run between pages', async () => {
  let turns = 0
  const over = new AbortController()
  const writing = written([rowsFrom(0, 100_000, String)]).finally(() => over.abort())
  while (!over.signal.aborted) {
    await setImmediate()
    turns++
  }
  const { metadata } = await writing
  const pages = groupsOf(metadata)[0]?.columns.reduce((sum, column) => sum + column.pages, 0) ?? 0
  expect(pages).toBeGreaterThan(15)
  expect(turns).toBeGreaterThan(pages)
})
