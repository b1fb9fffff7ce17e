import { CHUNKER_NOTES } from '../../contract/dto/chunkerNotes'
import type { Combined, Compression, SurveyDocument } from '../../contract/dto/survey'
import { DEFAULT_ENTRY_BYTES, tableBytes } from '../../contract/dto/tableFormats'
import {
  formatBlockSize,
  formatChunkSize,
  formatCount,
  formatRate,
  formatShare,
  formatSize,
} from '../../primitives/quantity'
import type { Terminal } from '../terminal'
import { textTable } from '../textTable'

/** On a terminal the records of three sizes stand for all: --json has every one. */
const SHOWN_RECORDS = new Set([4 * 1024, 128 * 1024, 1024 * 1024])
const isShown = ({ recordSize }: Compression): boolean => recordSize === null || SHOWN_RECORDS.has(recordSize)

/** Of compression and deduplication together two record sizes and the codecs most used stand for all. */
const SHOWN_TOGETHER = new Set([16 * 1024, 128 * 1024])
const isShownTogether = ({ method, codec, recordSize, sectorBytes }: Combined): boolean =>
  recordSize === null
    ? codec === 'zstd-3'
    : SHOWN_TOGETHER.has(recordSize) && codec !== 'gzip-6' && (method !== 'zfs' || sectorBytes === 4096)

/** What the survey forecasts of chunk deduplication, codecs and solid archives; nothing of what it does not know. */
export function printForecasts(document: SurveyDocument, out: Terminal): void {
  const whole = Math.max(1, document.totals.bytes)
  const range = (figure: { low: number; high: number }): string =>
    `◐ ${formatSize(figure.low)} to ${formatSize(figure.high)} (95 %)`
  const print = (header: string[], rows: string[][], right: number[]): void => {
    if (rows.length === 0) return
    out.line()
    for (const line of textTable(header, rows, right)) out.line(`  ${line}`)
  }
  print(
    ['chunker', 'average', 'chunks', 'unique bytes', 'share', 'certainty'],
    document.chunked.map((row) => [
      row.chunker,
      formatChunkSize(row.averageSize),
      formatCount(row.chunks),
      formatSize(row.uniqueBytes),
      formatShare(row.uniqueBytes / whole),
      range(row),
    ]),
    [1, 2, 3, 4],
  )
  for (const { chunker } of document.chunked) {
    const note = CHUNKER_NOTES[chunker]
    if (note !== undefined) out.line(`  ${note}`)
  }
  print(
    ['codec', 'of', 'size', 'share', 'speed, 1 core ●', 'certainty'],
    document.compression
      .filter(isShown)
      .map((row) => [
        row.codec,
        row.recordSize === null ? 'each file' : `${formatBlockSize(row.recordSize)} records`,
        formatSize(row.predictedBytes),
        formatShare(row.predictedBytes / whole),
        formatRate(row.bytesPerSecond),
        range(row),
      ]),
    [2, 3, 4],
  )
  print(
    ['together', 'codec', 'of', 'size', 'share', 'table entries', 'memory', 'certainty'],
    document.combined
      .filter(isShownTogether)
      .map((row) => [
        row.method === 'zfs' ? `zfs, ${formatBlockSize(row.sectorBytes)} sectors` : row.method,
        row.codec,
        row.recordSize === null ? 'each file' : `${formatBlockSize(row.recordSize)} records`,
        formatSize(row.predictedBytes),
        formatShare(row.predictedBytes / whole),
        formatCount(row.tableEntries),
        formatSize(tableBytes(row.tableEntries, DEFAULT_ENTRY_BYTES)),
        range(row),
      ]),
    [3, 4, 5, 6],
  )
  if (document.combined.length > 0)
    out.line(`  memory ○ at ${DEFAULT_ENTRY_BYTES} bytes per entry, the usual rule of thumb for ZFS`)
  print(
    ['solid archive', 'dictionary', 'order', 'size', 'share', 'certainty'],
    document.solid.map((row) => [
      row.codec,
      formatBlockSize(row.dictionaryBytes),
      row.order,
      formatSize(row.predictedBytes),
      formatShare(row.predictedBytes / whole),
      range(row),
    ]),
    [1, 3, 4],
  )
  print(
    [
      'solid archives',
      'dictionary',
      'one for each',
      'archives',
      'size',
      'share',
      'different ones',
      'certainty',
    ],
    (document.grouped ?? []).map((row) => [
      row.codec,
      formatBlockSize(row.dictionaryBytes),
      row.by === 'titles' ? 'title of a folder' : 'group that shares data',
      formatCount(row.archives),
      formatSize(row.predictedBytes),
      formatShare(row.predictedBytes / whole),
      `${formatCount(row.distinctArchives)}, ${formatSize(row.distinctBytes)}`,
      range(row),
    ]),
    [1, 3, 4, 5, 6],
  )
}
