import type { PlanEntry } from '../../../../contract/dto/plan'
import { nameBytes } from '../../../../domain/sets/naming/nameBytes'

/**
 * Counts the bytes of each entry's line in a list. A line is made once for an entry, however often
 * volumes are packed and their lists sized.
 */
export function lineBytes(lineOf: (entry: PlanEntry) => string): (entry: PlanEntry) => number {
  const known = new WeakMap<PlanEntry, number>()
  return (entry) => {
    const bytes = known.get(entry) ?? nameBytes(lineOf(entry))
    known.set(entry, bytes)
    return bytes
  }
}
