import { type SeededRandom, seededRandom } from '../../primitives/seededRandom'

/** A unit of a file: 256 KiB from a multiple of that, or less at the file's end. */
export interface DrawnUnit<File> {
  /** The file, as it was added. */
  readonly file: File
  readonly fileBytes: number
  readonly offset: number
  readonly length: number
  /** The smallest are kept. */
  readonly priority: number
}

/** As long as the survey's own units (native/src/core/survey/samples.h, which says why). */
const UNIT_BYTES = 256 * 1024
/** The bytes before a unit that are read with it, at most. */
export const HISTORY_BYTES = 32 * 1024

/** The bytes that reading a unit costs, with those before it. */
export function readBytesOf({ offset, length }: Pick<DrawnUnit<unknown>, 'offset' | 'length'>): number {
  return length + Math.min(offset, HISTORY_BYTES)
}

/**
 * A random sample of the units of all files, by priority (Duffield, Lund, Thorup, JACM 2007): each
 * unit has the priority u / length, u uniform in (0, 1], and the units with the smallest are kept,
 * as many as fit. With tau, the smallest priority that was not kept, a unit of length s was kept
 * with the probability min(1, s · tau).
 *
 * A file costs as many units as it keeps and one more, however long it is: its priorities
 * come in rising order, as the order statistics of uniform numbers, at places that are spread
 * evenly over the file. They follow from the file's seed alone: which units are kept depends on no
 * order.
 */
export class UnitDraw<File> {
  readonly #mostBytes: number
  readonly #mostUnits: number
  #bytes = 0
  #tau = Number.POSITIVE_INFINITY
  /** A heap: the largest priority first. */
  readonly #kept: DrawnUnit<File>[] = []

  /** @param mostBytes to be read, the bytes before units included */
  constructor(mostBytes: number, mostUnits = Number.POSITIVE_INFINITY) {
    this.#mostBytes = mostBytes
    this.#mostUnits = mostUnits
  }

  /** Null where every unit was kept. */
  get tau(): number | null {
    return this.#tau === Number.POSITIVE_INFINITY ? null : this.#tau
  }

  /**
   * @param seed a hash of the file's place, below 2^53
   * @returns true where a unit of it is kept at present
   */
  add(file: File, fileBytes: number, seed: number): boolean {
    let isKept = false
    const count = Math.floor(fileBytes / UNIT_BYTES)
    const rest = fileBytes - count * UNIT_BYTES
    if (rest > 0) {
      const priority = (seed + 1) / 2 ** 53 / rest
      isKept = priority < this.#tau
      if (isKept) this.#keep({ file, fileBytes, offset: count * UNIT_BYTES, length: rest, priority })
    }
    if (count === 0) return isKept
    const random = seededRandom(seed)
    const places = new Places(count, random)
    let reached = 0
    for (let left = count; left > 0; left--) {
      // The least of as many uniform numbers above the one before.
      reached += (1 - reached) * -Math.expm1(Math.log(1 - random.unit()) / left)
      const priority = reached / UNIT_BYTES
      if (priority >= this.#tau) break
      isKept = true
      const offset = places.next() * UNIT_BYTES
      this.#keep({ file, fileBytes, offset, length: UNIT_BYTES, priority })
    }
    return isKept
  }

  /** Those that are kept, the smallest priority first. */
  units(): DrawnUnit<File>[] {
    return this.#kept.toSorted((one, other) => one.priority - other.priority)
  }

  #keep(unit: DrawnUnit<File>): void {
    const kept = this.#kept
    kept.push(unit)
    rise(kept)
    this.#bytes += readBytesOf(unit)
    // The first is dropped where those before it fill the room: so would it be in any order.
    while (kept.length > 1 && (this.#bytes > this.#mostBytes || kept.length > this.#mostUnits)) {
      const dropped = kept[0] as DrawnUnit<File>
      this.#bytes -= readBytesOf(dropped)
      this.#tau = dropped.priority
      const last = kept.pop() as DrawnUnit<File>
      kept[0] = last
      sink(kept)
    }
  }
}

/** The golden ratio less 1: the steps that spread most evenly, however many are made (Weyl). */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * Whole numbers below a count, each once: from a random one on in steps of the count times the
 * golden ratio, around the end. However many are taken, they lie at even distances (three lengths
 * at most), and each is among them with the same probability, as the first is uniform: a systematic
 * sample (Madow, Madow, Ann. Math. Stat. 15, 1944; Cochran, Sampling Techniques, chapter 8) that
 * can be extended. Neighbours in a file are alike, so it tells more of it than random places do.
 */
class Places {
  readonly #count: number
  readonly #step: number
  #at: number

  constructor(count: number, random: SeededRandom) {
    this.#count = count
    this.#step = stepOf(count)
    this.#at = random.below(count)
  }

  next(): number {
    const place = this.#at
    this.#at = (place + this.#step) % this.#count
    return place
  }
}

/** The first number from the golden part of a count on that has no divisor in common with it. */
function stepOf(count: number): number {
  let step = Math.max(1, Math.round(count * GOLDEN))
  while (greatestDivisor(count, step) > 1) step++
  return step
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other)
}

/**
 * A hash below 2^53 of a file's place, and of what tells one draw from another: FNV-1a, twice with
 * different offsets, each word mixed as MurmurHash3 ends (Appleby, public domain).
 * @param paths holds the path below the root from `start` to `end`
 */
export function placeSeed(
  rootIndex: number,
  paths: Uint8Array,
  draw: number,
  start = 0,
  end = paths.length,
): number {
  let one = 0x811c9dc5 ^ draw
  let other = 0x01000193 ^ Math.imul(rootIndex + 1, 0x9e3779b1)
  for (let at = start; at < end; at++) {
    const byte = paths[at] as number
    one = Math.imul(one ^ byte, 0x01000193)
    other = Math.imul(other ^ byte, 0x01000193)
  }
  return (mixed(other ^ Math.imul(one, 0x9e3779b1)) >>> 11) * 2 ** 32 + mixed(one)
}

function mixed(word: number): number {
  let bits = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

function rise(heap: DrawnUnit<unknown>[]): void {
  for (let at = heap.length - 1; at > 0; ) {
    const above = (at - 1) >> 1
    if ((heap[above] as DrawnUnit<unknown>).priority >= (heap[at] as DrawnUnit<unknown>).priority) return
    swap(heap, at, above)
    at = above
  }
}

function sink(heap: DrawnUnit<unknown>[]): void {
  for (let at = 0; ; ) {
    let most = at
    for (const below of [2 * at + 1, 2 * at + 2])
      if (
        below < heap.length &&
        (heap[below] as DrawnUnit<unknown>).priority > (heap[most] as DrawnUnit<unknown>).priority
      )
        most = below
    if (most === at) return
    swap(heap, at, most)
    at = most
  }
}

function swap(heap: DrawnUnit<unknown>[], a: number, b: number): void {
  const unit = heap[a] as DrawnUnit<unknown>
  heap[a] = heap[b] as DrawnUnit<unknown>
  heap[b] = unit
}
