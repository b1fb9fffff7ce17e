import type { SurveyTotals } from './surveyDocument'

/** How much of a survey was read to its end, and how much taken over from the earlier one. */
export interface PassCounts {
  readonly trustedFiles: number
  readonly trustedBytes: number
  readonly readFiles: number
  readonly readBytes: number
}

/**
 * Bytes of the earlier survey that are gone or were read again, bytes that were read now, and all
 * bytes of each survey.
 */
export interface Change {
  readonly goneBytes: number
  readonly goneFiles: number
  readonly readBytes: number
  readonly readFiles: number
  readonly earlierBytes: number
  readonly earlierFiles: number
  readonly bytes: number
}

/** How a survey differs from the earlier one that it builds on. */
export function changeOf(
  { totals }: { readonly totals: Pick<SurveyTotals, 'files' | 'bytes'> },
  { readBytes, readFiles, trustedBytes, trustedFiles }: PassCounts,
): Change {
  return {
    goneBytes: Math.max(0, totals.bytes - trustedBytes),
    goneFiles: Math.max(0, totals.files - trustedFiles),
    readBytes,
    readFiles,
    earlierBytes: totals.bytes,
    earlierFiles: totals.files,
    bytes: trustedBytes + readBytes,
  }
}

/** The same for the files of one type. */
export function changeOfType(
  earlierBytes: number,
  keptBytes: number,
  readBytes: number,
): Pick<Change, 'goneBytes' | 'earlierBytes' | 'readBytes'> {
  return { goneBytes: Math.max(0, earlierBytes - keptBytes), earlierBytes, readBytes }
}

/** Codecs store what does not shrink: data gets hardly larger than this share of itself. */
export const MOST_STORED = 1.02

interface Ranged {
  readonly low: number
  readonly high: number
}

interface Unique extends Ranged {
  readonly uniqueBytes: number
}

/**
 * An estimate of unique bytes held to what the earlier survey's figure allows: taking files of G
 * bytes out can lower the unique bytes by at most G, reading R bytes can raise them by at most R.
 * After a small change this is narrower than what a sample of the contents tells.
 * @param earlier the same figure of the earlier survey; undefined leaves the estimate as it is
 */
export function heldToEarlier<F extends Unique & { exact: boolean }>(
  figure: F,
  earlier: (Unique & { exact: boolean }) | undefined,
  { goneBytes, readBytes }: Change,
): F {
  if (figure.exact || !earlier) return figure
  const low = Math.max(figure.low, earlier.low - goneBytes)
  const high = Math.min(figure.high, earlier.high + readBytes)
  if (low > high) return figure
  return { ...figure, low, high, uniqueBytes: Math.min(high, Math.max(low, figure.uniqueBytes)) }
}

interface Predicted extends Ranged {
  readonly predictedBytes: number
}

/**
 * An earlier forecast for the files that are unchanged: in proportion to their bytes. That the
 * others were average is a guess, so the range is lowered by all of their bytes; without them
 * nothing can have become larger.
 */
export function forecastOfKept<F extends Predicted>(
  earlier: F,
  change: Pick<Change, 'goneBytes' | 'earlierBytes'>,
): F {
  const { goneBytes, earlierBytes } = change
  if (goneBytes <= 0 || earlierBytes <= 0) return earlier
  const low = Math.max(0, earlier.low - goneBytes)
  const kept = Math.round(earlier.predictedBytes * Math.max(0, 1 - goneBytes / earlierBytes))
  return { ...earlier, low, predictedBytes: Math.max(low, kept) }
}

/**
 * The sum of two forecasts of different files. Both ranges are added: their errors may point the
 * same way.
 */
export function joinedForecast<F extends Predicted>(kept: F, read: Predicted): F {
  return {
    ...kept,
    predictedBytes: kept.predictedBytes + read.predictedBytes,
    low: kept.low + read.low,
    high: kept.high + read.high,
  }
}

/**
 * Past this share of bytes that were read an earlier forecast of one archive of everything says too
 * little. What is gone, by a rule or from the disk, only widens the range.
 */
const MOST_CHANGED = 0.1

/**
 * An earlier forecast of one archive of everything, in proportion to the bytes and with its range
 * widened by all that was taken out or read: how the new bytes repeat the others is not known. Null
 * when too much was read.
 */
export function forecastOfWhole<F extends Predicted>(earlier: F, change: Change): F | null {
  const { goneBytes, readBytes, earlierBytes, bytes } = change
  if (earlierBytes <= 0 || readBytes > MOST_CHANGED * bytes) return null
  const low = Math.max(0, earlier.low - goneBytes)
  const high = earlier.high + readBytes
  const scaled = Math.round((earlier.predictedBytes * bytes) / earlierBytes)
  return { ...earlier, low, high, predictedBytes: Math.min(high, Math.max(low, scaled)) }
}

interface Groups extends Predicted {
  readonly archives: number
  readonly distinctArchives: number
  readonly distinctBytes: number
}

/**
 * Bytes that an archive of one file has besides its data, with a long name: what each file that was
 * read can add.
 */
const ARCHIVE_BYTES = 400

/**
 * An earlier forecast of one archive for each group of files: as `forecastOfWhole`, and each file
 * that was read may be an archive of its own. Archives are counted in proportion to the files.
 */
export function groupsOfWhole<F extends Groups>(earlier: F, change: Change): F | null {
  const { goneFiles, readFiles, earlierFiles } = change
  const whole = forecastOfWhole(earlier, change)
  if (whole === null || earlierFiles <= 0) return null
  const files = earlierFiles - goneFiles + readFiles
  const counted = (archives: number): number => Math.round((archives * files) / earlierFiles)
  return {
    ...whole,
    low: Math.max(0, whole.low - goneFiles * ARCHIVE_BYTES),
    high: whole.high + readFiles * ARCHIVE_BYTES,
    archives: counted(earlier.archives),
    distinctArchives: Math.min(counted(earlier.archives), counted(earlier.distinctArchives)),
    distinctBytes: Math.min(
      whole.predictedBytes,
      Math.round((earlier.distinctBytes * whole.predictedBytes) / Math.max(1, earlier.predictedBytes)),
    ),
  }
}

interface Table extends Predicted {
  readonly recordSize: number | null
  readonly sectorBytes: number
  readonly tableEntries: number
  readonly tableEntriesLow: number
  readonly tableEntriesHigh: number
}

/**
 * An earlier forecast of everything deduplicated and compressed: as `forecastOfWhole`, the range of
 * the entries widened by all records that were taken out or read, that of the bytes by what
 * rounding each of them up to a sector can add.
 */
export function tableOfWhole<F extends Table>(earlier: F, change: Change): F | null {
  const { recordSize, sectorBytes } = earlier
  const recordsOf = (bytes: number, files: number): number =>
    recordSize === null ? files : Math.floor(bytes / recordSize) + files
  const gone = recordsOf(change.goneBytes, change.goneFiles)
  const read = recordsOf(change.readBytes, change.readFiles)
  const whole = forecastOfWhole(earlier, change)
  if (whole === null) return null
  return {
    ...whole,
    low: Math.max(0, whole.low - gone * (sectorBytes - 1)),
    high: whole.high + read * (sectorBytes - 1),
    tableEntriesLow: Math.max(0, earlier.tableEntriesLow - gone),
    tableEntriesHigh: earlier.tableEntriesHigh + read,
  }
}
