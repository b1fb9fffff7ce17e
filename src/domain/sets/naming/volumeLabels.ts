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
  const ownOf = new Map(own.map(({ volume, label }) => [volume, label]))
  const first = new Map<string, number>()
  return Array.from({ length: volumes }, (_, k) => {
    const label = ownOf.get(k + 1) ?? `${stem}_${String(before + k + 1).padStart(digits, '0')}`
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
