import type { ColumnMetaData, Statistics } from 'hyparquet/src/types.js'
import type { ColumnSource, ParquetWriter } from 'hyparquet-writer'

/** Rows that are packed without a pause: some milliseconds of work. Fewer take more time in all. */
const PAGE_ROWS = 16_384

type Page = ParquetWriter['pendingIndexes'][number]
type Bound = NonNullable<Statistics['min_value']>

/**
 * Writes one group of rows in steps. The writer packs a whole group at once, during which nothing
 * else runs: here it gets each page of a column as a group of its own, and these become one.
 * @param columns all of the same length
 * @param range the rows of them, at least one
 * @param onStep takes what has been written since the last step, before the next one
 */
export async function writeRowGroup(
  parquet: ParquetWriter,
  columns: readonly ColumnSource[],
  range: { readonly from: number; readonly to: number },
  onStep: () => Promise<void>,
): Promise<void> {
  const { row_groups: groups, pendingIndexes: indexes, num_rows: rowsBefore } = parquet
  const [groupsBefore, indexesBefore] = [groups.length, indexes.length]
  const rows = range.to - range.from
  const united: Page[] = []
  for (const { data, ...column } of columns) {
    for (let from = range.from; from < range.to; from += PAGE_ROWS) {
      const some = data.slice(from, Math.min(range.to, from + PAGE_ROWS))
      // A column of a group can have one dictionary, which would be of one page only.
      const encoding = column.encoding ?? (rows > PAGE_ROWS ? 'PLAIN' : undefined)
      await parquet.write({
        columnData: [{ ...column, data: some, ...(encoding && { encoding }) }],
        rowGroupSize: PAGE_ROWS,
      })
      await onStep()
    }
    united.push(unitedPages(indexes.splice(indexesBefore)))
  }
  indexes.push(...united)
  groups.splice(groupsBefore, Number.POSITIVE_INFINITY, {
    columns: united.map(({ chunk }) => chunk),
    num_rows: BigInt(rows),
    total_byte_size: sumOf(united, 'total_uncompressed_size'),
    total_compressed_size: sumOf(united, 'total_compressed_size'),
  })
  parquet.num_rows = rowsBefore + BigInt(rows)
}

function metaOf({ chunk }: Page): ColumnMetaData {
  return chunk.meta_data as ColumnMetaData
}

function sumOf(
  pages: readonly Page[],
  what: 'num_values' | 'total_uncompressed_size' | 'total_compressed_size',
): bigint {
  return pages.reduce((sum, page) => sum + metaOf(page)[what], 0n)
}

/** The pages of one column, which follow one another in the file, as one. */
function unitedPages(pages: readonly Page[]): Page {
  const first = pages[0] as Page
  if (pages.length === 1) return first
  const chunk: Page['chunk'] = {
    ...first.chunk,
    meta_data: {
      ...metaOf(first),
      num_values: sumOf(pages, 'num_values'),
      total_uncompressed_size: sumOf(pages, 'total_uncompressed_size'),
      total_compressed_size: sumOf(pages, 'total_compressed_size'),
      statistics: {
        min_value: outermost(pages, 'min_value', -1),
        max_value: outermost(pages, 'max_value', 1),
        null_count: 0n,
      },
      encoding_stats: encodingStats(pages),
    },
  }
  let rows = 0n
  const locations = pages.flatMap((page) => {
    const { num_values: own, data_page_offset: offset, total_compressed_size: bytes } = metaOf(page)
    const before = rows
    rows += own
    // A page of texts that is too large has been divided.
    const parts = page.offsetIndex?.page_locations ?? [
      { offset, compressed_page_size: Number(bytes), first_row_index: 0n },
    ]
    return parts.map(({ offset: at, compressed_page_size, first_row_index: row }) => ({
      offset: at,
      compressed_page_size,
      first_row_index: before + row,
    }))
  })
  return { chunk, offsetIndex: { page_locations: locations } }
}

function encodingStats(pages: readonly Page[]): NonNullable<ColumnMetaData['encoding_stats']> {
  const all = pages.flatMap((page) => metaOf(page).encoding_stats ?? [])
  const [first] = all
  return first ? [{ ...first, count: all.reduce((sum, { count }) => sum + count, 0) }] : []
}

/** @param side -1 for the lowest value, 1 for the highest */
function outermost(pages: readonly Page[], bound: 'min_value' | 'max_value', side: -1 | 1): Bound {
  return pages
    .flatMap((page) => metaOf(page).statistics?.[bound] ?? [])
    .reduce((outer, own) => (ordered(own, outer) === side ? own : outer))
}

/** The order of Parquet's bounds: texts by their bytes. */
function ordered(one: Bound, other: Bound): number {
  if (typeof one === 'string' && typeof other === 'string')
    return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return one < other ? -1 : one > other ? 1 : 0
}
