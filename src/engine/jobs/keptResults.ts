import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'

const KEPT = 50

/**
 * The results of the last jobs of a kind, by ID, after the end is reported. It lives as long as the
 * engine.
 */
export class KeptResults<Result> {
  readonly #what: string
  readonly #most: number
  readonly #kept = new Map<string, Result>()

  /**
   * @param what names a result in errors
   * @param most how many are kept
   */
  constructor(what: string, most = KEPT) {
    this.#what = what
    this.#most = most
  }

  /** @returns the id */
  keep(id: string, result: Result): string {
    this.#kept.set(id, result)
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= this.#most) break
      this.#kept.delete(oldest)
    }
    return id
  }

  find(id: string): Result | undefined {
    return this.#kept.get(id)
  }

  /** @throws AppError `not-found` */
  get(id: string): Result {
    const result = this.find(id)
    if (result === undefined) throw new AppError('not-found', said`no ${this.#what} ${id}`)
    return result
  }
}
