/** What is known of files with equal content. */
export interface DuplicateFigures {
  /** Different contents that more than one file has. */
  readonly groups: number
  /** All files of those groups, the first of each included. */
  readonly files: number
  /** Bytes that keeping one file of each group would save. */
  readonly bytes: number
}

/** Different contents of at least one byte below a length: their number, and their bytes counted once. */
export interface DistinctContents {
  readonly count: number
  readonly bytes: number
}

/** Counts files with equal digests, in 19 to 38 bytes of memory for each different digest. */
export interface DuplicateTally {
  /** `digest` has from `at` 16 bytes of a good hash of the whole content; they are copied. Equal ones are taken for equal content. */
  add(digest: Uint8Array, bytes: number, at?: number): void
  figures(): DuplicateFigures
  /** Exact up to equal digests of different contents. `below`: a power of two, up to 2^52. */
  distinctBelow(below: number): DistinctContents
}

const FIRST_SLOTS = 1024
/** Slots of an open-addressing table that may be in use: fifty are looked at for a new digest at worst, which is less than storing it costs. */
const LOAD = 0.9

/** A tally of nothing yet. */
export function duplicateTally(): DuplicateTally {
  let slots = FIRST_SLOTS
  /** Four words a slot. */
  let digests = new Uint32Array(4 * slots)
  /** 0: free, 1: seen once, 2: seen again. */
  let seen = new Uint8Array(slots)
  let used = 0
  let groups = 0
  let files = 0
  let saved = 0
  /** By floor(log2) of the length. */
  const distinctCounts = new Float64Array(53)
  const distinctBytes = new Float64Array(53)

  const slotOf = (a: number, b: number, c: number, d: number): number => {
    let slot = (a ^ c) & (slots - 1)
    while (seen[slot] !== 0) {
      const at = 4 * slot
      if (digests[at] === a && digests[at + 1] === b && digests[at + 2] === c && digests[at + 3] === d) break
      slot = (slot + 1) & (slots - 1)
    }
    return slot
  }
  const fill = (slot: number, a: number, b: number, c: number, d: number, state: number): void => {
    digests[4 * slot] = a
    digests[4 * slot + 1] = b
    digests[4 * slot + 2] = c
    digests[4 * slot + 3] = d
    seen[slot] = state
  }
  const grow = (): void => {
    const old = digests
    const oldSeen = seen
    slots *= 2
    digests = new Uint32Array(4 * slots)
    seen = new Uint8Array(slots)
    for (let from = 0; from < oldSeen.length; from++) {
      if (oldSeen[from] === 0) continue
      const a = old[4 * from] as number
      const b = old[4 * from + 1] as number
      const c = old[4 * from + 2] as number
      const d = old[4 * from + 3] as number
      fill(slotOf(a, b, c, d), a, b, c, d, oldSeen[from] as number)
    }
  }

  return {
    add(digest, bytes, at = 0) {
      const a = word(digest, at)
      const b = word(digest, at + 4)
      const c = word(digest, at + 8)
      const d = word(digest, at + 12)
      const slot = slotOf(a, b, c, d)
      if (seen[slot] === 0) {
        fill(slot, a, b, c, d, 1)
        used += 1
        if (bytes > 0) {
          const doublings = doublingsOf(bytes)
          distinctCounts[doublings] = (distinctCounts[doublings] as number) + 1
          distinctBytes[doublings] = (distinctBytes[doublings] as number) + bytes
        }
        if (used > slots * LOAD) grow()
        return
      }
      if (seen[slot] === 1) {
        seen[slot] = 2
        groups += 1
        files += 1
      }
      files += 1
      saved += bytes
    },
    figures: () => ({ groups, files, bytes: saved }),
    distinctBelow: (below) => {
      const end = doublingsOf(below)
      const sum = (of: Float64Array) => of.subarray(0, end).reduce((total, one) => total + one, 0)
      return { count: sum(distinctCounts), bytes: sum(distinctBytes) }
    },
  }
}

/** The greatest k with 2^k <= number, which is at least 1. */
function doublingsOf(number: number): number {
  const high = Math.floor(number / 2 ** 32)
  return Math.min(52, high > 0 ? 63 - Math.clz32(high) : 31 - Math.clz32(number))
}

function word(source: Uint8Array, at: number): number {
  return (
    (((source[at] as number) << 24) |
      ((source[at + 1] as number) << 16) |
      ((source[at + 2] as number) << 8) |
      (source[at + 3] as number)) >>>
    0
  )
}
