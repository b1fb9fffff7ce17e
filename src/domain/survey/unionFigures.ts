interface Unique {
  readonly uniqueBytes: number
  readonly exact: boolean
  readonly low: number
  readonly high: number
}

/** The bytes that one more survey adds to a union. */
interface Added {
  readonly addedBytes: number
  readonly sharedBytes: number
  readonly exact: boolean
  readonly low: number
  readonly high: number
}

/**
 * The bytes that a survey adds: the unique bytes with it less those without it. The ranges of both
 * may err in opposite directions, so both are taken whole; it adds no less than nothing and no more
 * than all that is unique in it.
 */
export function addedBytes(before: Unique, after: Unique, own: Unique): Added {
  const within = (value: number): number => Math.round(Math.min(own.high, Math.max(0, value)))
  const added = within(after.uniqueBytes - before.uniqueBytes)
  const exact = before.exact && after.exact
  return {
    addedBytes: added,
    sharedBytes: Math.max(0, Math.round(own.uniqueBytes) - added),
    exact,
    low: exact ? added : Math.min(added, within(after.low - before.high)),
    high: exact ? added : Math.max(added, within(after.high - before.low)),
  }
}
