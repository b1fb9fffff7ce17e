import type { Provenance, Span } from '../../primitives/estimate'
import type { Heading } from './headings'

/**
 * Words: plain ones, as the command line has them; permanent names (`code`), which are sorted and
 * exported as they are; names that a person gave; paths of files; labels of volumes.
 */
export type WordKind = 'words' | 'code' | 'name' | 'path' | 'label'
const WORD_KINDS: readonly string[] = ['words', 'code', 'name', 'path', 'label'] satisfies WordKind[]

/**
 * Figures. `ordinal` only tells rows apart, `duration` is in milliseconds, `forecast` in seconds,
 * `rate` in bytes per second, `share` and `ratio` are of 1; `day`, `moment` and `minute`, which
 * sorts as text, are milliseconds of the wall clock.
 */
export type FigureKind =
  | 'ordinal'
  | 'count'
  | 'bytes'
  | 'blockSize'
  | 'chunkSize'
  | 'rate'
  | 'share'
  | 'ratio'
  | 'duration'
  | 'nanoseconds'
  | 'forecast'
  | 'day'
  | 'moment'
  | 'minute'

/**
 * The 95 % range of a figure of bytes or of a ratio; the middle of rates in bytes per second, which
 * is never exact.
 */
type RangeKind = 'byteRange' | 'ratioRange' | 'rateRange'
const RANGE_KINDS: readonly string[] = ['byteRange', 'ratioRange', 'rateRange'] satisfies RangeKind[]

/** These kinds are moments: they line up to the left, all other figures to the right. */
const MOMENT_KINDS: readonly string[] = ['day', 'moment', 'minute'] satisfies FigureKind[]

/** The columns of the CSV that one column of a table has, by name: plain numbers, whole texts. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string | number>>

/** Writes a size in the units that a person has chosen. */
export type SizeWriter = (bytes: number) => string

interface EachColumn<Row, H extends string> {
  readonly heading: H
  /** Without it the CSV has the bare value under the column's key; an empty one leaves it out. */
  readonly csv?: CsvColumns<Row>
  /** Where the figures come from: of the whole column, or of each row. */
  readonly mark?: Provenance | ((row: Row) => Provenance)
}

export interface WordColumn<Row, H extends string = Heading> extends EachColumn<Row, H> {
  readonly kind: WordKind
  readonly of: (row: Row, size: SizeWriter) => string
}

export interface FigureColumn<Row, H extends string = Heading> extends EachColumn<Row, H> {
  readonly kind: FigureKind
  /** Null where a row has none. */
  readonly of: (row: Row) => number | null
  /** The figure as it is shown; null where its kind alone says it. */
  readonly text?: (row: Row, size: SizeWriter) => string | null
}

export interface RangeColumn<Row, H extends string = Heading> extends EachColumn<Row, H> {
  readonly kind: RangeKind
  readonly of: (row: Row) => Span | null
}

/** One column of a table, for the command line, the window and the CSV. */
export type TableColumn<Row, H extends string = Heading> =
  | WordColumn<Row, H>
  | FigureColumn<Row, H>
  | RangeColumn<Row, H>

/**
 * All columns of a table by key. What shows it names the keys that it shows, in its own order; the
 * command line writes each kind by `src/cli/shape/tableLines.ts`, the window by
 * `renderer/src/components/declaredColumns.tsx`.
 */
export type DeclaredTable<Row, Key extends string, H extends string = Heading> = Readonly<
  Record<Key, TableColumn<Row, H>>
>

/** Declares a table of such rows: `tableOf<FolderCopy>()({ folder: { … }, … })`. */
export function tableOf<Row>() {
  return <Key extends string>(columns: DeclaredTable<Row, Key>): DeclaredTable<Row, Key> => columns
}

export function isWords<Row, H extends string>(column: TableColumn<Row, H>): column is WordColumn<Row, H> {
  return WORD_KINDS.includes(column.kind)
}

export function isRange<Row, H extends string>(column: TableColumn<Row, H>): column is RangeColumn<Row, H> {
  return RANGE_KINDS.includes(column.kind)
}

/** True for a column whose figures line up to the right: not of moments, nor of marked ranges. */
export function linesUpRight<Row, H extends string>(column: TableColumn<Row, H>): boolean {
  if (isRange(column)) return column.mark === undefined
  return !isWords(column) && !MOMENT_KINDS.includes(column.kind)
}
