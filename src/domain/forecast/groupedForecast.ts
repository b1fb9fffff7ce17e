import { tQuantile } from '../statistics/tQuantile'
import type { SolidEstimate } from './solidForecast'

/**
 * Bytes of a 7z archive that are not packed data, for so many files with names of so many
 * characters together and no times or attributes (`-mtm- -mtc- -mta- -mtr-`): the start header, and
 * the lists as they are or, from a few files on, packed. Seen with 7-Zip 26.03 on archives of 1 to
 * 100 files: within 12 % of each.
 */
export function archiveOverhead(files: number, nameCharacters: number): number {
  return Math.min(73 + 11 * files + 2 * nameCharacters, 150 + 14 * files)
}

/** How unsure that is: one standard error, as a share. */
const OVERHEAD_ERROR = 0.06
/** The remaining error of a forecast whose archives were packed for a trial. */
const TRIAL_ERROR = 0.01
/**
 * How much the ratios of the two codecs differ between archives, as one standard deviation that a
 * few alike do not show: 0.9 to 1 was seen for files of one kind, a tenth less where a file without
 * pattern is among them.
 */
const PAIR_SPREAD = 0.08
/**
 * Without two trials the error of the forecast of small archives: how a codec begins is not known
 * then.
 */
const UNTRIED_ERROR = 0.2

/** Small archives of which some were packed for a trial. */
export interface SmallArchives {
  /**
   * The forecast of all of them, and the trial's archives (with the weights of the draw): as
   * forecast, and as packed.
   */
  readonly forecastBytes: number
  readonly trials: readonly Trial[]
  /** How much of the small archives' forecast the trial holds, at most 1. */
  readonly triedShare: number
}

/** One archive that was drawn with a probability in proportion to its forecast. */
export interface Trial {
  /** As how many it counts: large ones would be drawn more than once. */
  readonly times: number
  readonly forecastBytes: number
  /** By the fast codec, lists included. */
  readonly quickBytes: number
  /** By the codec in question; null where only the quick one has seen it. */
  readonly codecBytes: number | null
}

interface Factor {
  readonly value: number
  /** One standard error; null when it is unknown. */
  readonly error: number | null
}

/**
 * By how much small archives differ from what is forecast of streams: the fast codec has seen many
 * of them, the codec in question some (double sampling). 1 where none was packed.
 */
export function smallArchivesFactor({ trials, triedShare }: SmallArchives): Factor {
  const packed = trials.filter(({ codecBytes }) => codecBytes !== null)
  if (packed.length === 0) return { value: 1, error: null }
  // Each stands for as many bytes of forecast as any other, however large it is.
  const weightOf = (one: Trial): number => one.times / one.forecastBytes
  const quick = ratioOf(trials.map((one) => [one.quickBytes, one.forecastBytes, weightOf(one)]))
  const codec = ratioOf(packed.map((one) => [one.codecBytes ?? 0, one.quickBytes, weightOf(one)]))
  const value = quick.value * codec.value
  const isAll = triedShare >= 1 && packed.length === trials.length
  if (quick.error === null || codec.error === null) return { value, error: isAll ? 0 : null }
  const untried = Math.sqrt(Math.max(0, 1 - triedShare))
  const unpacked = Math.sqrt(Math.max(0, 1 - (triedShare * packed.length) / trials.length))
  const codecError = Math.hypot(codec.error, PAIR_SPREAD / Math.sqrt(packed.length))
  return { value, error: value * Math.hypot(quick.error * untried, codecError * unpacked) }
}

/** Ratio of weighted sums, and its relative standard error; that of one pair is unknown. */
function ratioOf(pairs: readonly (readonly [of: number, by: number, weight: number])[]): Factor {
  const count = pairs.length
  const of = pairs.reduce((sum, pair) => sum + pair[0] * pair[2], 0)
  const by = pairs.reduce((sum, pair) => sum + pair[1] * pair[2], 0)
  const value = of / by
  if (count < 2) return { value, error: null }
  const squares = pairs.reduce((sum, pair) => sum + (pair[2] * (pair[0] - value * pair[1])) ** 2, 0)
  return { value, error: Math.sqrt((squares * count) / (count - 1)) / of }
}

/**
 * Size of many solid archives: what the model of solid archives says of the large ones, and of the
 * small ones what trials say.
 * @param large what is forecast of the large ones, lists included
 * @param overheadBytes lists of all archives
 */
export function forecastGrouped(
  large: SolidEstimate,
  small: SmallArchives,
  overheadBytes: number,
): SolidEstimate {
  const factor = smallArchivesFactor(small)
  const smallBytes = small.forecastBytes
  const value = large.predictedBytes + smallBytes * factor.value
  const error = factor.error === null ? UNTRIED_ERROR : Math.hypot(factor.error, TRIAL_ERROR * factor.value)
  const halfOf = (side: number): number =>
    Math.hypot(
      side,
      // What a few packed ones do not show is in the error already.
      smallBytes * error * tQuantile(Math.max(2, small.trials.length - 1)),
      overheadBytes * OVERHEAD_ERROR * tQuantile(Number.POSITIVE_INFINITY),
    )
  return {
    predictedBytes: Math.round(value),
    low: Math.max(0, Math.round(value - halfOf(large.predictedBytes - large.low))),
    high: Math.round(value + halfOf(large.high - large.predictedBytes)),
  }
}
