/**
 * The fewest volumes that any packing needs, by the bounds of Martello and Toth ("Lower bounds and
 * reduction procedures for the bin packing problem", 1990): L1 divides the sum by the capacity; L2
 * also sees that two things of more than half a volume never share one, for every threshold that
 * calls things small.
 * @param sizes sizes of what cannot be divided, none above `capacity`. Not changed.
 * @param divisible bytes that may lie anywhere (parts of split files, records); they count in L1
 *   only.
 * @param capacity usable bytes of one volume, above 0.
 */
export function lowerBoundVolumes(sizes: Float64Array, divisible: number, capacity: number): number {
  const sorted = sizes.slice().toSorted()
  const count = sorted.length
  let total = divisible
  for (const size of sorted) total += size
  const half = firstAbove(sorted, capacity / 2)
  let bound = Math.max(Math.ceil(total / capacity), count - half)
  // J1: above C - t, alone among things of at least t. J2: above C / 2 up to C - t. J3: from t up to C / 2.
  // As t falls from C / 2, things move from J1 to J2 (`firstJ1` rises) and J3 grows.
  let firstJ1 = half
  let sumJ2 = 0
  let sumJ3 = 0
  for (let k = half - 1; k >= 0; k--) {
    const threshold = sorted[k] as number
    sumJ3 += threshold
    if (k > 0 && sorted[k - 1] === threshold) continue
    while (firstJ1 < count && (sorted[firstJ1] as number) <= capacity - threshold) {
      sumJ2 += sorted[firstJ1] as number
      firstJ1 += 1
    }
    const room = (firstJ1 - half) * capacity - sumJ2
    bound = Math.max(bound, count - half + Math.max(0, Math.ceil((sumJ3 - room) / capacity)))
  }
  return bound
}

/** Index of the first value above the limit in an ascending array. */
function firstAbove(sorted: Float64Array, limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) > limit) high = middle
    else low = middle + 1
  }
  return low
}
