/** Runs work while the other parties do nothing. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>

/** For a party of its own: nothing else is to be waited for. */
export const alone: Alone = (work) => work()

/**
 * For work whose CPU time is counted for the whole process, of parties that otherwise run
 * concurrently. Once every party has asked or ended, each runs its own work, one after the other,
 * and all continue when the last is done. Each party asks once.
 */
export class ExclusiveCpu {
  #awaited: number
  #open: () => void = () => undefined
  /** Resolved when nobody is awaited any more. */
  readonly #begun: Promise<void>
  readonly #works: Promise<unknown>[] = []
  #last: Promise<unknown>

  constructor(parties: number) {
    this.#awaited = parties
    this.#begun = new Promise((resolve) => {
      this.#open = resolve
    })
    this.#last = this.#begun
  }

  /** Lends a party its turn for as long as it lasts: one that ends before it has come leaves. */
  async party<T>(run: (alone: Alone) => Promise<T>): Promise<T> {
    let hasCome = false
    const come = (): void => {
      if (!hasCome && --this.#awaited === 0) this.#open()
      hasCome = true
    }
    try {
      return await run(async (work) => {
        const own = this.#last.then(work)
        this.#last = own.catch(() => undefined)
        this.#works.push(this.#last)
        come()
        await this.#begun
        await Promise.all(this.#works)
        return own
      })
    } finally {
      come()
    }
  }
}
