import type { Span } from '../../primitives/estimate'
import { tQuantile } from '../statistics/tQuantile'
import { mostSavedOf, type SizeClass } from './sizeClasses'

/** A class whose files were compared. */
export interface ComparedClass extends SizeClass {
  /** The files that were compared; all, or a random part. */
  readonly compared: number
  /** The compared files that look like an earlier one of them. */
  readonly alike: number
  /** Those of them whose compared bytes say little: a single value, such as zeros. */
  readonly doubtful: number
  /** Pairs of compared files that look alike. */
  readonly pairs: number
}

/** The rule of three: where n draws found nothing, up to 3 / n of the rest is possible. */
const UNSEEN = 3

/**
 * The bytes that storing identical files once would save, from classes of equal size of which some
 * were compared. Of the classes that were drawn for sure the figure is a sum. Of the others it is a
 * ratio estimate: what the compared ones save, over what they could save, times what all could,
 * which is known (Cochran, Sampling Techniques, chapter 6, for a Poisson sample); the rule of three
 * keeps its range from closing where all compared classes agree.
 * @param tau the smallest priority of a class that was not compared; null where all were
 * @param mostSavedBytes what all classes could save
 */
export function identicalFiles(
  found: readonly ComparedClass[],
  tau: number | null,
  mostSavedBytes: number,
): Span {
  const rows = found.map((one) => {
    const most = mostSavedOf(one)
    return { most, saved: savedOf(one), chance: tau === null ? 1 : Math.min(1, most * tau) }
  })
  const sure = rows.filter(({ chance }) => chance === 1)
  const drawn = rows.filter(({ chance }) => chance < 1)
  const whole = sumOf(sure.map(({ saved }) => saved))
  const rest = Math.max(0, mostSavedBytes - sure.reduce((sum, { most }) => sum + most, 0))
  if (rest === 0) return whole
  if (drawn.length === 0) return { ...whole, high: whole.high + rest }
  const expanded = drawn.reduce((sum, { most, chance }) => sum + most / chance, 0)
  const ratioOf = (end: keyof Span): number =>
    drawn.reduce((sum, { saved, chance }) => sum + saved[end] / chance, 0) / expanded
  const ratio = { value: ratioOf('value'), low: ratioOf('low'), high: ratioOf('high') }
  const variance = drawn.reduce((sum, { most, saved, chance }) => {
    const residual = saved.value - ratio.value * most
    return sum + (residual * residual * (1 - chance)) / (chance * chance)
  }, 0)
  // What is drawn by its weight is drawn the more surely the more of the rest it is.
  const scale = rest / expanded
  const half = tQuantile(drawn.length - 1) * Math.sqrt(variance) * scale
  const unseen = (UNSEEN / (drawn.length + UNSEEN)) * rest
  const held = (bytes: number): number => Math.min(mostSavedBytes, Math.max(0, bytes))
  const value = held(whole.value + ratio.value * rest)
  return {
    value,
    low: Math.min(
      value,
      held(whole.low + Math.max(0, ratio.low * rest - Math.max(half, unseen * ratio.low))),
    ),
    high: Math.max(
      value,
      held(whole.high + Math.min(rest, ratio.high * rest + Math.max(half, unseen * (1 - ratio.high)))),
    ),
  }
}

/** The bytes of one class: a sum where all files were compared, else what a part of them allows. */
function savedOf({ bytes, files, compared, alike, doubtful, pairs }: ComparedClass): Span {
  if (compared >= files) {
    return { value: alike * bytes, low: (alike - doubtful) * bytes, high: alike * bytes }
  }
  // Every file that is saved is in one pair at least, so pairs are a bound; of pairs a part is seen.
  const scale = (files * (files - 1)) / Math.max(1, compared * (compared - 1))
  const most = files - 1 - Math.max(0, compared - alike - 1)
  // The upper end of a Poisson count, within 1 % from 0 on (Byar).
  const seenAtMost = (pairs + 1) * (1 - 1 / (9 * (pairs + 1)) + 1.96 / (3 * Math.sqrt(pairs + 1))) ** 3
  const high = Math.min(most, seenAtMost * scale)
  const value = Math.min(high, Math.max(alike, Math.min(most, pairs * scale)))
  const share = alike === 0 ? 0 : (alike - doubtful) / alike
  return { value: value * bytes, low: Math.max(0, alike - doubtful) * share * bytes, high: high * bytes }
}

/** The sum of figures whose errors are independent: their squares add up. */
function sumOf(spans: readonly Span[]): Span {
  const value = spans.reduce((sum, one) => sum + one.value, 0)
  const below = Math.sqrt(spans.reduce((sum, one) => sum + (one.value - one.low) ** 2, 0))
  const above = Math.sqrt(spans.reduce((sum, one) => sum + (one.high - one.value) ** 2, 0))
  return { value, low: Math.max(0, value - below), high: value + above }
}
