import { type Pause, pausing } from './slowly'
import { throwIfAborted } from './throwIfAborted'

/**
 * Answers that take seconds on the engine's thread: they pause for other calls, and each can be
 * stopped.
 */
export class LongAnswers {
  readonly #running = new Set<{
    readonly name: string
    readonly abort: AbortController
    readonly ended: Promise<unknown>
  }>()

  /** @throws AppError `cancelled` when it is stopped */
  async answer<T>(name: string, work: (pause: Pause) => Promise<T>): Promise<T> {
    const abort = new AbortController()
    const answer = work(pausing(() => throwIfAborted(abort.signal)))
    const running = { name, abort, ended: answer.catch(() => {}) }
    this.#running.add(running)
    try {
      return await answer
    } finally {
      this.#running.delete(running)
    }
  }

  /** Stops the answers of this name; there need not be any. */
  stop(name: string): void {
    for (const running of this.#running) if (running.name === name) running.abort.abort()
  }

  /** Stops all and waits for their ends. */
  async close(): Promise<void> {
    for (const { abort } of this.#running) abort.abort()
    await Promise.all([...this.#running].map(({ ended }) => ended))
  }
}
