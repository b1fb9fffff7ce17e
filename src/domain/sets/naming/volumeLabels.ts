import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Placement } from '../placement'

/** ISO 9660 volume identifiers have at most this many d-characters (A-Z, 0-9, _). */
const LONGEST_LABEL = 32
/** The length that remains for the prefix in addition to `_` and up to seven digits. */
const LONGEST_PREFIX = 24
const FALLBACK = 'ARCHIVE'

/**
 * A label prefix from a source's name in lossless text form: letters without their accents, in
 * upper case, everything else a single `_`; at most 24 characters, `ARCHIVE` when nothing is left.
 */
export function labelPrefix(sourceName: string): string {
  const letters = sourceName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return letters.slice(0, LONGEST_PREFIX).replace(/_+$/, '') || FALLBACK
}

/**
 * Labels of a set of volumes: `<prefix>_01`, `<prefix>_02` and so on, with as many digits as the
 * last one needs but at least two; the prefix is cut where the label would exceed 32 characters.
 * @param own labels of volumes that have one of their own; those of other numbers are passed over
 * @param before volumes of earlier plans, after which the numbers go on
 * @throws AppError `refused` when two volumes would have the same label
 */
export function volumeLabels(
  prefix: string,
  volumes: number,
  own: NonNullable<Placement['labels']> = [],
  before = 0,
): string[] {
  const digits = Math.max(2, String(before + volumes).length)
  const stem = prefix.slice(0, LONGEST_LABEL - digits - 1)
  return withOwn(
    Array.from({ length: volumes }, (_, k) => `${stem}_${String(before + k + 1).padStart(digits, '0')}`),
    own,
  )
}

/** The years of what is on a volume, first to last. */
export interface YearSpan {
  readonly from: number
  readonly to: number
}

/** The longest that follows the prefix in a label with years: `_2019_2021_9999`. */
const LONGEST_YEARS = 15

/**
 * Labels of volumes by the years of what is on them: `<prefix>_2025_1`, `<prefix>_2025_2`,
 * `<prefix>_2019_2021_1`, each span with numbers of its own. The prefix is cut where a label could
 * exceed 32 characters.
 * @param spans null for a volume without files
 * @param taken labels of volumes of earlier plans
 * @throws AppError `refused` when two volumes would have the same label
 */
export function labelsByYear(
  prefix: string,
  spans: readonly (YearSpan | null)[],
  own: NonNullable<Placement['labels']> = [],
  taken: ReadonlySet<string> = new Set(),
): string[] {
  const stem = prefix.slice(0, LONGEST_LABEL - LONGEST_YEARS).replace(/_+$/, '')
  const counts = new Map<string, number>()
  const labels = spans.map((span) => {
    const years = span === null ? [] : span.from === span.to ? [span.from] : [span.from, span.to]
    const base = [stem, ...years.map(yearText)].join('_')
    let count = (counts.get(base) ?? 0) + 1
    while (taken.has(`${base}_${count}`)) count += 1
    counts.set(base, count)
    return `${base}_${count}`
  })
  return withOwn(labels, own)
}

/** Four digits, whatever a file's date claims. */
function yearText(year: number): string {
  return String(Math.min(9999, Math.max(0, year))).padStart(4, '0')
}

/** @throws AppError `refused` when two volumes would have the same label */
function withOwn(labels: readonly string[], own: NonNullable<Placement['labels']>): string[] {
  const ownOf = new Map(own.map(({ volume, label }) => [volume, label]))
  const first = new Map<string, number>()
  return labels.map((usual, k) => {
    const label = ownOf.get(k + 1) ?? usual
    const other = first.get(label)
    if (other !== undefined)
      throw new AppError('refused', said`cannot label two volumes ${label}: ${other} and ${k + 1}`)
    first.set(label, k + 1)
    return label
  })
}

/**
 * The prefix of a plan's labels, from those that are not of a volume's own.
 * @param sourceName gives it where every volume has a label of its own
 */
export function prefixOfLabels(
  volumes: readonly { readonly index: number; readonly label: string }[],
  { labels = [] }: Placement = {},
  sourceName = '',
): string {
  const own = new Set(labels.map(({ volume }) => volume))
  const usual = volumes.find(({ index }) => !own.has(index))
  return usual ? usual.label.replace(/_\d+$/, '') : labelPrefix(sourceName)
}
