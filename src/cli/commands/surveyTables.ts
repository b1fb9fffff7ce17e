import { CHUNKER_NOTES } from '../../contract/dto/chunkerNotes'
import type { Combined, Compression } from '../../contract/dto/survey'
import { DEFAULT_ENTRY_BYTES } from '../../contract/dto/tableFormats'
import {
  codecTable,
  combinedTable,
  cutOfBlock,
  cutOfChunks,
  cutTable,
  DUPLICATE_TABLE,
  duplicateLines,
  groupTable,
  sizeTable,
  solidTable,
  typeTable,
} from '../../contract/tables/surveyTables'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatCounted } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import type { SURVEY_TABLE_NAMES } from '../declarations/survey'
import type { NamedTable } from '../shape/namedTables'
import { formatSize } from '../shape/sizes'
import { tableLines } from '../shape/tableLines'
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
export const SURVEY_TABLES: Readonly<Record<(typeof SURVEY_TABLE_NAMES)[number], NamedTable<SurveyView>>> = {
  blocks: ({ document }) =>
    tableOr('No blocks were counted.', document.fixedBlocks, (blocks) =>
      tableLines(
        cutTable(document.totals.bytes),
        ['block_size_bytes', 'blocks', 'unique_blocks', 'unique_bytes', 'share', 'range'],
        blocks.toSorted((a, b) => a.blockSize - b.blockSize).map(cutOfBlock),
      ),
    ),

  chunks: ({ document }) => [
    ...tableOr(
      document.chunked.length === 0
        ? 'No chunks were cut: the survey ran with --quick.'
        : 'No chunks were cut: no file has any content.',
      document.chunked.filter(({ chunks }) => chunks > 0),
      (chunked) => [
        ...tableLines(
          cutTable(document.totals.bytes),
          ['cut_by', 'average', 'chunks', 'unique_bytes', 'share', 'range'],
          chunked.map(cutOfChunks),
        ),
        ...chunked.flatMap(({ chunker }) => CHUNKER_NOTES[chunker] ?? []).flatMap((note) => wrapped(note)),
      ],
    ),
  ],

  codecs: ({ document }) =>
    tableOr(`Compression ${NOT_SAMPLED}.`, document.compression.filter(isShown), (rows) =>
      tableLines(
        codecTable(document.totals.bytes),
        ['codec', 'record', 'size', 'share', 'speed', 'range'],
        rows,
      ),
    ),

  together: ({ document }) => [
    ...tableOr(
      `Compression with deduplication ${NOT_SAMPLED}.`,
      document.combined.filter(isShownTogether),
      (rows) =>
        tableLines(
          combinedTable(document.totals.bytes, DEFAULT_ENTRY_BYTES),
          ['method', 'codec', 'record', 'size', 'share', 'entries', 'table_bytes', 'range'],
          rows,
        ),
    ),
    ...(document.combined.length === 0
      ? []
      : [`memory: ${DEFAULT_ENTRY_BYTES} bytes per entry, the usual rule of thumb for ZFS`]),
  ],

  solid: ({ document }) =>
    tableOr(`A forecast of solid archives ${NOT_SAMPLED}.`, document.solid, (rows) =>
      tableLines(
        solidTable(document.totals.bytes),
        ['codec', 'dictionary_bytes', 'order', 'size', 'share', 'range'],
        rows,
      ),
    ),

  groups: ({ document }) =>
    tableOr(`A forecast of grouped archives ${NOT_SAMPLED}.`, document.grouped ?? [], (rows) =>
      tableLines(
        groupTable(document.totals.bytes),
        ['codec', 'dictionary_bytes', 'by', 'archives', 'size', 'share', 'different', 'range'],
        rows,
      ),
    ),

  types: ({ document }) =>
    tableOr('No files, so no types.', document.types, (rows) =>
      tableLines(
        typeTable(document.totals.bytes),
        ['type', 'files', 'bytes', 'share', 'ratio', 'range', 'worth'],
        rows,
      ),
    ).concat(document.types.some(({ compression }) => compression) ? wrapped(RATIO_NOTE) : []),

  sizes: ({ document }) =>
    tableOr(
      'No files, so no sizes.',
      document.sizeHistogram.filter(({ files }) => files > 0),
      (rows) => tableLines(sizeTable(document.totals.bytes), ['range', 'files', 'bytes', 'share'], rows),
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

  duplicates: async ({ document, duplicates }) => {
    const groups = await duplicates()
    if (groups.length === 0) return ['No two files have the same content.']
    const more = document.duplicateFiles.groups - groups.length
    return [
      ...tableLines(DUPLICATE_TABLE, ['saves', 'copies', 'each', 'path'], groups.flatMap(duplicateLines)),
      ...(more > 0 ? [`and ${formatCount(more)} more`] : []),
    ]
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

function tableOr<Row>(
  empty: string,
  rows: readonly Row[],
  lines: (rows: readonly Row[]) => string[],
): string[] {
  return rows.length === 0 ? [empty] : lines(rows)
}
