const SPAN = 2 ** 32

/** The key of the n-th entry (n below 2^32) of a survey or plan with this number (below 2^31). */
export function entryKey(number: number, n: number): bigint {
  return (BigInt(number) << 32n) | BigInt(n)
}

/**
 * The same key to be bound: as a number where that is exact, which makes an insertion a sixth
 * faster than a bigint does.
 */
export function boundKey(number: number, n: number): number | bigint {
  const key = number * SPAN + n
  return Number.isSafeInteger(key) ? key : entryKey(number, n)
}

/** First and last possible key of a survey's or plan's entries. */
export function entryRange(number: number): [bigint, bigint] {
  return [entryKey(number, 0), entryKey(number, SPAN - 1)]
}
