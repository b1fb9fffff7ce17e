/** A change of the forecast is followed within this share of the time left, or of that worked. */
const FOLLOW_SHARE = 0.1
const MOST_FOLLOW_MS = 30_000
/** A larger change than by this factor is no chance, and is followed at once. */
const MOST_UNLIKE = 1.1

/**
 * The time left that is shown: it falls with the clock and follows the forecast slowly, so that
 * single readings do not move it.
 */
export class SteadyTimeLeft {
  #shownMs: number | null = null
  #atMs = 0

  /**
   * @param leftMs the forecast, or null while there is none; the next one is then shown as it is
   * @param atMs how long the job has worked by now
   * @returns milliseconds
   */
  next(leftMs: number | null, atMs: number): number | null {
    const passedMs = atMs - this.#atMs
    this.#atMs = atMs
    if (leftMs === null || this.#shownMs === null) {
      this.#shownMs = leftMs
      return leftMs
    }
    const byClockMs = Math.max(0, this.#shownMs - passedMs)
    const followMs = Math.min(MOST_FOLLOW_MS, FOLLOW_SHARE * Math.min(leftMs, atMs))
    const followed = leftMs + (byClockMs - leftMs) * Math.exp(-passedMs / Math.max(1, followMs))
    this.#shownMs = Math.min(leftMs * MOST_UNLIKE, Math.max(leftMs / MOST_UNLIKE, followed))
    return this.#shownMs
  }
}
