/**
 * Below this share done no remaining time is stated: the start of a job says little about its rest.
 */
const MIN_SHARE = 0.05
/**
 * Readings are put together to stretches of this length: what several threads finish within less is
 * chance.
 */
const STRETCH_MS = 250
/** Nothing is stated from less than two stretches. */
const MIN_SPAN_MS = 2 * STRETCH_MS
/**
 * After this time earlier work counts for e⁻¹, so that a disk that has become slower is believed.
 */
const FORGET_MS = 60_000
/**
 * Where what was done does not tell files from bytes (they were all alike), a file is taken to cost
 * as much as so many bytes: between an SSD (0.15 ms at 500 MB/s: 75 KB) and a network (3 ms at
 * 100 MB/s: 300 KB). A hard disk's seek is worth more, a cached file less; how much is measured as
 * soon as sizes differ.
 */
export const FILE_WORTH_BYTES = 112 * 1024

interface WorkTotals {
  readonly files: number | null
  readonly bytes: number | null
}

/** Forecasts how long the rest of some work takes of which both files and bytes cost time. */
export interface TimeLeft {
  /** Takes a reading: what has been done so far, and the monotonic time. */
  add(files: number, bytes: number, atMs: number): void
  /**
   * Milliseconds for the rest; null below 5 %, while nothing is known, and without totals. A total
   * that is null is left out.
   */
  etaMs(totals: WorkTotals): number | null
}

interface Reading {
  readonly files: number
  readonly bytes: number
  readonly atMs: number
}

/** Weighted sums over stretches of time t with x files (each worth so many bytes) and y bytes. */
const NOTHING = { count: 0, t: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0, xt: 0, yt: 0 }

/**
 * Fits time = a · files + b · bytes with a, b ≥ 0 by least squares over stretches of what was done,
 * the older the lighter, drawn towards an assumed a / b by as much as chance was seen in them
 * (ridge regression with the prior's variance), and scaled so that the time spent comes out right.
 */
export function timeLeft(): TimeLeft {
  let sums = { ...NOTHING }
  let first: Reading | null = null
  let from: Reading | null = null
  let last: Reading | null = null

  const close = (start: Reading, end: Reading): void => {
    const t = end.atMs - start.atMs
    const x = (end.files - start.files) * FILE_WORTH_BYTES
    const y = end.bytes - start.bytes
    const keep = Math.exp(-t / FORGET_MS)
    sums = {
      count: sums.count * keep + 1,
      t: sums.t * keep + t,
      x: sums.x * keep + x,
      y: sums.y * keep + y,
      // Long stretches hold more work with less chance in it: each weighs by the inverse of its length.
      xx: sums.xx * keep + (x * x) / t,
      xy: sums.xy * keep + (x * y) / t,
      yy: sums.yy * keep + (y * y) / t,
      xt: sums.xt * keep + x,
      yt: sums.yt * keep + y,
    }
  }

  return {
    add(files, bytes, atMs) {
      const reading = { files, bytes, atMs }
      first ??= reading
      from ??= reading
      last = reading
      if (atMs - from.atMs < STRETCH_MS) return
      close(from, reading)
      from = reading
    },
    etaMs(totals) {
      if (!first || !last || last.atMs - first.atMs < MIN_SPAN_MS) return null
      const { a, b } = costs(sums, totals)
      const done = a * last.files + b * last.bytes
      const whole = a * (totals.files ?? 0) + b * (totals.bytes ?? 0)
      if (!(whole > 0) || done < MIN_SHARE * whole) return null
      return Math.max(0, whole - done)
    },
  }
}

/** Milliseconds a file and a byte; 0 for what has no total, and both 0 while nothing was done. */
function costs(sums: typeof NOTHING, totals: WorkTotals): { a: number; b: number } {
  const { count, t, x, y, xx, xy, yy, xt, yt } = sums
  if (totals.files === null) return { a: 0, b: totals.bytes === null || y <= 0 ? 0 : t / y }
  if (totals.bytes === null) return { a: x > 0 ? t / (x / FILE_WORTH_BYTES) : 0, b: 0 }
  if (!(x + y > 0)) return { a: 0, b: 0 }
  const free = fitted(sums, LEAST_PRIOR * (xx + yy))
  // The sum of t² / t is t.
  const unexplained =
    t - 2 * (free.a * xt + free.b * yt) + free.a ** 2 * xx + 2 * free.a * free.b * xy + free.b ** 2 * yy
  const chance = Math.max(0, unexplained) / Math.max(1, count - 2)
  const mean = t / (x + y)
  const determinant = xx * yy - xy ** 2
  const ofChance = determinant > 0 ? (chance * (xx + yy + 2 * xy)) / determinant : Infinity
  // That a and b differ by a third of their mean is nothing unusual; more, where more than chance shows it.
  const differ = Math.max(mean ** 2, (free.a - free.b) ** 2 - SURE_DEVIATIONS ** 2 * ofChance)
  const prior = (10 * chance) / differ
  const { a, b } = fitted(sums, prior + LEAST_PRIOR * (xx + yy))
  const explained = a * x + b * y
  const scale = explained > 0 ? t / explained : 0
  return { a: a * scale * FILE_WORTH_BYTES, b: b * scale }
}

/** Differences of more standard deviations than this are no chance. */
const SURE_DEVIATIONS = 3
/** Keeps the equations soluble where all stretches are alike. */
const LEAST_PRIOR = 1e-9

/**
 * Minimises the sum of (t - a·x - b·y)² / t with prior · (a - b)² added; what would be negative is
 * 0.
 */
function fitted({ xx, xy, yy, xt, yt }: typeof NOTHING, prior: number): { a: number; b: number } {
  const [p, q, r] = [xx + prior, xy - prior, yy + prior]
  const determinant = p * r - q * q
  const a = (xt * r - yt * q) / determinant
  const b = (yt * p - xt * q) / determinant
  if (a < 0) return { a: 0, b: yt / r }
  return b < 0 ? { a: xt / p, b: 0 } : { a, b }
}
