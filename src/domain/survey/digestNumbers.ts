/**
 * Numbers different digests in the order in which they are met, in 20 to 41 bytes of memory for
 * each.
 */
export interface DigestNumbers {
  /**
   * `digest` has from `at` (0 unless given) 16 bytes of a good hash; they are copied. Equal digests
   * have equal numbers.
   */
  numberOf(digest: Uint8Array, at?: number): number
  readonly count: number
}

const FIRST_SLOTS = 1024
/**
 * Slots of an open-addressing table that may be in use: fifty are looked at for a new digest at
 * worst, which is less than storing it costs.
 */
const LOAD = 0.9

/** Numbers of no digests yet. */
export function digestNumbers(): DigestNumbers {
  /** The number in each slot, plus one; 0: free. */
  let slots = new Uint32Array(FIRST_SLOTS)
  /** Four words for each number. */
  let digests = new Uint32Array(4 * FIRST_SLOTS)
  let count = 0

  const slotOf = (a: number, b: number, c: number, d: number): number => {
    let slot = (a ^ c) & (slots.length - 1)
    for (let held = slots[slot] as number; held !== 0; held = slots[slot] as number) {
      const at = 4 * (held - 1)
      if (digests[at] === a && digests[at + 1] === b && digests[at + 2] === c && digests[at + 3] === d) break
      slot = (slot + 1) & (slots.length - 1)
    }
    return slot
  }
  const grow = (): void => {
    slots = new Uint32Array(2 * slots.length)
    for (let number = 0; number < count; number++) {
      const at = 4 * number
      const slot = slotOf(
        digests[at] as number,
        digests[at + 1] as number,
        digests[at + 2] as number,
        digests[at + 3] as number,
      )
      slots[slot] = number + 1
    }
  }

  return {
    numberOf(digest, from = 0) {
      const a = word(digest, from)
      const b = word(digest, from + 4)
      const c = word(digest, from + 8)
      const d = word(digest, from + 12)
      const slot = slotOf(a, b, c, d)
      const held = slots[slot] as number
      if (held !== 0) return held - 1
      if (4 * count === digests.length) {
        const old = digests
        digests = new Uint32Array(2 * old.length)
        digests.set(old)
      }
      const at = 4 * count
      digests[at] = a
      digests[at + 1] = b
      digests[at + 2] = c
      digests[at + 3] = d
      slots[slot] = ++count
      if (count > slots.length * LOAD) grow()
      return count - 1
    },
    get count() {
      return count
    },
  }
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
