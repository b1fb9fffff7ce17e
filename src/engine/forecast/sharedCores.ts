import { processorMs } from '../tools/processorTime'

/**
 * A clock for pieces of work that share the cores with others of this process. While there are more
 * of them than cores it runs as much slower, so that a piece takes about as long by it as it would
 * if it had a core for itself.
 */
export class SharedCores {
  readonly #cores: number
  readonly #clockMs: () => number
  readonly #startCpuMs = processorMs()
  #pieces = 0
  #seenMs: number
  #nowMs = 0
  #takenMs = 0

  /** @param clockMs a monotonic clock */
  constructor(cores: number, clockMs: () => number) {
    this.#cores = cores
    this.#clockMs = clockMs
    this.#seenMs = clockMs()
  }

  /** Counts work as so many pieces at once for as long as it lasts. */
  async during<T>(work: () => Promise<T>, pieces = 1): Promise<T> {
    this.#see()
    this.#pieces += pieces
    try {
      return await work()
    } finally {
      this.#see()
      this.#pieces -= pieces
    }
  }

  /** A piece that waits for others meanwhile is none. */
  waiting<T>(work: () => Promise<T>): Promise<T> {
    return this.during(work, -1)
  }

  /** Milliseconds by this clock. */
  nowMs(): number {
    this.#see()
    return this.#nowMs
  }

  /**
   * CPU time that this process and its ended children have used, over the time by this clock of all
   * pieces so far: below 1 where other programs want the cores too, or pieces wait for a disk.
   */
  processorShare(): number {
    this.#see()
    return this.#takenMs > 0 ? (processorMs() - this.#startCpuMs) / this.#takenMs : 1
  }

  #see(): void {
    const nowMs = this.#clockMs()
    const passedMs = nowMs - this.#seenMs
    this.#seenMs = nowMs
    const ownMs = passedMs * Math.min(1, this.#cores / Math.max(1, this.#pieces))
    this.#nowMs += ownMs
    this.#takenMs += ownMs * this.#pieces
  }
}
