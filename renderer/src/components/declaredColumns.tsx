import type { ReactNode } from 'react'
import {
  type CsvColumns,
  type DeclaredTable,
  type FigureKind,
  isRange,
  isWords,
  linesUpRight,
  type TableColumn,
  type WordKind,
} from '../../../src/contract/tables/declaredTable'
import { pathForDisplay } from '../../../src/primitives/pathText'
import {
  fixedNumber,
  formatBlockSize,
  formatChunkSize,
  formatCount,
  formatRate,
  formatShare,
  formatSize,
  formatSizeRange,
  numberRange,
  type Units,
} from '../../../src/primitives/quantity'
import {
  formatDay,
  formatDuration,
  formatMoment,
  formatNs,
  shortForecast,
} from '../../../src/primitives/spokenTime'
import { type CopyKey, t } from '../copy'
import { Size } from './Figure'
import { PathText } from './PathText'
import type { Column } from './tableColumns'
import { VolumeLabel } from './VolumeLabel'

/** A heading that the window has words for; all of declared tables are among them. */
type Heading = CopyKey extends infer Key ? (Key extends `column.${infer Name}` ? Name : never) : never

/** A declared table that the window alone has columns of. */
export type WindowTable<Row> = DeclaredTable<Row, string, Heading>

/** How a declared column is shown here, where its kind alone does not say it. */
export interface Shown<Row>
  extends Partial<Pick<Column<Row>, 'cell' | 'sortBy' | 'isHeaderHidden' | 'isForComparing' | 'mark'>> {
  readonly track: string
  /** Its heading where other data names it, such as the label of a volume. */
  readonly header?: string
  /** Without it figures and ranges line up at the end. */
  readonly align?: 'start' | 'end'
  /** Its words in the language of the window, also in the CSV; of a `code` in the table alone. */
  readonly say?: (row: Row) => string
  /** The table is not sorted by it. */
  readonly isSorted?: false
  /** A figure that a row does not have. */
  readonly absent?: ReactNode
}

/**
 * These columns of a declared table, in this order: each by its track alone, or with what is more
 * to it, such as a button.
 */
export function columnsOf<Row, Key extends string>(
  table: DeclaredTable<Row, Key, Heading>,
  units: Units,
  shown: { readonly [Each in Key]?: string | Shown<Row> },
): Column<Row>[] {
  return Object.entries<string | Shown<Row> | undefined>(shown).flatMap(([key, how]) =>
    how === undefined
      ? []
      : columnOf(key, table[key as Key], typeof how === 'string' ? { track: how } : how, units),
  )
}

function columnOf<Row>(
  key: string,
  column: TableColumn<Row, Heading>,
  shown: Shown<Row>,
  units: Units,
): Column<Row> {
  const { say, absent, align, isSorted = true, ...rest } = shown
  const isEnd = align === undefined ? linesUpRight(column) || isRange(column) : align === 'end'
  const { value, cell, sortBy } = readingOf(column, say, absent, units)
  const csv: CsvColumns<Row> = column.csv ?? { [key]: value }
  return {
    key,
    header: t(`column.${column.heading}`),
    ...(isEnd && { align: 'end' }),
    cell,
    // A hidden heading cannot be pressed.
    ...(isSorted && !shown.isHeaderHidden && sortBy && { sortBy }),
    csv,
    ...rest,
  }
}

/** The value, the cell and the order of a column by its kind. */
function readingOf<Row>(
  column: TableColumn<Row, Heading>,
  say: ((row: Row) => string) | undefined,
  absent: ReactNode,
  units: Units,
): {
  readonly value: (row: Row) => string | number
  readonly cell: (row: Row) => ReactNode
  readonly sortBy?: (row: Row) => string | number
} {
  const size = (bytes: number): string => formatSize(bytes, units)
  if (isWords(column)) {
    const { kind, of } = column
    const words = (row: Row): string => of(row, size)
    const value = kind === 'code' ? words : (say ?? words)
    return { value, cell: (row) => WORDS[kind]((say ?? words)(row)), sortBy: value }
  }
  if (isRange(column)) {
    const { kind, of, mark } = column
    const write = (row: Row): string => {
      const range = of(row)
      if (range === null) return ''
      if ((typeof mark === 'function' ? mark(row) : mark) === 'exact') return t('range.none')
      const { value, low, high } = range
      return kind === 'ratioRange' ? numberRange(low, high, 2) : formatSizeRange(value, low, high, units)
    }
    return { value: write, cell: (row) => <span className="muted">{write(row)}</span> }
  }
  const { kind, of, text } = column
  return {
    value: (row) => of(row) ?? '',
    cell: (row) => {
      const value = of(row)
      return text?.(row, size) ?? (value === null ? absent : FIGURES[kind](value, units))
    },
    sortBy: (row) => of(row) ?? -1,
  }
}

const WORDS: Readonly<Record<WordKind, (text: string) => ReactNode>> = {
  words: (text) => text,
  code: (text) => text,
  name: (text) => (
    <span className="ellipsis given-name" title={pathForDisplay(text)}>
      {pathForDisplay(text)}
    </span>
  ),
  path: (text) => <PathText path={text} />,
  label: (text) => <VolumeLabel label={text} />,
}

const FIGURES: Readonly<Record<FigureKind, (value: number, units: Units) => ReactNode>> = {
  ordinal: String,
  count: formatCount,
  bytes: (bytes, units) => <Size bytes={bytes} units={units} />,
  blockSize: formatBlockSize,
  chunkSize: formatChunkSize,
  rate: formatRate,
  share: formatShare,
  ratio: (ratio) => fixedNumber(ratio, 2),
  duration: formatDuration,
  nanoseconds: formatNs,
  forecast: shortForecast,
  day: formatDay,
  moment: formatMoment,
  minute: formatMoment,
}
