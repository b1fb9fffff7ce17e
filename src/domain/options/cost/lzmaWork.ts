import type { Estimate } from '../../../primitives/estimate'
import type { MachineFacts, SurveyFacts } from '../facts'
import {
  compressionOf,
  type GroupedRow,
  meanFileBytes,
  type SolidRow,
  streamSecondsOf,
  tarBytesOf,
} from '../surveyFigures'
import { sumTogether, within } from './estimateParts'
import { atPace } from './machinePace'
import { newBytes, patternedBytes } from './newBytes'

const CODEC = 'lzma2-9'

/**
 * The CPU time of 7-Zip 26.03 at its best level (bt4, one thread) for each new byte: up to 640 KiB
 * of history at first, and more for each doubling of it, however long the archive. It depends on
 * the length of the history more than on the content (docs/methods/constants.md).
 */
const STREAM_BYTES = 640 * 1024
const STREAM_SECONDS = 0.24e-6
const DOUBLING_SECONDS = 0.047e-6
/**
 * The CPU time of a byte whose earlier copy is this near: the match is found and passed over
 * (docs/methods/constants.md).
 */
const REPEAT_SECONDS = 0.165e-6
const NEAR_BYTES = 128 * 1024
const QUIET_SECONDS = 0.055e-6
/**
 * The time that 7-Zip takes for each file in addition: that much more than samples of sets of tiny
 * files (docs/methods/constants.md).
 */
const FILE_SECONDS = 0.15e-3

/**
 * The error of this model: 7 % in the median of 30 builds, 35 % at most; one program's time moves
 * by as much from hour to hour (docs/methods/constants.md).
 */
const TIME_ERROR = 0.3
/** Where the survey could not time the codec. */
const UNTIMED_ERROR = 0.6

/** Bytes, and what precedes them as far as the dictionary leads. */
interface Novel {
  readonly bytes: number
  readonly window: number
}

/** Bytes that precede at about such a distance. */
interface Repeats {
  readonly bytes: number
  readonly distance: number
}

interface Work {
  readonly novel: readonly Novel[]
  readonly repeats: readonly Repeats[]
  /** In zeros and the like. */
  readonly quietBytes: number
  /** That the program opens. */
  readonly files: number
}

/**
 * Seconds of one core for one solid archive with such a dictionary.
 * @param order `content` where files that share data are adjacent
 */
export function solidSeconds(
  survey: SurveyFacts,
  dictionaryBytes: number,
  order: string,
  machine: MachineFacts,
): Estimate {
  const window = Math.min(dictionaryBytes, survey.totals.bytes)
  const rows = survey.solid
    .filter((row) => row.codec === CODEC && row.order === order && row.reuse !== undefined)
    .toSorted((one, other) => one.dictionaryBytes - other.dictionaryBytes)
  const held = rows.filter((row) => row.dictionaryBytes <= dictionaryBytes)
  const reuse = held.length > 0 ? held : rows.slice(0, 1)
  const work = workOf(survey, reuse, window, order)
  if (order !== 'content') return secondsOf(survey, machine, { ...work, files: survey.totals.files })
  // 7-Zip orders files by itself: in any other order they come as one tar, whose headers are much alike.
  const headers = { bytes: tarBytesOf(survey) - survey.totals.bytes, distance: NEAR_BYTES }
  return secondsOf(survey, machine, { ...work, repeats: [...work.repeats, headers] })
}

/** The same for an archive in which every file is packed by itself. */
export function fileSeconds(survey: SurveyFacts, machine: MachineFacts): Estimate {
  const { bytes } = survey.totals
  const patterned = patternedBytes(survey)
  const novel = survey.sizeHistogram
    .filter((bin) => bin.files > 0)
    .map((bin) => ({ bytes: (bin.bytes * patterned) / Math.max(1, bytes), window: bin.bytes / bin.files }))
  return secondsOf(survey, machine, {
    novel,
    repeats: [],
    quietBytes: bytes - patterned,
    files: survey.totals.files,
  })
}

/**
 * The same where files are packed together into archives, one for each group; by all rows of one
 * way to group.
 */
export function groupSeconds(
  survey: SurveyFacts,
  rows: readonly GroupedRow[],
  machine: MachineFacts,
): Estimate {
  const known = rows.toSorted((one, other) => one.dictionaryBytes - other.dictionaryBytes)
  const mean = survey.totals.bytes / Math.max(1, known[0]?.archives ?? 1)
  const reuse = known.filter((row) => row.reuse !== undefined)
  return secondsOf(survey, machine, workOf(survey, reuse, mean, 'content'))
}

/** The distances of repeats, from the sizes with growing dictionaries. */
function workOf(
  survey: SurveyFacts,
  rows: readonly Pick<SolidRow, 'dictionaryBytes' | 'reuse'>[],
  window: number,
  order: string,
): Work {
  const { bytes } = survey.totals
  const last = rows.at(-1)?.reuse
  if (!last) {
    const patterned = patternedBytes(survey)
    const fresh = newBytes(survey)
    return {
      novel: [{ bytes: fresh, window }],
      repeats: [{ bytes: patterned - fresh, distance: order === 'content' ? NEAR_BYTES : window / 4 }],
      quietBytes: bytes - patterned,
      files: 0,
    }
  }
  const { quietBytes, novelBytes } = last
  let unseen = bytes - quietBytes
  const repeats = rows.map(({ dictionaryBytes, reuse }, index) => {
    const seen = Math.max(0, unseen - (reuse?.novelBytes ?? unseen))
    unseen -= seen
    const farthest = Math.min(dictionaryBytes, window)
    return { bytes: seen, distance: index === 0 ? Math.min(NEAR_BYTES, farthest / 2) : farthest / 2 }
  })
  return { novel: [{ bytes: novelBytes, window }], repeats, quietBytes, files: 0 }
}

function secondsOf(survey: SurveyFacts, machine: MachineFacts, work: Work): Estimate {
  const stream = streamSecondsOf(survey, CODEC)
  const base = stream ?? STREAM_SECONDS
  // Where streams were too short to be timed, samples of files were, too.
  const short = stream === null ? base : (fileSecondsPerByte(survey) ?? base)
  const mean = meanFileBytes(survey)
  let own = 0
  let farther = work.quietBytes * QUIET_SECONDS + work.files * FILE_SECONDS
  for (const { bytes, window } of work.novel) {
    own += bytes * between(window, mean, short, base)
    farther += bytes * DOUBLING_SECONDS * doublings(window, STREAM_BYTES)
  }
  for (const { bytes, distance } of work.repeats) {
    farther += bytes * (REPEAT_SECONDS + DOUBLING_SECONDS * doublings(distance, NEAR_BYTES))
  }
  const isTimed = stream !== null
  const ownBasis = isTimed
    ? 'CPU time of LZMA on samples of this source'
    : 'CPU time of LZMA, measured on another machine'
  const basis = `${ownBasis}, and on repeats at the distances found here, measured on another machine`
  const provenance = isTimed ? 'modelled' : 'assumed'
  const error = isTimed ? TIME_ERROR : UNTIMED_ERROR
  const measured = within(own, error, provenance, ownBasis)
  const known = atPace(within(farther, error, provenance, basis), machine)
  return sumTogether([isTimed ? measured : atPace(measured, machine), known], basis)
}

/** Seconds for each byte of files by themselves, as samples of them took. */
function fileSecondsPerByte(survey: SurveyFacts): number | null {
  const rate = compressionOf(survey, CODEC, null)?.bytesPerSecond ?? 0
  return rate > 0 ? 1 / rate : null
}

/** From what files of mean length take to what streams do, by the logarithm of the length. */
function between(length: number, mean: number, short: number, stream: number): number {
  if (length >= STREAM_BYTES || mean >= STREAM_BYTES) return stream
  if (length <= mean) return short
  return short + ((stream - short) * Math.log(length / mean)) / Math.log(STREAM_BYTES / mean)
}

function doublings(length: number, from: number): number {
  return Math.max(0, Math.log2(length / from))
}
