import { fixedNumber, formatBlockSize, formatCount, formatSize } from '../../primitives/quantity'
import {
  type Chunked,
  type Combined,
  type Compression,
  type DuplicateGroup,
  type FixedBlock,
  type FolderCopy,
  type Grouped,
  isNotWorthCompressing,
  type KeptFolder,
  type Solid,
  type SurveyDocument,
  shownCompression,
} from '../dto/survey'
import { tableBytes } from '../dto/tableFormats'
import { type CsvColumns, tableOf } from './declaredTable'

type TypeRow = SurveyDocument['types'][number]
type SizeBin = SurveyDocument['sizeHistogram'][number]

/** One way of cutting the files: blocks of one size, or chunks as a program cuts them. */
export interface Cut {
  /** Null for fixed blocks, else the chunker's permanent name. */
  readonly chunker: string | null
  /** The mean for chunks. */
  readonly size: number
  readonly uniqueBytes: number
  readonly low: number
  readonly high: number
  readonly exact: boolean
  readonly pieces: number
  readonly uniquePieces: number
  readonly zeroBytes: number | null
}

export function cutOfBlock(block: FixedBlock): Cut {
  const { blockSize: size, blocks: pieces, uniqueBlocks: uniquePieces } = block
  const { uniqueBytes, low, high, exact, zeroBytes } = block
  return { chunker: null, size, uniqueBytes, low, high, exact, pieces, uniquePieces, zeroBytes }
}

/** Chunks of another program are never exact: its boundaries are its own. */
export function cutOfChunks(cut: Chunked): Cut {
  const { chunker, averageSize: size, chunks: pieces, uniqueChunks: uniquePieces } = cut
  const { uniqueBytes, low, high } = cut
  return { chunker, size, uniqueBytes, low, high, exact: false, pieces, uniquePieces, zeroBytes: null }
}

/** The bytes that deduplication leaves. @param total bytes of the source */
export function cutTable(total: number) {
  const share = ({ uniqueBytes }: Cut): number | null => shareOf(uniqueBytes, total)
  return tableOf<Cut>()({
    cut_by: { heading: 'cut', kind: 'code', of: ({ chunker }) => chunker ?? 'fixed' },
    block_size_bytes: { heading: 'blockSize', kind: 'blockSize', of: ({ size }) => size },
    average: { heading: 'average', kind: 'chunkSize', of: ({ size }) => size },
    blocks: { heading: 'blocks', kind: 'count', of: ({ pieces }) => pieces },
    chunks: { heading: 'chunks', kind: 'count', of: ({ pieces }) => pieces },
    unique_bytes: {
      heading: 'unique',
      kind: 'bytes',
      of: ({ uniqueBytes }) => uniqueBytes,
      csv: {
        unique_bytes: ({ uniqueBytes }) => uniqueBytes,
        low_bytes: ({ low }) => low,
        high_bytes: ({ high }) => high,
      },
    },
    range: {
      heading: 'range',
      kind: 'byteRange',
      of: ({ uniqueBytes: value, low, high }) => ({ value, low, high }),
      mark: cutProvenance,
      csv: {},
    },
    share: { heading: 'share', kind: 'share', of: share, csv: { unique_share: (cut) => share(cut) ?? 1 } },
    unique_blocks: { heading: 'uniqueBlocks', kind: 'count', of: ({ uniquePieces }) => uniquePieces },
    zero_bytes: { heading: 'zero', kind: 'bytes', of: ({ zeroBytes }) => zeroBytes },
    provenance: { heading: 'provenance', kind: 'code', of: cutProvenance },
  })
}

function cutProvenance({ exact }: Cut): 'exact' | 'modelled' {
  return exact ? 'exact' : 'modelled'
}

/** A forecast of the stored bytes. */
interface Forecast {
  readonly predictedBytes: number
  readonly low: number
  readonly high: number
}

/**
 * The size, the range and the share of a forecast.
 * @param total bytes of the source
 * @param more columns of the CSV right after the size
 */
function forecastColumns<Row extends Forecast>(total: number, more: CsvColumns<Row> = {}) {
  const share = ({ predictedBytes }: Row): number | null => shareOf(predictedBytes, total)
  const sizes = {
    predicted_bytes: ({ predictedBytes }: Row) => predictedBytes,
    low_bytes: ({ low }: Row) => low,
    high_bytes: ({ high }: Row) => high,
    ...more,
  }
  return tableOf<Row>()({
    size: { heading: 'predicted', kind: 'bytes', of: ({ predictedBytes }) => predictedBytes, csv: sizes },
    range: {
      heading: 'range',
      kind: 'byteRange',
      of: ({ predictedBytes: value, low, high }) => ({ value, low, high }),
      mark: 'modelled',
      csv: {},
    },
    share: { heading: 'ofRaw', kind: 'share', of: share, csv: { share_of_raw: (row) => share(row) ?? 1 } },
  })
}

/** `each file` or `128 KiB records`. */
export function recordsOf({ recordSize }: Pick<Compression, 'recordSize'>): string {
  return recordSize === null ? 'each file' : `${formatBlockSize(recordSize)} records`
}

/** The bytes that every codec leaves of the source. @param total bytes of the source */
export function codecTable(total: number) {
  return tableOf<Compression>()({
    codec: {
      heading: 'codec',
      kind: 'code',
      of: ({ codec }) => codec,
      csv: {
        codec: ({ codec }) => codec,
        scope: ({ scope }) => scope,
        record_size_bytes: ({ recordSize }) => recordSize ?? '',
      },
    },
    record: { heading: 'record', kind: 'words', of: recordsOf },
    ...forecastColumns<Compression>(total, { provenance: () => 'modelled' }),
    speed: {
      heading: 'speed',
      kind: 'rate',
      of: ({ bytesPerSecond }) => bytesPerSecond,
      mark: 'measured',
      csv: {
        bytes_per_second: ({ bytesPerSecond }) => Math.round(bytesPerSecond),
        sampled_bytes: ({ sampledBytes }) => sampledBytes,
      },
    },
  })
}

/**
 * Compression and deduplication together.
 * @param total bytes of the source
 * @param entryBytes memory for one entry of the table of blocks
 */
export function combinedTable(total: number, entryBytes: number) {
  return tableOf<Combined>()({
    method: {
      heading: 'together',
      kind: 'words',
      of: ({ method, sectorBytes }) =>
        method === 'zfs' ? `zfs, ${formatBlockSize(sectorBytes)} sectors` : method,
    },
    record: {
      heading: 'record',
      kind: 'words',
      of: recordsOf,
      csv: {
        record_size_bytes: ({ recordSize }) => recordSize ?? '',
        method: ({ method }) => method,
        sector_bytes: ({ sectorBytes }) => sectorBytes,
      },
    },
    codec: { heading: 'codec', kind: 'code', of: ({ codec }) => codec },
    ...forecastColumns<Combined>(total, { provenance: () => 'modelled' }),
    entries: {
      heading: 'entries',
      kind: 'count',
      of: ({ tableEntries }) => tableEntries,
      csv: {
        table_entries: ({ tableEntries }) => tableEntries,
        table_entries_low: ({ tableEntriesLow }) => tableEntriesLow,
        table_entries_high: ({ tableEntriesHigh }) => tableEntriesHigh,
      },
    },
    table_bytes: {
      heading: 'memory',
      kind: 'bytes',
      of: ({ tableEntries }) => tableBytes(tableEntries, entryBytes),
      mark: 'assumed',
    },
  })
}

/** One solid archive of everything. @param total bytes of the source */
export function solidTable(total: number) {
  return tableOf<Solid>()({
    codec: { heading: 'archive', kind: 'code', of: ({ codec }) => codec },
    order: {
      heading: 'order',
      kind: 'code',
      of: ({ order }) => order,
      csv: { order: ({ order }) => order, codec: ({ codec }) => codec },
    },
    dictionary_bytes: {
      heading: 'dictionary',
      kind: 'blockSize',
      of: ({ dictionaryBytes }) => dictionaryBytes,
    },
    ...forecastColumns<Solid>(total),
    provenance: { heading: 'provenance', kind: 'code', of: () => 'modelled' },
  })
}

const GROUPED_BY: Readonly<Record<Grouped['by'], string>> = {
  titles: 'title of a folder',
  groups: 'shared data',
  dat: 'parent with clones',
  sets: 'ROM set',
}

/** One archive for each title or group of files. @param total bytes of the source */
export function groupTable(total: number) {
  return tableOf<Grouped>()({
    codec: { heading: 'archives', kind: 'code', of: ({ codec }) => codec },
    dictionary_bytes: {
      heading: 'dictionary',
      kind: 'blockSize',
      of: ({ dictionaryBytes }) => dictionaryBytes,
    },
    by: {
      heading: 'groupedBy',
      kind: 'words',
      of: ({ by }) => GROUPED_BY[by],
    },
    archives: { heading: 'count', kind: 'count', of: ({ archives }) => archives },
    ...forecastColumns<Grouped>(total),
    different: {
      heading: 'different',
      kind: 'bytes',
      of: ({ distinctBytes }) => distinctBytes,
      text: ({ distinctArchives, distinctBytes }, size) =>
        `${formatCount(distinctArchives)}, ${size(distinctBytes)}`,
    },
  })
}

/** Types of files. @param total bytes of all types */
export function typeTable(total: number) {
  return tableOf<TypeRow>()({
    type: {
      heading: 'type',
      kind: 'name',
      of: ({ extension }) => typeName(extension),
      csv: {
        extension: ({ extension }) => extension ?? '*',
        class: ({ fileClass }) => fileClass,
      },
    },
    files: { heading: 'files', kind: 'count', of: ({ files }) => files },
    bytes: { heading: 'bytes', kind: 'bytes', of: ({ bytes }) => bytes },
    ratio: {
      heading: 'ratio',
      kind: 'ratio',
      of: (row) => ratioOf(row)?.value ?? null,
      text: ratioText,
      csv: {
        ratio: (row) => ratioOf(row)?.value ?? '',
        ratio_low: (row) => ratioOf(row)?.low ?? '',
        ratio_high: (row) => ratioOf(row)?.high ?? '',
      },
    },
    range: { heading: 'range', kind: 'ratioRange', of: ratioOf, mark: 'modelled' },
    share: {
      heading: 'share',
      kind: 'share',
      of: ({ bytes }) => shareOf(bytes, total),
      csv: { share: ({ bytes }) => shareOf(bytes, total) ?? 0 },
    },
    worth: {
      heading: 'worth',
      kind: 'words',
      of: (row) => (isNotWorthCompressing(row) ? 'not worth compressing' : ''),
    },
  })
}

/** The name of a row of file types on the command line. */
export function typeName(extension: string | null): string {
  if (extension === null) return 'others'
  return extension === '' ? '(no extension)' : extension
}

/** Stored / original bytes with its range; null where too little of the type was sampled. */
export function ratioOf(row: TypeRow): { value: number; low: number; high: number } | null {
  const shown = shownCompression(row)
  if (!shown || row.bytes === 0) return null
  return {
    value: shown.predictedBytes / row.bytes,
    low: shown.low / row.bytes,
    high: shown.high / row.bytes,
  }
}

/** `0.41`, and `0.41 z1` where zstd -3 saw too little. */
function ratioText(row: TypeRow): string | null {
  const ratio = ratioOf(row)
  if (ratio === null) return null
  return `${fixedNumber(ratio.value, 2)}${shownCompression(row)?.codec === 'zstd-1' ? ' z1' : ''}`
}

/** Files by size. @param total bytes of the source */
export function sizeTable(total: number) {
  return tableOf<SizeBin>()({
    range: {
      heading: 'fileSize',
      kind: 'words',
      of: binName,
      csv: { from_bytes: ({ fromBytes }) => fromBytes, to_bytes: ({ toBytes }) => toBytes ?? '' },
    },
    files: { heading: 'files', kind: 'count', of: ({ files }) => files },
    bytes: { heading: 'bytes', kind: 'bytes', of: ({ bytes }) => bytes },
    share: { heading: 'share', kind: 'share', of: ({ bytes }) => shareOf(bytes, total) },
  })
}

function binName({ fromBytes, toBytes }: SizeBin): string {
  if (toBytes === null) return `from ${formatSize(fromBytes, 'binary')}`
  if (toBytes <= 1) return 'empty'
  return `${formatSize(fromBytes, 'binary')} to ${formatSize(toBytes, 'binary')}`
}

/** How much of the folders of a source is on verified volumes. */
export const KEPT_TABLE = tableOf<KeptFolder>()({
  folder: { heading: 'folder', kind: 'path', of: ({ path }) => path },
  bytes: { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
  files: { heading: 'files', kind: 'count', of: ({ files }) => files },
  stored_bytes: { heading: 'stored', kind: 'bytes', of: ({ keptBytes }) => keptBytes },
  share: {
    heading: 'share',
    kind: 'share',
    of: (row) => keptShare(row),
    text: ({ whole, keptFiles }) => (whole ? 'all' : keptFiles === 0 ? 'none' : null),
    csv: { stored_files: ({ keptFiles }) => keptFiles },
  },
  stored_files: {
    heading: 'files',
    kind: 'count',
    of: ({ keptFiles }) => keptFiles,
    text: ({ keptFiles, files }) => `${formatCount(keptFiles)} of ${formatCount(files)}`,
  },
  by_time_only_files: {
    heading: 'byTime',
    kind: 'count',
    of: ({ byTimeOnlyFiles }) => byTimeOnlyFiles || null,
  },
})

/** The share of a folder's bytes that is on verified volumes; of empty files by their number. */
export function keptShare({ files, bytes, keptFiles, keptBytes }: KeptFolder): number {
  return bytes > 0 ? keptBytes / bytes : keptFiles / files
}

/** Folders that are whole copies of another folder of the source. */
export const FOLDER_COPY_TABLE = tableOf<FolderCopy>()({
  folder: { heading: 'folder', kind: 'path', of: ({ path }) => path },
  copy_of: { heading: 'copyOf', kind: 'path', of: ({ copyOf }) => copyOf },
  files: { heading: 'files', kind: 'count', of: ({ files }) => files },
  bytes: { heading: 'size', kind: 'bytes', of: ({ bytes }) => bytes },
})

/** One path of a group of files with the same content; null for those that are not listed. */
export interface DuplicateLine {
  /** Its place among the groups, from 0. */
  readonly group: number
  readonly of: DuplicateGroup
  readonly path: string | null
  /** The line that has the figures of its group. */
  readonly isFirst: boolean
}

/** The lines of a group: its paths, and one for those that are not listed. */
export function duplicateLines(of: DuplicateGroup, group: number): DuplicateLine[] {
  const paths = of.copies > of.paths.length ? [...of.paths, null] : of.paths
  return paths.map((path, index) => ({ group, of, path, isFirst: index === 0 }))
}

const ofGroup =
  (figure: (group: DuplicateGroup) => number) =>
  ({ of, isFirst }: DuplicateLine): number | null =>
    isFirst ? figure(of) : null

/** Files with the same content; in the CSV every listed path has the figures of its group. */
export const DUPLICATE_TABLE = tableOf<DuplicateLine>()({
  path: {
    heading: 'path',
    kind: 'path',
    of: ({ path, of }) => path ?? `and ${formatCount(of.copies - of.paths.length)} more`,
    csv: {
      group: ({ group }) => group + 1,
      bytes_each: ({ of }) => of.bytes,
      copies: ({ of }) => of.copies,
      saved_bytes: ({ of }) => of.savedBytes,
      path: ({ path }) => path ?? '',
    },
  },
  copies: { heading: 'copies', kind: 'count', of: ofGroup(({ copies }) => copies), csv: {} },
  each: { heading: 'each', kind: 'bytes', of: ofGroup(({ bytes }) => bytes), csv: {} },
  saves: { heading: 'saves', kind: 'bytes', of: ofGroup(({ savedBytes }) => savedBytes), csv: {} },
})

/** Null for an empty source. */
function shareOf(bytes: number, total: number): number | null {
  return total > 0 ? bytes / total : null
}
