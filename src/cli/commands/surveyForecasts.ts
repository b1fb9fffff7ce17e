import type { Compression, SurveyDocument } from '../../contract/dto/survey'
import { formatBlockSize, formatCount, formatRate, formatShare, formatSize } from '../../primitives/quantity'
import type { Terminal } from '../terminal'
import { textTable } from '../textTable'

/** On a terminal the records of three sizes stand for all: --json has every one. */
const SHOWN_RECORDS = new Set([4 * 1024, 128 * 1024, 1024 * 1024])
const isShown = ({ recordSize }: Compression): boolean => recordSize === null || SHOWN_RECORDS.has(recordSize)

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
      formatSize(row.averageSize, 'binary'),
      formatCount(row.chunks),
      formatSize(row.uniqueBytes),
      formatShare(row.uniqueBytes / whole),
      range(row),
    ]),
    [1, 2, 3, 4],
  )
  print(
    ['codec', 'of', 'size', 'share', 'speed of a core ●', 'certainty'],
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
}
