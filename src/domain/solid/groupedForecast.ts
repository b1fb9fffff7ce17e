import { tQuantile } from '../compression/tQuantile'
import type { SolidEstimate } from './solidForecast'

/**
 * Bytes of a 7z archive that are not packed data, for so many files with names of so many characters together and no times or
 * attributes (`-mtm- -mtc- -mta- -mtr-`): the start header, and the lists as they are or, from a few files on, packed.
 * Seen with 7-Zip 26.03 on archives of 1 to 100 files: within 12 % of each.
 */
export function archiveOverhead(files: number, nameCharacters: number): number {
  return Math.min(73 + 11 * files + 2 * nameCharacters, 150 + 14 * files)
}

/** How unsure that is: one standard error, as a share. */
const OVERHEAD_ERROR = 0.06
/** What is left of a forecast whose archives were packed for a trial. */
const TRIAL_ERROR = 0.01
/** Without two trials the error of the forecast of small archives: how a codec begins is not known then. */
const UNTRIED_ERROR = 0.2

/** Small archives of which some were packed for a trial. */
export interface SmallArchives {
  /** What all of them are forecast to be, and the trial's archives (with the drawing's weights): as the forecast, and as packed. */
  readonly forecastBytes: number
  readonly trials: readonly Trial[]
  /** How much of the small archives' forecast the trial holds, at most 1. */
  readonly triedShare: number
}

/** One archive that was drawn with a probability in proportion to its forecast. */
export interface Trial {
  readonly forecastBytes: number
  /** By the quick codec, lists included. */
  readonly quickBytes: number
  /** By the codec in question; null where only the quick one has seen it. */
  readonly codecBytes: number | null
}

interface Factor {
  readonly value: number
  /** One standard error; null when it cannot be told. */
  readonly error: number | null
}

/**
 * By how much small archives differ from what is forecast of streams: the quick codec has seen many of them, the codec in question
 * some (double sampling). 1 where none was packed.
 */
export function smallArchivesFactor({ trials, triedShare }: SmallArchives): Factor {
  const quick = trials.map((one) => one.quickBytes / one.forecastBytes)
  const pairs = trials.flatMap((one): [number, number][] =>
    one.codecBytes === null ? [] : [[one.codecBytes / one.forecastBytes, one.quickBytes / one.forecastBytes]],
  )
  if (pairs.length === 0) return { value: 1, error: null }
  const quickMean = quick.reduce((sum, one) => sum + one, 0) / quick.length
  const ofCodec = pairs.reduce((sum, [codec]) => sum + codec, 0)
  const ofQuick = pairs.reduce((sum, [, one]) => sum + one, 0)
  const ratio = ofCodec / ofQuick
  const value = quickMean * ratio
  if (pairs.length < 2) return { value, error: triedShare >= 1 && pairs.length === quick.length ? 0 : null }
  const quickSquares = quick.reduce((sum, one) => sum + (one - quickMean) ** 2, 0)
  const pairSquares = pairs.reduce((sum, [codec, one]) => sum + (codec - ratio * one) ** 2, 0)
  const quickError = Math.sqrt(quickSquares / (quick.length - 1) / quick.length) / quickMean
  const pairError = Math.sqrt((pairSquares * pairs.length) / (pairs.length - 1)) / ofCodec
  const unpaired = 1 - pairs.length / quick.length
  const untried = Math.sqrt(Math.max(0, 1 - triedShare))
  return { value, error: value * Math.hypot(quickError * untried, pairError * Math.sqrt(unpaired)) }
}

/**
 * Size of many solid archives: what the model of solid archives says of all, and of the small ones what trials say.
 * @param model of all archives together, lists included
 * @param share which part of the small archives' forecast these archives have: 1 for all
 */
export function forecastGrouped(
  model: SolidEstimate,
  small: SmallArchives,
  overheadBytes: number,
  share = 1,
): SolidEstimate {
  const factor = smallArchivesFactor(small)
  const smallBytes = Math.min(model.predictedBytes, small.forecastBytes * share)
  const largeBytes = model.predictedBytes - smallBytes
  const value = largeBytes + smallBytes * factor.value
  const count = small.trials.filter((one) => one.codecBytes !== null).length
  const error = factor.error === null ? UNTRIED_ERROR : Math.hypot(factor.error, TRIAL_ERROR * factor.value)
  const halfOf = (side: number): number =>
    Math.hypot(
      model.predictedBytes > 0 ? (side * largeBytes) / model.predictedBytes : 0,
      smallBytes * error * tQuantile(Math.max(2, count - 1)),
      overheadBytes * OVERHEAD_ERROR * tQuantile(Number.POSITIVE_INFINITY),
    )
  return {
    predictedBytes: Math.round(value),
    low: Math.max(0, Math.round(value - halfOf(model.predictedBytes - model.low))),
    high: Math.round(value + halfOf(model.high - model.predictedBytes)),
  }
}
