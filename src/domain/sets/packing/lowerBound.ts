/**
 * The fewest volumes that any packing needs: the largest of three bounds. L1 divides the sum by the
 * capacity, and L2 also sees that two things of more than half a volume never share one, for every
 * threshold that calls things small (Martello and Toth, "Lower bounds and reduction procedures for
 * the bin packing problem", 1990). Things above a third of a volume are paired as well as possible.
 * Things above an n-th never lie n on a volume (Fekete and Schepers, "New classes of fast lower
 * bounds for bin packing problems", 2001).
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
  return Math.max(bound, pairedVolumes(sorted, half, capacity), sharedVolumes(sorted, capacity))
}

/** The fewest volumes for what is above a third of one: at most two things share it. */
function pairedVolumes(sorted: Float64Array, half: number, capacity: number): number {
  const third = firstAbove(sorted, capacity / 3)
  let next = third
  for (let k = sorted.length - 1; k >= half && next < half; k--) {
    if ((sorted[k] as number) + (sorted[next] as number) <= capacity) next += 1
  }
  return sorted.length - half + Math.ceil((half - next) / 2)
}

/** Shares of a volume are rounded to so many equal parts at most. */
const MOST_PARTS = 20

/**
 * The volumes by shares that are rounded to whole parts of a volume: whatever fits on one volume
 * has rounded shares that do too.
 */
function sharedVolumes(sorted: Float64Array, capacity: number): number {
  let bound = 0
  for (let parts = 2; parts <= MOST_PARTS; parts++) {
    let sum = 0
    for (let k = firstAbove(sorted, capacity / (parts + 2)); k < sorted.length; k++) {
      const share = ((parts + 1) * (sorted[k] as number)) / capacity
      sum += Number.isInteger(share) ? (share * parts) / (parts + 1) : Math.floor(share)
    }
    // A sum of shares that is just above a whole number may be one that was rounded.
    bound = Math.max(bound, Math.ceil(sum / parts - 1e-9))
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
