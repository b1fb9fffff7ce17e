/**
 * The room `forecast` computes sizes of archives from counts of repeats and from samples.
 * How: what is new counts at the rate of its samples, each repeat some bytes, and lists their own;
 * each figure has a range.
 * Not here: taking and packing samples (`src/engine/forecast`), estimators (`statistics`).
 */

import { tQuantile } from '../statistics/tQuantile'
import type { SolidCalibration } from './calibration'

/**
 * With less of the source repeated it is unknown how repeats compress where they are out of reach.
 */
const LEAST_REPEATED_SHARE = 0.05
/** Shorter dictionaries than a sixteenth of the source were not tried. */
const MOST_HALVINGS = 4

/**
 * One standard error, as a share, of the rate of repeats that are out of reach: samples of
 * everything stand closer to one another than in the archive, so they find small repeats that a
 * short dictionary does not reach. On cartridges the rate was 10 to 12 % too low.
 */
const REPEATS_ERROR = 0.06

/** One standard error of what is missed near the far end of a dictionary, as a share of it. */
const EDGE_ERROR = 0.5

/**
 * Lengths of the streams that samples are compressed in, and of the archives that calibrations are
 * from.
 */
const LEARNING_BYTES = [640 * 1024, 24_000_000] as const
/** Archives of up to 69 MB were tried. */
const MOST_LEARNT = 1.3

/** The content of a stream of files that was not seen within one dictionary. */
interface ReusePoint {
  readonly dictionaryBytes: number
  /** By anchors; bytes of short patterns are not among them. */
  readonly novelBytes: number
  readonly runs: number
  /**
   * The bytes that three quarters of the dictionary would add to them: a codec may miss some of it.
   */
  readonly edgeBytes?: number
  /** The part of them in near copies; none where that makes no difference. */
  readonly copies?: {
    readonly novelBytes: number
    readonly runs: number
    /**
     * The share of what they copy that the dictionary still holds: all of it where this is absent.
     */
    readonly reach?: number
  }
}

/**
 * A piece of a near copy: what it is by its anchors behind what it copies, and the bytes that it
 * added to that when it was packed.
 */
export interface CopyTrial extends StreamContent {
  readonly codecBytes: number
  /** The size of one new byte by the trial's codec, where it is not the codec in question. */
  readonly newRate?: number
}

/** Parts of a source as one stream. */
export interface StreamContent {
  /** By the stream's own anchors. */
  readonly novelBytes: number
  readonly runs: number
  readonly quietBytes: number
}

/**
 * Samples of the compression of some bytes of a source. A fast codec has seen a large sample, in
 * parts and as one; the codec in question some small streams, which the fast one has seen as well
 * (double sampling).
 */
export interface RateSamples {
  readonly parts: readonly (StreamContent & { readonly quickBytes: number })[]
  readonly whole: StreamContent & { readonly quickBytes: number }
  /** How much of those bytes the large sample is, at most 1. */
  readonly sampledShare: number
  readonly pairs: readonly { readonly quickBytes: number; readonly codecBytes: number }[]
}

export interface SolidSource {
  /** All of it, short patterns included. */
  readonly bytes: number
  readonly quietBytes: number
  /** Not seen anywhere before: the same in every order. */
  readonly firstSeenBytes: number
  /** Rates of content that is first seen, and of everything; null where little is repeated. */
  readonly firstSeen: RateSamples
  readonly all: RateSamples | null
  /** The size of the archive's own lists of files. */
  readonly overheadBytes: number
  /** How much of the runs is a guess, as a share: 0 while no anchor was dropped. */
  readonly runsError: number
  /**
   * Length of the archive in which a byte finds itself on average, where there are several; else
   * all is one.
   */
  readonly archiveBytes?: number
  readonly trials?: readonly CopyTrial[]
}

export interface SolidEstimate {
  readonly predictedBytes: number
  /** 95 % range. */
  readonly low: number
  readonly high: number
}

/**
 * Size of a solid archive: what is new at the rate that samples of it compress to, some bytes for
 * each repeat, and the lists. What was seen before but too long ago has a rate of its own, from
 * samples of everything.
 */
export function forecastSolid(
  point: ReusePoint,
  source: SolidSource,
  calibration: SolidCalibration,
): SolidEstimate {
  const first = Math.min(point.novelBytes, source.firstSeenBytes)
  const again = point.novelBytes - first
  const archiveBytes = source.archiveBytes ?? source.bytes
  const learning = learnt(archiveBytes)
  const firstRate = rateOf(source.firstSeen, calibration, learning)
  const tried = factorOfCopies(source.trials ?? [], firstRate.value, calibration)
  const copies = tried && point.copies ? point.copies : { novelBytes: 0, runs: 0, reach: 0 }
  const copied = Math.min(first, copies.novelBytes)
  // Out of reach a near copy is as new as any other file.
  const saved = (1 - (tried?.value ?? 1)) * (copies.reach ?? 1)
  const againRate = rateOfRepeats(source, firstRate, copied * saved, calibration, learning)
  const forgotten = Math.min(MOST_HALVINGS, Math.max(0, Math.log2(archiveBytes / point.dictionaryBytes)))
  const copyRuns = copies.runs * calibration.runBytes
  const runs = point.runs * calibration.runBytes - copyRuns * saved
  const quiet = source.quietBytes * calibration.quietShare
  const plain = (first - copied * saved) * firstRate.value + again * againRate.value
  // What has no pattern has nothing to forget.
  const pattern = Math.max(0, 1 - plain / Math.max(1, point.novelBytes))
  const history = 1 + calibration.historyShare * forgotten * pattern
  const content = plain * history
  const edge = (point.edgeBytes ?? 0) * calibration.edgeShare * againRate.value
  const value = content + edge + runs + quiet + source.overheadBytes
  const sampling = Math.hypot(first * firstRate.error, again * againRate.error) * history
  const untriedRuns = runs - copyRuns * (1 - saved)
  const modelled = Math.hypot(
    content * calibration.modelError,
    again * againRate.value * REPEATS_ERROR,
    edge * EDGE_ERROR,
    untriedRuns * Math.hypot(calibration.runError, source.runsError),
    (copyRuns + copied * firstRate.value) * (tried?.error ?? 0),
    source.overheadBytes * calibration.overheadError,
  )
  const half = Math.hypot(
    sampling * tQuantile(Math.max(2, source.firstSeen.parts.length - 1)),
    modelled * tQuantile(Number.POSITIVE_INFINITY),
  )
  const most = Math.max(value, (source.bytes + source.overheadBytes) * 1.001)
  return {
    predictedBytes: Math.round(value),
    low: Math.round(Math.max(0, value - half)),
    high: Math.round(Math.min(most, value + half)),
  }
}

interface Rate {
  readonly value: number
  /** One standard error. */
  readonly error: number
}

/**
 * How much of what a calibration says of learning is true of an archive of this length: it grows
 * with the logarithm, from none in the streams to all in the archives that were packed for the
 * calibration, and goes on a little.
 */
function learnt(archiveBytes: number): number {
  const [from, to] = LEARNING_BYTES
  return Math.min(MOST_LEARNT, Math.max(0, Math.log(archiveBytes / from) / Math.log(to / from)))
}

/**
 * Compressed bytes for each new byte: what the fast codec makes of the large sample, by how the two
 * compare on the small ones.
 */
function rateOf(samples: RateSamples, calibration: SolidCalibration, learning: number): Rate {
  const cost = (one: StreamContent & { quickBytes: number }): number =>
    Math.max(0, one.quickBytes - one.runs * calibration.runBytes)
  const { parts, whole, pairs } = samples
  if (whole.novelBytes === 0) return { value: 0, error: 0 }
  const quick = cost(whole) / whole.novelBytes
  const spread = ratioError(parts.map((part) => [cost(part), part.novelBytes]))
  const unseen = Math.sqrt(Math.max(0, 1 - samples.sampledShare))
  const quickBytes = pairs.reduce((sum, pair) => sum + pair.quickBytes, 0)
  const codecBytes = pairs.reduce((sum, pair) => sum + pair.codecBytes, 0)
  const ratio = quickBytes === 0 ? 1 : codecBytes / quickBytes
  const ratioSpread = ratioError(pairs.map((pair) => [pair.codecBytes, pair.quickBytes]))
  const value = Math.min(1, quick * ratio) ** (1 + learning * calibration.learning)
  // The parts lack what the whole has beside them, but they differ from one another as much.
  return { value, error: value * Math.hypot(spread * unseen, ratioSpread) }
}

/** With fewer trials their spread tells nothing. */
const LEAST_TRIALS = 3
/**
 * Trials have less before them than an archive has: a share of their factor, as one standard error.
 */
const TRIAL_ERROR = 0.1

/**
 * How far near copies are from the forecast of their anchors, by the pieces that were packed; null
 * where too few were.
 */
function factorOfCopies(
  trials: readonly CopyTrial[],
  firstRate: number,
  calibration: SolidCalibration,
): Rate | null {
  const pairs = trials.map(
    ({ novelBytes, runs, codecBytes, newRate = firstRate }) =>
      [codecBytes, novelBytes * newRate + runs * calibration.runBytes] as const,
  )
  const expected = pairs.reduce((sum, [, one]) => sum + one, 0)
  if (pairs.length < LEAST_TRIALS || expected === 0) return null
  const value = pairs.reduce((sum, [one]) => sum + one, 0) / expected
  return { value, error: value * Math.hypot(ratioError(pairs), TRIAL_ERROR) }
}

/** Relative standard error of a ratio of sums. */
function ratioError(pairs: readonly (readonly [of: number, by: number])[]): number {
  const count = pairs.length
  const of = pairs.reduce((sum, pair) => sum + pair[0], 0)
  const by = pairs.reduce((sum, pair) => sum + pair[1], 0)
  if (count < 2 || of === 0 || by === 0) return 0
  const squares = pairs.reduce((sum, pair) => sum + (pair[0] - (of / by) * pair[1]) ** 2, 0)
  return Math.sqrt((squares * count) / (count - 1)) / of
}

/**
 * The rate of content that repeats something and has to be written again: the rest of the rate of
 * everything.
 * @param savedBytes of what is first seen, as much as near copies are less than it
 */
function rateOfRepeats(
  source: SolidSource,
  firstRate: Rate,
  savedBytes: number,
  calibration: SolidCalibration,
  learning: number,
): Rate {
  const all = source.bytes - source.quietBytes
  const repeated = all - source.firstSeenBytes
  if (source.all === null || repeated <= 0 || repeated < LEAST_REPEATED_SHARE * all) return firstRate
  const rate = rateOf(source.all, calibration, learning)
  const value = (rate.value * all - firstRate.value * (source.firstSeenBytes - savedBytes)) / repeated
  const error = Math.hypot(rate.error * all, firstRate.error * source.firstSeenBytes) / repeated
  return { value: Math.min(1, Math.max(0, value)), error }
}

/** True when repeats are to be sampled at all. */
export function repeatsMatter(bytes: number, firstSeenBytes: number): boolean {
  return bytes - firstSeenBytes >= LEAST_REPEATED_SHARE * bytes
}
