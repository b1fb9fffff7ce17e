/** The limits of one batch. */
interface BatchLimits {
  readonly bytes: number
  readonly items: number
}

/**
 * Cuts a sample, the smallest priority first, into batches of at most so many bytes and items, one
 * item at least. A batch counts only where all of it was looked at: what a limit of time leaves out
 * is then chosen by priority, not by its place on the disk.
 */
export function batchesOf<Item>(
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  { bytes: mostBytes, items: mostItems }: BatchLimits,
): Item[][] {
  const batches: Item[][] = []
  let batch: Item[] = []
  let bytes = 0
  for (const item of items) {
    const more = bytesOf(item)
    if (batch.length > 0 && (batch.length === mostItems || bytes + more > mostBytes)) {
      batches.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(item)
    bytes += more
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}
