/** Bytes of the earlier survey that are no longer there or were read again, bytes that were read now, and all bytes of each survey. */
export interface Change {
  readonly goneBytes: number
  readonly readBytes: number
  readonly earlierBytes: number
  readonly bytes: number
}

interface Ranged {
  readonly low: number
  readonly high: number
}

interface Unique extends Ranged {
  readonly uniqueBytes: number
}

/**
 * An estimate of unique bytes held to what the earlier survey's figure allows: taking files of G bytes out can lower the
 * unique bytes by at most G, reading R bytes can raise them by at most R. After a small change this is narrower than what a
 * sample of the contents tells.
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
 * What an earlier forecast says of the files that are still as they were: in proportion to their bytes. That the others were
 * average is a guess, so the range is lowered by all of their bytes; without them nothing can have become larger.
 */
export function forecastOfKept<F extends Predicted>(earlier: F, change: Change): F {
  const { goneBytes, earlierBytes } = change
  if (goneBytes <= 0 || earlierBytes <= 0) return earlier
  const low = Math.max(0, earlier.low - goneBytes)
  const kept = Math.round(earlier.predictedBytes * Math.max(0, 1 - goneBytes / earlierBytes))
  return { ...earlier, low, predictedBytes: Math.max(low, kept) }
}

/** The sum of two forecasts of different files. Both ranges are added: their errors may point the same way. */
export function joinedForecast<F extends Predicted>(kept: F, read: Predicted): F {
  return {
    ...kept,
    predictedBytes: kept.predictedBytes + read.predictedBytes,
    low: kept.low + read.low,
    high: kept.high + read.high,
  }
}

/** Past this share of changed bytes an earlier forecast of one archive of everything says too little. */
const MOST_CHANGED = 0.1

/**
 * An earlier forecast of one archive of everything, in proportion to the bytes and with its range widened by all that was
 * taken out or read: how the new bytes repeat the others is not known. Null when too much has changed.
 */
export function forecastOfWhole<F extends Predicted>(earlier: F, change: Change): F | null {
  const { goneBytes, readBytes, earlierBytes, bytes } = change
  if (earlierBytes <= 0 || goneBytes + readBytes > MOST_CHANGED * bytes) return null
  const low = Math.max(0, earlier.low - goneBytes)
  const high = earlier.high + readBytes
  const scaled = Math.round((earlier.predictedBytes * bytes) / earlierBytes)
  return { ...earlier, low, high, predictedBytes: Math.min(high, Math.max(low, scaled)) }
}
