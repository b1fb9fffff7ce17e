import type { Estimate } from '../../../primitives/estimate'
import { formatBlockSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import { packWork, unpackWork } from '../cost/codecTimes'
import { estimateOf, scaled, sumTogether, within } from '../cost/estimateParts'
import { workTime } from '../cost/rates'
import type { OptionFacts, SurveyFacts } from '../facts'
import { RISKS, ZFS_READERS } from '../recipes/readers'
import type { RecipeOf } from '../recipes/recipe'
import type { OptionFamily, Variant } from '../recipes/variant'
import { none, variantOf } from '../recipes/variantDraft'
import {
  type CombinedRow,
  certain,
  compressionOf,
  type FixedBlockRow,
  filledFiles,
  forecastOf,
  meanFileBytes,
  roundedUp,
} from '../surveyFigures'
import { recordsOnce, sampledSize } from './zfsRecords'

const KIB = 1024
const MIB = 1024 * KIB
/** ashift 12, what OpenZFS takes for disks of today; older pools have 512. */
const SECTOR = 4096
/**
 * `recordsize`: powers of two from 512 B to 16 MiB; a survey has those that it counted blocks of.
 */
const RECORDS = Array.from({ length: 16 }, (_, power) => 512 * 2 ** power)
const CODECS = ['lz4', 'zstd-3', 'gzip-6', 'gzip-9'] as const

/**
 * The bytes of a record: a block pointer of 128 bytes in an indirect block, which is compressed to
 * a half to a quarter and stored twice (OpenZFS, spa.h: SPA_BLKPTRSHIFT; zfsconcepts(7)). Those of
 * a file: a dnode of 512, and its entry in a folder, with the same.
 */
const POINTER_BYTES = 128
const FILE_BYTES = 600
const META_COPIES = 2
const META_RATIO = 0.35
const META_LOW = 0.2
const META_HIGH = 1
/**
 * On disk of an entry of the table: 313 to 1,105 bytes were reported by users of OpenZFS; 120 with
 * fast dedup.
 */
const TABLE_DISK_BYTES = 350
const TABLE_DISK_LOW = 120
const TABLE_DISK_HIGH = 1105
/** Without a table: ZFS keeps what it reads, but gives it back. */
const RAM_BASE = 64 * MIB

/**
 * Datasets of OpenZFS: records of one size, compressed or not, each different one once or all of
 * them.
 */
export const zfsFamily: OptionFamily = { variants: (facts) => zfsVariants(facts, SECTOR) }

/**
 * The same on a pool with sectors of 512 or 4,096 bytes. Sectors are no part of a recipe's name:
 * they are the disk's.
 */
export function zfsVariants(facts: OptionFacts, sectorBytes: 512 | 4096): Variant[] {
  return zfsDatasets(facts, sectorBytes).map((dataset) => variant(facts, dataset))
}

/** The bytes of every dataset's records, without pointers, dnodes and tables. */
export function zfsDatasets({ survey }: Pick<OptionFacts, 'survey'>, sectorBytes: 512 | 4096): Dataset[] {
  return RECORDS.flatMap((recordBytes) => {
    const pool = { recordBytes, sectorBytes }
    const packed = CODECS.flatMap((codec) => compressedRecords(survey, pool, codec))
    return uncompressed(survey, pool).concat(packed.map((each) => noMoreThanGzip6(each, packed)))
  })
}

/** Deflate searches longer at level 9 than at level 6: the forecast of the faster one bounds it. */
function noMoreThanGzip6(dataset: Dataset, all: readonly Dataset[]): Dataset {
  const isOnce = dataset.table !== null
  const quick = all.find(({ codec, table }) => codec === 'gzip-6' && (table !== null) === isOnce)
  if (dataset.codec !== 'gzip-9' || !quick) return dataset
  const least = (end: 'value' | 'low' | 'high'): number => Math.min(dataset.data[end], quick.data[end])
  const span = { value: least('value'), low: least('low'), high: least('high') }
  return { ...dataset, data: estimateOf(span, 'modelled', dataset.data.basis) }
}

interface Pool {
  readonly recordBytes: number
  readonly sectorBytes: 512 | 4096
}

interface Dataset extends Pool {
  readonly codec: RecipeOf<'zfs'>['codec']
  readonly records: number
  readonly data: Estimate
  /** Entries of the table; null without deduplication. */
  readonly table: Estimate | null
}

function uncompressed(survey: SurveyFacts, pool: Pool): Dataset[] {
  const row = survey.fixedBlocks.find((one) => one.blockSize === pool.recordBytes)
  if (!row) return []
  const shape = { ...pool, codec: null, records: row.blocks }
  const all = allocated(survey, pool)
  const table = spread(row.uniqueBlocks, row)
  const once = allocatedOnce(survey, pool, row, all)
  return [
    { ...shape, data: once, table },
    { ...shape, data: all, table: null },
  ]
}

/**
 * Records without compression: a file that fits one record has one, in whole sectors; a longer one
 * has only whole records, the last filled up (dmu_tx and zfs_write of OpenZFS). What filling up the
 * last sector of all files takes is known where blocks of a sector were counted; how much of it the
 * short files have, by their number.
 */
function allocated(survey: SurveyFacts, { recordBytes, sectorBytes }: Pool): Estimate {
  const row = survey.fixedBlocks.find((one) => one.blockSize === recordBytes)
  const sectors = roundedUp(survey, sectorBytes)
  // A record shorter than a sector takes a whole one.
  if (row && recordBytes <= sectorBytes)
    return estimateOf(certain(row.blocks * sectorBytes), 'modelled', said`records in whole sectors, counted`)
  if (!row) return estimateOf(sectors, 'modelled', said`files in whole sectors, counted`)
  const short = { files: 0, bytes: 0 }
  for (const bin of survey.sizeHistogram) {
    if ((bin.toBytes ?? Number.POSITIVE_INFINITY) > recordBytes || bin.bytes === 0) continue
    short.files += bin.files
    short.bytes += bin.bytes
  }
  const { bytes } = survey.totals
  const files = filledFiles(survey)
  const longRoom = Math.max(0, files - short.files) * sectorBytes
  const shortRoom = short.files * sectorBytes
  const padding = (all: number): number => Math.max(0, all - bytes)
  const large = Math.max(0, row.blocks - short.files) * recordBytes + short.bytes
  return estimateOf(
    {
      value: large + Math.min(shortRoom, files > 0 ? (padding(sectors.value) * short.files) / files : 0),
      low: large + Math.min(shortRoom, Math.max(0, padding(sectors.low) - longRoom)),
      high: large + Math.min(shortRoom, padding(sectors.high)),
    },
    'modelled',
    said`small files in whole sectors, larger ones in whole records`,
  )
}

/**
 * The same, each different record once: what fills them up is theirs in proportion, and any part of
 * it at the ends of the range.
 */
function allocatedOnce({ totals }: SurveyFacts, pool: Pool, row: FixedBlockRow, all: Estimate): Estimate {
  const basis = said`distinct records, counted, in whole sectors`
  if (pool.recordBytes <= pool.sectorBytes)
    return scaled(spread(row.uniqueBlocks, row), pool.sectorBytes, basis)
  const padding = (end: number): number => Math.max(0, end - totals.bytes)
  const share = row.blocks > 0 ? row.uniqueBlocks / row.blocks : 1
  return estimateOf(
    {
      value: Math.min(all.value, row.uniqueBytes + padding(all.value) * share),
      low: Math.min(all.low, row.low),
      high: Math.min(all.high, row.high + padding(all.high)),
    },
    'modelled',
    basis,
  )
}

/**
 * The end of a long file, filled up with zeros, and a short file of the same bytes are two records,
 * and one block to the survey: at most so many more records than blocks (1 of 28,410 in two
 * packages' sources).
 */
const FILLED_ENDS = 0.001

function spread(entries: number, row: FixedBlockRow): Estimate {
  const end = (value: number): number => (row.uniqueBytes > 0 ? value / row.uniqueBytes : 1)
  const most = Math.ceil(entries * end(row.high) * (1 + FILLED_ENDS))
  return estimateOf(
    { value: entries, low: entries * end(row.low), high: Math.min(row.blocks, most) },
    'measured',
    said`distinct records, counted`,
  )
}

function compressedRecords(survey: SurveyFacts, pool: Pool, codec: (typeof CODECS)[number]): Dataset[] {
  const { recordBytes, sectorBytes } = pool
  const row = recordsOnce(survey, 'zfs', codec, recordBytes, sectorBytes)
  const blocks = survey.fixedBlocks.find((one) => one.blockSize === recordBytes)
  if (!row || !blocks) return []
  const shape = { ...pool, codec, records: blocks.blocks }
  const data = forecastOf(
    row,
    said`distinct records, as ZFS allocates samples of them: whole sectors, compressed if an eighth is saved`,
  )
  const table = estimateOf(
    { value: row.tableEntries, low: row.tableEntriesLow, high: row.tableEntriesHigh },
    'modelled',
    said`distinct records that are neither zeros nor within their block pointer`,
  )
  const all = withoutTable(survey, row, pool, blocks)
  return [{ ...shape, data, table }, ...(all ? [{ ...shape, data: all, table: null }] : [])]
}

/**
 * Without deduplication: what all records compress to, as the survey's samples of them say, and of
 * what fills up their sectors as much more as there are more records. Null where the survey has
 * only one of the two figures of such records.
 */
function withoutTable(
  survey: SurveyFacts,
  row: CombinedRow,
  pool: Pool,
  blocks: FixedBlockRow,
): Estimate | null {
  const every = compressionOf(survey, row.codec, sampledSize(pool.recordBytes))
  const once = recordsOnce(survey, 'deduplicate-compress', row.codec, pool.recordBytes, 1)
  // Zeros are holes: they are no part of any of these.
  const differing = blocks.uniqueBlocks - (blocks.zeroBlocks > 0 ? 1 : 0)
  if (!every || !once || row.predictedBytes === 0 || differing === 0) return null
  const times = (blocks.blocks - blocks.zeroBlocks) / differing
  const filled = row.predictedBytes - once.predictedBytes
  const more = (every.predictedBytes + filled * times) / row.predictedBytes
  const basis = said`all records as samples compress, and their sectors filled up as often as there are records`
  const factor = within(Math.max(1, more), 0.05, 'modelled', basis)
  const kept = forecastOf(row, basis)
  const most = allocated(survey, pool).high
  const wide = estimateOf(
    {
      value: Math.min(most, kept.value * factor.value),
      low: Math.min(most, kept.low * factor.low),
      high: Math.min(most, kept.high * factor.high),
    },
    'modelled',
    basis,
  )
  return wide
}

function variant(facts: OptionFacts, shape: Dataset): Variant {
  const { survey, machine } = facts
  const { files, folders, bytes } = survey.totals
  const { codec, recordBytes, table, data } = shape
  const size = formatBlockSize(recordBytes)
  const meta = metadata(shape.records, files + folders, table)
  const basis = table
    ? said`${data.basis}; plus pointers, dnodes and the table`
    : said`${data.basis}; plus pointers and dnodes`
  const stored = sumTogether([data, meta], basis)
  const row = codec === null ? undefined : compressionOf(survey, codec, sampledSize(recordBytes))
  const packing = codec === null ? null : packWork(bytes, codec, sampledSize(recordBytes), facts, 'records')
  const own = workTime('zfs.pack', { file: files, byte: bytes }, machine)
  const ram = table
    ? scaled(
        table,
        facts.tableEntryBytes,
        said`the table: ${facts.tableEntryBytes} bytes per distinct record, always in memory`,
      )
    : null
  const cache = within(RAM_BASE, 0.5, 'assumed', said`minimum that ZFS needs; it releases cache above that`)
  const unpacking =
    codec === null ? none(said`nothing is compressed`) : unpackWork(bytes, codec, row, machine)
  const packed = codec === null ? said`uncompressed` : codec.replace('-', ' ')
  return variantOf({
    recipe: { family: 'zfs', recordBytes, codec, deduplicates: table !== null },
    title: table
      ? said`ZFS, records of ${size}, ${packed}, deduplicated`
      : said`ZFS, records of ${size}, ${packed}`,
    container: 'zfs',
    reduction: reductionOf(codec, table !== null),
    codec,
    recordBytes,
    storedBytes: stored,
    packSeconds: packing ? sumTogether([packing, own], said`${packing.basis}, and ${own.basis}`) : own,
    packThreads: machine.cores,
    packRamBytes: ram ? sumTogether([ram, cache], ram.basis) : cache,
    unpackSeconds: codec === null ? own : sumTogether([unpacking, own], unpacking.basis),
    unpackThreads: machine.cores,
    useRamBytes: ram ? sumTogether([ram, cache], ram.basis) : cache,
    fetchBytes: within(fetched(survey, data), 0.5, 'modelled', said`the records of the file`),
    fetchSeconds:
      codec === null
        ? none(said`nothing is compressed`)
        : unpackWork(meanFileBytes(survey), codec, row, machine),
    access: 'inPlace',
    readers: ZFS_READERS,
    makers: ['linux', 'macos'],
    encryption: { kinds: ['none', 'aes-128', 'aes-256'], isWork: true },
    risks: table ? [RISKS.permanentMemory, RISKS.indexLoss] : [],
    notes: [
      said`On one disk or a mirror, sectors of ${formatBlockSize(shape.sectorBytes)}; parity of raidz comes on top.`,
    ],
  })
}

function reductionOf(codec: string | null, withTable: boolean): string {
  if (withTable) return codec === null ? 'blocks' : 'blocks+compression'
  return codec === null ? 'none' : 'compression'
}

function fetched(survey: SurveyFacts, data: Estimate): number {
  const { bytes } = survey.totals
  return bytes > 0 ? (meanFileBytes(survey) * data.value) / bytes : 0
}

function metadata(records: number, entries: number, table: Estimate | null): Estimate {
  const plain = (records * POINTER_BYTES + entries * FILE_BYTES) * META_COPIES
  const on = (each: number, count: (table: Estimate) => number): number => (table ? count(table) * each : 0)
  return estimateOf(
    {
      value: plain * META_RATIO + on(TABLE_DISK_BYTES, (one) => one.value),
      low: plain * META_LOW + on(TABLE_DISK_LOW, (one) => one.low),
      high: plain * META_HIGH + on(TABLE_DISK_HIGH, (one) => one.high),
    },
    'assumed',
    said`pointers, dnodes and the table on disk, by the structures of OpenZFS`,
  )
}
