import { CHUNKER_NOTES } from '../../contract/dto/chunkerNotes'
import type { Combined, Compression, SurveyDocument, TypeRow } from '../../contract/dto/survey'
import { DEFAULT_ENTRY_BYTES, tableBytes } from '../../contract/dto/tableFormats'
import { isNotWorthCompressing, shownCompression } from '../../domain/survey/typeCompression'
import { pathForDisplay } from '../../primitives/pathText'
import {
  formatBlockSize,
  formatChunkSize,
  formatCount,
  formatCounted,
  formatShare,
} from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import type { NamedTable } from '../shape/namedTables'
import { formatRate, formatSize, formatSizeRange } from '../shape/sizes'
import { textTable } from '../shape/textTable'
import { wrapped } from '../shape/wrapped'
import { excludedTable } from './excludedReport'
import { copiesTable, keptTable } from './keptReport'
import { forecastsText } from './surveyTrust'
import type { SurveyView } from './surveyView'

/** Records of three sizes stand for all: --json has every one. */
const SHOWN_RECORDS = new Set([4 * 1024, 128 * 1024, 1024 * 1024])
const isShown = ({ recordSize }: Compression): boolean => recordSize === null || SHOWN_RECORDS.has(recordSize)

/** Two record sizes and the most used codecs represent compression with deduplication. */
const SHOWN_TOGETHER = new Set([16 * 1024, 128 * 1024])
const isShownTogether = ({ method, codec, recordSize, sectorBytes }: Combined): boolean =>
  recordSize === null
    ? codec === 'zstd-3'
    : SHOWN_TOGETHER.has(recordSize) && codec !== 'gzip-6' && (method !== 'zfs' || sectorBytes === 4096)

const NOT_SAMPLED = 'needs samples: survey without --quick and --samples none'

/** The tables whose rows are in the field `kept` of the JSON document. */
export const KEPT_TABLES: ReadonlySet<string> = new Set(['kept', 'copies'])

/** The tables of `survey --table NAME`, each in full. */
export const SURVEY_TABLES: Readonly<Record<string, NamedTable<SurveyView>>> = {
  blocks: ({ document }) =>
    tableOr(
      'No blocks were counted.',
      ['block size', 'blocks', 'unique', 'unique bytes', 'share', '95 %'],
      document.fixedBlocks
        .toSorted((a, b) => a.blockSize - b.blockSize)
        .map((level) => [
          formatBlockSize(level.blockSize),
          formatCount(level.blocks),
          formatCount(level.uniqueBlocks),
          formatSize(level.uniqueBytes),
          shareOf(level.uniqueBytes, document),
          level.exact ? '■ exact' : range(level),
        ]),
      [0, 1, 2, 3, 4],
    ),

  chunks: ({ document }) => [
    ...tableOr(
      'No chunks were cut: the survey ran with --quick.',
      ['chunker', 'average', 'chunks', 'unique bytes', 'share', '95 %'],
      document.chunked.map((row) => [
        row.chunker,
        formatChunkSize(row.averageSize),
        formatCount(row.chunks),
        formatSize(row.uniqueBytes),
        shareOf(row.uniqueBytes, document),
        range(row),
      ]),
      [1, 2, 3, 4],
    ),
    ...document.chunked
      .flatMap(({ chunker }) => CHUNKER_NOTES[chunker] ?? [])
      .flatMap((note) => wrapped(note)),
  ],

  codecs: ({ document }) =>
    tableOr(
      `Compression ${NOT_SAMPLED}.`,
      ['codec', 'of', 'size', 'share', 'speed, 1 core ●', '95 %'],
      document.compression
        .filter(isShown)
        .map((row) => [
          row.codec,
          recordsOf(row),
          formatSize(row.predictedBytes),
          shareOf(row.predictedBytes, document),
          formatRate(row.bytesPerSecond),
          range(row),
        ]),
      [2, 3, 4],
    ),

  together: ({ document }) => [
    ...tableOr(
      `Compression with deduplication ${NOT_SAMPLED}.`,
      ['together', 'codec', 'of', 'size', 'share', 'entries', 'memory ○', '95 %'],
      document.combined
        .filter(isShownTogether)
        .map((row) => [
          row.method === 'zfs' ? `zfs, ${formatBlockSize(row.sectorBytes)} sectors` : row.method,
          row.codec,
          recordsOf(row),
          formatSize(row.predictedBytes),
          shareOf(row.predictedBytes, document),
          formatCount(row.tableEntries),
          formatSize(tableBytes(row.tableEntries, DEFAULT_ENTRY_BYTES)),
          range(row),
        ]),
      [3, 4, 5, 6],
    ),
    ...(document.combined.length === 0
      ? []
      : [`memory: ${DEFAULT_ENTRY_BYTES} bytes per entry, the usual rule of thumb for ZFS`]),
  ],

  solid: ({ document }) =>
    tableOr(
      `A forecast of solid archives ${NOT_SAMPLED}.`,
      ['solid archive', 'dictionary', 'order', 'size', 'share', '95 %'],
      document.solid.map((row) => [
        row.codec,
        formatBlockSize(row.dictionaryBytes),
        row.order,
        formatSize(row.predictedBytes),
        shareOf(row.predictedBytes, document),
        range(row),
      ]),
      [1, 3, 4],
    ),

  groups: ({ document }) =>
    tableOr(
      `A forecast of grouped archives ${NOT_SAMPLED}.`,
      ['archives', 'dictionary', 'one for each', 'count', 'size', 'share', 'different ones', '95 %'],
      (document.grouped ?? []).map((row) => [
        row.codec,
        formatBlockSize(row.dictionaryBytes),
        row.by === 'titles' ? 'title of a folder' : 'group that shares data',
        formatCount(row.archives),
        formatSize(row.predictedBytes),
        shareOf(row.predictedBytes, document),
        `${formatCount(row.distinctArchives)}, ${formatSize(row.distinctBytes)}`,
        range(row),
      ]),
      [1, 3, 4, 5, 6],
    ),

  types: ({ document }) =>
    tableOr(
      'No files, so no types.',
      ['type', 'files', 'bytes', 'share', 'ratio', '95 %', ''],
      document.types.map((row) => [
        typeName(row.extension),
        formatCount(row.files),
        formatSize(row.bytes),
        shareOf(row.bytes, document),
        ...ratioCells(row),
        isNotWorthCompressing(row) ? 'not worth compressing' : '',
      ]),
      [1, 2, 3, 4],
    ).concat(document.types.some(({ compression }) => compression) ? wrapped(RATIO_NOTE) : []),

  sizes: ({ document }) =>
    tableOr(
      'No files, so no sizes.',
      ['file size', 'files', 'bytes', 'share'],
      document.sizeHistogram
        .filter(({ files }) => files > 0)
        .map((bin) => [
          binName(bin),
          formatCount(bin.files),
          formatSize(bin.bytes),
          shareOf(bin.bytes, document),
        ]),
      [1, 2, 3],
    ),

  reading: ({ document }) => {
    const { timing, totals, trusted } = document
    const reason = timing.reading ? `: ${timing.reading.because}` : ''
    return [
      `${formatSize(totals.bytes - (trusted?.bytes ?? 0))} read in ${formatDuration(timing.passMs)}, ` +
        `${formatDuration(timing.wallMs)} with samples; at most ${formatSize(timing.peakRssBytes)} of memory`,
      `${formatCounted(timing.threads, 'thread')}${reason}`,
      ...[forecastsText(document)].filter((text) => text !== null),
    ].flatMap((line) => wrapped(line))
  },

  kept: keptTable,

  copies: copiesTable,

  excluded: ({ document }) => excludedTable(document.excluded),

  silent: ({ document: { silentChanges } }) => {
    if (!silentChanges)
      return ['No file is known to have changed its content alone. Only survey --full looks for it.']
    const { files, paths } = silentChanges
    const more = files - paths.length
    return [...paths.map(pathForDisplay), ...(more === 0 ? [] : [`and ${formatCount(more)} more`])]
  },
  skipped: ({ document }) => {
    const { skipped, totals } = document
    const listed = skipped.map(({ message }) => pathForDisplay(message))
    const more = totals.skipped - skipped.length
    if (totals.skipped === 0) return ['Nothing was skipped: every file was read.']
    return more > 0 ? [...listed, `and ${formatCount(more)} more`] : listed
  },
}

const RATIO_NOTE =
  'ratio: stored / original bytes of each file by itself, by zstd -3 (z1: by zstd -1, where -3 saw too few samples). ' +
  'Not worth compressing: no codec that was tried saves 3 %.'

/** `0.41` and `◐ 0.39–0.43`; empty where too little of the type was sampled. */
function ratioCells(row: TypeRow): [string, string] {
  const shown = shownCompression(row)
  if (!shown || row.bytes === 0) return ['', '']
  const ratio = (bytes: number): string => (bytes / row.bytes).toFixed(2)
  const by = shown.codec === 'zstd-1' ? ' z1' : ''
  return [`${ratio(shown.predictedBytes)}${by}`, `◐ ${ratio(shown.low)}–${ratio(shown.high)}`]
}

/** The name of a row of file types. */
export function typeName(extension: string | null): string {
  if (extension === null) return 'others'
  return extension === '' ? '(no extension)' : pathForDisplay(extension)
}

/** `each file` or `128 KiB records`. */
export function recordsOf({ recordSize }: { readonly recordSize: number | null }): string {
  return recordSize === null ? 'each file' : `${formatBlockSize(recordSize)} records`
}

function tableOr(empty: string, header: string[], rows: string[][], right: number[]): string[] {
  return rows.length === 0 ? [empty] : textTable(header, rows, right)
}

/**
 * `◐ 40.9–43.9 MB`, in the unit of the upper end; of a survey that was stopped early the mark alone
 * where nothing is estimated.
 */
function range({ low, high }: { readonly low: number; readonly high: number }): string {
  if (low === high) return '◐'
  const unit = formatSize(high).split(' ').at(-1) ?? ''
  return `◐ ${formatSizeRange(high, low, high)} ${unit}`
}

function shareOf(bytes: number, { totals }: SurveyDocument): string {
  return totals.bytes > 0 ? formatShare(bytes / totals.bytes) : ''
}

function binName({ fromBytes, toBytes }: SurveyDocument['sizeHistogram'][number]): string {
  if (toBytes === null) return `from ${formatSize(fromBytes, 'binary')}`
  if (toBytes <= 1) return 'empty'
  return `${formatSize(fromBytes, 'binary')} to ${formatSize(toBytes, 'binary')}`
}
