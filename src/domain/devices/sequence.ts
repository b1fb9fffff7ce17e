import { distributionOf, medianOf } from '../statistics/quantiles'

/** Two levels of speed, one after the other. */
interface LevelChange {
  /** The first sample of the second level. */
  readonly at: number
  /** Medians of the slowness of each level: 1.2 is 20 % slower than expected. */
  readonly before: number
  readonly after: number
}

/**
 * Sequences are looked at in at most so many pieces; the place of a change is known to one of them.
 */
const MOST_PIECES = 256
const FEWEST_FOR_CHANGE = 30
/** The second level must be slower by this share: less is drift, not a full cache. */
const SLOWER_BY = 0.2
/**
 * A difference of the Bayesian information criterion: above 10 the evidence is called very strong
 * (Kass and Raftery 1995).
 */
const VERY_STRONG = 10
const FEWEST_IN_LEVEL = 5

/**
 * Finds where samples, in the order of time, become slower for good, as when a drive's fast cache
 * is full. Compares one level with two (each its median, with Laplace noise, so that stalls count
 * little) by the Bayesian information criterion; the same as a bend in the curve of cumulative time
 * over bytes, but of independent steps instead of their sums.
 * @param slowness of each sample: its time over the time expected
 * @returns null where one level explains the samples as well
 */
export function findSlowdown(slowness: readonly number[]): LevelChange | null {
  if (slowness.length < FEWEST_FOR_CHANGE) return null
  const { pieces, lengthOf } = inPieces(slowness.map((value) => Math.log(Math.max(value, 1e-9))))
  const whole = criterion(absoluteDeviations(pieces), pieces.length, 1)
  let best: { at: number; value: number } | null = null
  for (let at = FEWEST_IN_LEVEL; at <= pieces.length - FEWEST_IN_LEVEL; at++) {
    const rest = absoluteDeviations(pieces.slice(0, at)) + absoluteDeviations(pieces.slice(at))
    const value = criterion(rest, pieces.length, 3)
    if (best === null || value < best.value) best = { at, value }
  }
  if (best === null || whole - best.value < VERY_STRONG) return null
  const before = Math.exp(medianOf(pieces.slice(0, best.at)))
  const after = Math.exp(medianOf(pieces.slice(best.at)))
  return after >= before * (1 + SLOWER_BY) ? { at: best.at * lengthOf, before, after } : null
}

/** Medians of runs of equal length, so that no more than MOST_PIECES are compared. */
function inPieces(values: readonly number[]): { pieces: number[]; lengthOf: number } {
  const lengthOf = Math.ceil(values.length / MOST_PIECES)
  const pieces = Array.from({ length: Math.floor(values.length / lengthOf) }, (_, index) =>
    medianOf(values.slice(index * lengthOf, (index + 1) * lengthOf)),
  )
  return { pieces, lengthOf }
}

function absoluteDeviations(values: readonly number[]): number {
  const middle = medianOf(values)
  return values.reduce((sum, value) => sum + Math.abs(value - middle), 0)
}

/**
 * -2 log likelihood of Laplace noise of the scale that fits best, plus the price of the parameters.
 */
function criterion(deviations: number, n: number, parameters: number): number {
  // Clock ticks keep real deviations above this; without a floor a perfect fit would have no criterion.
  return 2 * n * Math.log(Math.max(deviations / n, 1e-6)) + parameters * Math.log(n)
}

/**
 * A sample counts as warm-up while it is slower than expected by this share and by three
 * deviations.
 */
const WARM_UP_SLOWER = 0.2

/**
 * How many samples at the start are slower than the rest: a drive that wakes, a cache of folders
 * that fills. At most a tenth.
 */
export function countWarmUp(slowness: readonly number[], deviation: number): number {
  const most = Math.floor(slowness.length / 10)
  let count = 0
  while (count < most && (slowness[count] as number) - 1 > Math.max(WARM_UP_SLOWER, 3 * deviation)) count += 1
  return count
}

const ROUNDS_OF_WINDOW = 5
/**
 * Limits of SNIA's Solid State Storage Performance Test Specification for a steady window of five
 * rounds.
 */
const RANGE_LIMIT = 0.2
const SLOPE_LIMIT = 0.1
const MOST_ROUNDS = 25

/**
 * From which sample on the speed is steady: rounds of equal length whose medians, in every window
 * of five from there to the end, lie within 20 % of their mean, with a trend of at most 10 % over
 * the window. Null if it never is, or for fewer than 15 samples.
 */
export function steadyFrom(slowness: readonly number[]): number | null {
  const length = Math.ceil(slowness.length / MOST_ROUNDS)
  const perRound = Math.max(3, length)
  const rounds = Math.floor(slowness.length / perRound)
  if (rounds < ROUNDS_OF_WINDOW) return null
  const speeds = Array.from(
    { length: rounds },
    (_, index) => 1 / medianOf(slowness.slice(index * perRound, (index + 1) * perRound)),
  )
  let from: number | null = null
  for (let start = rounds - ROUNDS_OF_WINDOW; start >= 0; start--) {
    if (!isSteady(speeds.slice(start, start + ROUNDS_OF_WINDOW))) break
    from = start
  }
  return from === null ? null : from * perRound
}

function isSteady(window: readonly number[]): boolean {
  const mean = window.reduce((sum, value) => sum + value, 0) / window.length
  const range = distributionOf(window)
  if (range === null || range.max - range.min > RANGE_LIMIT * mean) return false
  const middle = (window.length - 1) / 2
  let [xy, xx] = [0, 0]
  window.forEach((value, index) => {
    xy += (index - middle) * (value - mean)
    xx += (index - middle) ** 2
  })
  return Math.abs((xy / xx) * (window.length - 1)) <= SLOPE_LIMIT * mean
}
