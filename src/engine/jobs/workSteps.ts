/**
 * How much of some work is done that has steps of unlike kind, as one share from 0 to 1 that never
 * falls.
 */
export class WorkSteps {
  readonly #onShare: (share: number) => void
  #done = 0

  constructor(onShare: (share: number) => void) {
    this.#onShare = onShare
  }

  /** The share that is not done yet. */
  get left(): number {
    return 1 - this.#done
  }

  /**
   * Begins a step. What earlier steps did not use of their shares is added to it.
   * @param end the share of all the work that is done with it
   * @returns takes how much of the step is done, from 0 to 1
   */
  until(end: number): (share: number) => void {
    const from = this.#done
    return (share) => {
      const done = from + (end - from) * Math.min(1, share)
      if (!(done > this.#done)) return
      this.#done = done
      this.#onShare(done)
    }
  }
}
