/**
 * The rate is that of the last ten seconds: long enough to ride over one slow file, short enough to
 * follow a change.
 */
const WINDOW_MS = 10_000
/** No rate is stated from less than this: one reading of a burst is not a rate. */
const MIN_SPAN_MS = 500

interface RateEstimator {
  /** Takes a reading: work done so far and the monotonic time. */
  add(done: number, atMs: number): void
  /** Work per second over the recent readings, null while unknown. */
  perSecond(): number | null
  /** Forgets what was seen: after a pause the time spent resting says nothing about the work. */
  reset(): void
}

/**
 * A rate over a sliding window. Memory is bounded: readings closer than a hundredth of the window
 * replace each other.
 */
export function rateEstimator(): RateEstimator {
  let readings: { done: number; atMs: number }[] = []
  const perSecond = (): number | null => {
    const first = readings[0]
    const last = readings.at(-1)
    if (!first || !last || last.atMs - first.atMs < MIN_SPAN_MS) return null
    // Work that starts again, as a later step of a job may, has no negative rate.
    return (Math.max(0, last.done - first.done) / (last.atMs - first.atMs)) * 1000
  }
  return {
    add(done, atMs) {
      const previous = readings.at(-2)
      if (previous && atMs - previous.atMs < WINDOW_MS / 100) readings.pop()
      readings.push({ done, atMs })
      while (readings.length > 2 && atMs - (readings[1]?.atMs ?? atMs) > WINDOW_MS) readings.shift()
    },
    perSecond,
    reset() {
      readings = []
    },
  }
}
