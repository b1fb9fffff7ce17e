/**
 * A volume counts as too empty when an archive leaves more than this share of its room, though a
 * volume could be saved.
 */
export const LEAST_FULL = 0.95
/** An archive of a volume is made again at most so often. */
export const MOST_REBUILDS = 2
/** The target fill when files move: archives of other files differ a little in their ratio. */
export const AIM = 0.98
/** The target fill after an archive was too large, for the first and the second time. */
const CAREFUL_AIM = [0.97, 0.9] as const

/**
 * How many files an archive is to hold next, of those not packed yet, or that it stays as it is.
 */
export type NextFill = { readonly take: number } | 'keep'

/** An archive as it came out. */
export interface Tried {
  readonly take: number
  readonly size: number
}

/**
 * Decides which of the waiting files go into the archive of a volume: first those planned, as far
 * as the ratio of the archives made before lets them fit, then more or fewer as the archive comes
 * out.
 */
export class ArchiveFill {
  readonly #sums: readonly number[]
  readonly #room: number
  readonly #later: readonly number[]
  #rebuilds = -1
  #best: Tried | null = null
  #least = Number.POSITIVE_INFINITY

  /**
   * @param bytes of the waiting files, in the order in which they are packed
   * @param room for the archive
   * @param later bytes planned for each volume after this one
   */
  constructor(bytes: readonly number[], room: number, later: readonly number[] = []) {
    let sum = 0
    this.#sums = [0, ...bytes.map((one) => (sum += one))]
    this.#room = room
    this.#later = later
  }

  /** @param ratio of the archives made before, null for the first */
  first(planned: number, ratio: number | null): number {
    if (ratio === null) return Math.max(1, planned)
    const plannedSize = (this.#sums[planned] ?? 0) * ratio
    if (
      plannedSize <= this.#room * AIM &&
      (plannedSize >= this.#room * LEAST_FULL || planned === this.#waiting || !this.#savesVolume(ratio))
    )
      return Math.max(1, planned)
    return this.#takeFor(ratio, AIM)
  }

  get #waiting(): number {
    return this.#sums.length - 1
  }

  /** The best archive so far; null when none has fitted. */
  get best(): Tried | null {
    return this.#best
  }

  /**
   * The next step after an archive was made. `keep` means that the best one is kept, if there is
   * one.
   */
  after(tried: Tried): NextFill {
    this.#rebuilds += 1
    const ratio = tried.size / Math.max(1, this.#sums[tried.take] ?? 0)
    if (tried.size > this.#room) {
      this.#least = Math.min(this.#least, tried.take)
      if (this.#best !== null || this.#rebuilds >= MOST_REBUILDS || tried.take <= 1) return 'keep'
      const aim = CAREFUL_AIM[Math.min(this.#rebuilds, 1)] as number
      return { take: Math.max(1, Math.min(tried.take - 1, this.#takeFor(ratio, aim))) }
    }
    if (this.#best === null || tried.take > this.#best.take) this.#best = tried
    if (tried.take >= this.#waiting || tried.size >= this.#room * LEAST_FULL) return 'keep'
    if (this.#rebuilds >= MOST_REBUILDS || !this.#savesVolume(ratio)) return 'keep'
    const more = Math.min(this.#takeFor(ratio, AIM), this.#least - 1)
    return more > tried.take ? { take: more } : 'keep'
  }

  /**
   * True when fuller volumes would be fewer, or the files planned for a later one need the room of
   * this one.
   */
  #savesVolume(ratio: number): boolean {
    const room = this.#room * AIM
    const needed = Math.ceil(((this.#sums[this.#waiting] ?? 0) * ratio) / room)
    return needed !== this.#later.length + 1 || this.#later.some((bytes) => bytes * ratio > room)
  }

  /** The number of files that fill this much of the room at this ratio. */
  #takeFor(ratio: number, aim: number): number {
    const bytes = (this.#room * aim) / Math.max(ratio, Number.EPSILON)
    let take = this.#sums.findLastIndex((sum) => sum <= bytes)
    if (take < 1) take = 1
    return take
  }
}
