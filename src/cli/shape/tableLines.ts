/**
 * The room `shape` writes lines for people: tables, sizes, wrapped text, the next command.
 * How: a declared table gives its columns by key, and each kind of value is written in one place.
 * Not here: which rows and columns a command shows (`commands`).
 */

import {
  type DeclaredTable,
  type FigureKind,
  isRange,
  isWords,
  linesUpRight,
  type RangeColumn,
  type TableColumn,
  type WordKind,
} from '../../contract/tables/declaredTable'
import { HEADINGS } from '../../contract/tables/headings'
import type { Provenance, Span } from '../../primitives/estimate'
import { pathForDisplay } from '../../primitives/pathText'
import { formatBlockSize, formatChunkSize, formatCount, formatShare } from '../../primitives/quantity'
import {
  formatDay,
  formatDuration,
  formatMoment,
  formatNs,
  isoMinute,
  shortForecast,
} from '../../primitives/spokenTime'
import { MARKS } from './marks'
import { formatRate, formatSize, formatSizeRange } from './sizes'
import { textTable } from './textTable'

/** How a table is shown here. */
interface Shown<Row, Key extends string> {
  /** Cells that are not as declared, such as what has to fit into a line. */
  readonly cells?: Readonly<Partial<Record<Key, (row: Row) => string>>>
  /** The width of the table; without it that of the terminal. */
  readonly room?: number
}

/** The lines of a declared table: these columns, in this order. */
export function tableLines<Row, Key extends string>(
  table: DeclaredTable<Row, Key>,
  keys: readonly Key[],
  rows: readonly Row[],
  shown: Shown<Row, Key> = {},
): string[] {
  const columns = keys.map((key) => ({
    column: table[key],
    heading: HEADINGS[table[key].heading],
    cell: shown.cells?.[key],
  }))
  return linesOf(columns, rows, shown.room)
}

/** The lines of a table that only this command has; its headings are as they are printed. */
export function ownTableLines<Row>(
  columns: readonly TableColumn<Row, string>[],
  rows: readonly Row[],
  room?: number,
): string[] {
  return linesOf(
    columns.map((column) => ({ column, heading: column.heading })),
    rows,
    room,
  )
}

interface ShownColumn<Row> {
  readonly column: TableColumn<Row, string>
  readonly heading: string
  readonly cell?: ((row: Row) => string) | undefined
}

function linesOf<Row>(columns: readonly ShownColumn<Row>[], rows: readonly Row[], room?: number): string[] {
  const header = columns.map(({ heading, column }) =>
    typeof column.mark === 'string' && !isRange(column) ? `${heading} ${MARKS[column.mark]}` : heading,
  )
  const cells = rows.map((row) => columns.map(({ column, cell }) => cell?.(row) ?? cellText(column, row)))
  const right = columns.flatMap(({ column }, index) => (linesUpRight(column) ? [index] : []))
  return textTable(header, cells, right, room)
}

const WORDS: Readonly<Record<WordKind, (text: string) => string>> = {
  words: (text) => text,
  code: (text) => text,
  label: (text) => text,
  name: pathForDisplay,
  path: pathForDisplay,
}

const FIGURES: Readonly<Record<FigureKind, (value: number) => string>> = {
  ordinal: String,
  count: formatCount,
  bytes: (bytes) => formatSize(bytes),
  blockSize: formatBlockSize,
  chunkSize: formatChunkSize,
  rate: formatRate,
  share: formatShare,
  ratio: (ratio) => ratio.toFixed(2),
  duration: formatDuration,
  nanoseconds: formatNs,
  forecast: shortForecast,
  day: formatDay,
  moment: formatMoment,
  minute: isoMinute,
}

/** The text of one cell. */
export function cellText<Row>(column: TableColumn<Row, string>, row: Row): string {
  if (isWords(column)) return WORDS[column.kind](column.of(row, formatSize))
  const mark = typeof column.mark === 'function' ? column.mark(row) : column.mark
  if (isRange(column)) {
    const range = column.of(row)
    return range === null ? '' : rangeText(column.kind, range, mark)
  }
  const value = column.of(row)
  const text = column.text?.(row, formatSize) ?? (value === null ? '' : FIGURES[column.kind](value))
  return typeof column.mark === 'function' && text !== '' ? `${text} ${MARKS[column.mark(row)]}` : text
}

/**
 * `◐ 40.9–43.9 MB` in the unit of the upper end, or the mark alone where nothing is estimated;
 * without a mark `40.9–43.9` in the unit of the figure that the range is of.
 */
function rangeText(
  kind: RangeColumn<never>['kind'],
  { value, low, high }: Span,
  mark: Provenance | undefined,
): string {
  if (mark === 'exact') return `${MARKS.exact} exact`
  const isPoint = low === high
  if (kind === 'ratioRange') return marked(`${low.toFixed(2)}–${high.toFixed(2)}`, mark)
  if (mark === undefined) return isPoint && kind === 'byteRange' ? 'exact' : formatSizeRange(value, low, high)
  const unit = formatSize(high).split(' ').at(-1) ?? ''
  return isPoint ? MARKS[mark] : marked(`${formatSizeRange(high, low, high)} ${unit}`, mark)
}

function marked(text: string, mark: Provenance | undefined): string {
  return mark === undefined ? text : `${MARKS[mark]} ${text}`
}
