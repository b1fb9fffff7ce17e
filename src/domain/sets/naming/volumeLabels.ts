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
 */
export function volumeLabels(prefix: string, volumes: number): string[] {
  const digits = Math.max(2, String(volumes).length)
  const stem = prefix.slice(0, LONGEST_LABEL - digits - 1)
  return Array.from({ length: volumes }, (_, k) => `${stem}_${String(k + 1).padStart(digits, '0')}`)
}
