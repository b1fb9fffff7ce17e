import type { Estimate } from '../../primitives/estimate'
import { within } from './estimateParts'
import type { MachineFacts, SurveyFacts } from './facts'
import { atPace } from './machinePace'
import { newBytes, patternedBytes } from './newBytes'
import { compressionOf, streamSecondsOf } from './surveyFigures'

const MIB = 1024 * 1024
const CODEC = 'lzma2-9'

/**
 * What 7-Zip 26.03 at its best level (bt4, one thread) takes of one core for each byte that it has not seen before, by the part of the
 * past that it searches: seconds on seven sets of 19 to 68 MB (tiny files, sources, releases of one program, programs, cartridges,
 * images of disks, compressed media). Beyond 64 MiB it is carried on by the same steps.
 */
const SECONDS_BY_WINDOW: readonly (readonly [windowBytes: number, secondsPerByte: number])[] = [
  [MIB, 0.387e-6],
  [4 * MIB, 0.449e-6],
  [16 * MIB, 0.5e-6],
  [64 * MIB, 0.52e-6],
  [1024 * MIB, 0.57e-6],
]
/** What has been seen before costs this share of that: entries of the match finder must be kept up, far away ones in slow memory. */
const REPEAT_SHARE = { far: 0.29, near: 0.13 }
/** Data without pattern cost less, by this share where nothing can be saved: their trees are flat. */
const PATTERNLESS_SHARE = 0.05
const PATTERNLESS_FROM = 0.6
/** With all that it was off by 10 to 12 % in the median on six of those sets, and by at most a third. */
const SOLID_ERROR = 0.4

/** What the survey's short streams took for each byte on those sets, and the machine that the seconds above are from. */
const STREAM_SECONDS = 0.27e-6
const STREAM_BYTES = 640 * 1024
/**
 * Files by themselves take as long for each byte as such a stream, those twice as long this share more, those half as long that share
 * less: of the same sets within 20 %.
 */
const LONGER_SHARE = 0.145
const SHORTER_SHARE = 0.045
const SHORTEST_SHARE = 0.4
const FILE_ERROR = 0.4
/** Where the survey could not time a stream. */
const UNTIMED_ERROR = 0.6

/** What the program has beside the encoder, and for each file in its lists; seen on those sets, within 4 %, 7 for an archive of cartridges. */
const BASE_RAM = 7 * MIB
const FILE_RAM = 650
/** Two threads for finding matches have buffers between them. */
const MATCH_THREAD_RAM = 4 * MIB
const RAM_ERROR = 0.08
/** What the decoder has beside the dictionary; seen on those sets. */
const UNPACK_RAM = 6 * MIB

/**
 * Seconds of one core for one solid archive with such a dictionary: what is known of the codec elsewhere, and what it took for samples
 * of these bytes on this machine, each of which alone was off by a fifth and more, have the same say (their geometric mean).
 * @param order `content` where files that share data stand next to each other
 */
export function solidSeconds(
  survey: SurveyFacts,
  dictionaryBytes: number,
  order: string,
  machine: MachineFacts,
): Estimate {
  const fresh = newBytes(survey)
  const repeats = Math.max(0, patternedBytes(survey) - fresh)
  const share = order === 'content' ? REPEAT_SHARE.near : REPEAT_SHARE.far
  const work = (fresh + share * repeats) * patternlessFactor(survey)
  const seconds = work * secondsPerByte(Math.min(dictionaryBytes, survey.totals.bytes))
  const elsewhere = 'the work of LZMA on bytes that are new and on such as repeat, as measured elsewhere'
  const known = atPace(within(seconds, SOLID_ERROR, 'assumed', elsewhere), machine)
  const stream = streamSecondsOf(survey, CODEC)
  if (stream === null) return known
  const here = (seconds * stream) / STREAM_SECONDS
  const basis = 'the work of LZMA as measured elsewhere, and on samples of these bytes'
  return within(Math.sqrt(known.value * here), SOLID_ERROR, 'modelled', basis)
}

/** Seconds of one core for an archive in which every file is packed by itself. */
export function fileSeconds(survey: SurveyFacts, machine: MachineFacts): Estimate {
  let bytes = 0
  for (const bin of survey.sizeHistogram) {
    if (bin.files > 0) bytes += bin.bytes * lengthFactor(bin.bytes / bin.files)
  }
  return ownSeconds(survey, bytes, machine)
}

/**
 * The same where files are packed together into archives that are so long on average.
 * @param copiedShare of what the archives come to: of those that are equal to others
 */
export function groupSeconds(
  survey: SurveyFacts,
  meanBytes: number,
  copiedShare: number,
  machine: MachineFacts,
): Estimate {
  const { totals, duplicateFiles } = survey
  // Equal files are taken to be in the same archive, where the second costs next to nothing: which are is not known. But equal archives
  // are packed each by itself: with f bytes of files that are not equal and a share s of copies all archives hold f / (1 - s).
  const fresh = totals.bytes - duplicateFiles.bytes
  const bytes = Math.min(totals.bytes, fresh / Math.max(0.01, 1 - copiedShare))
  return ownSeconds(survey, bytes * lengthFactor(meanBytes), machine)
}

function ownSeconds(survey: SurveyFacts, bytes: number, machine: MachineFacts): Estimate {
  const patterned = survey.totals.bytes > 0 ? patternedBytes(survey) / survey.totals.bytes : 0
  const stream = streamSecondsOf(survey, CODEC)
  if (stream !== null) {
    const basis = 'the work of LZMA on samples of these bytes, for files of these sizes'
    return within(bytes * patterned * stream, FILE_ERROR, 'modelled', basis)
  }
  const seconds = bytes * patterned * STREAM_SECONDS * patternlessFactor(survey)
  const basis = 'the work of LZMA on files of these sizes, as measured elsewhere'
  return atPace(within(seconds, UNTIMED_ERROR, 'assumed', basis), machine)
}

function lengthFactor(length: number): number {
  const doublings = Math.log2(Math.max(1, length) / STREAM_BYTES)
  return doublings > 0
    ? 1 + LONGER_SHARE * doublings
    : Math.max(SHORTEST_SHARE, 1 + SHORTER_SHARE * doublings)
}

function patternlessFactor(survey: SurveyFacts): number {
  const row = compressionOf(survey, CODEC, null)
  const ratio = row && survey.totals.bytes > 0 ? row.predictedBytes / survey.totals.bytes : 0
  const part = Math.min(1, Math.max(0, (ratio - PATTERNLESS_FROM) / (1 - PATTERNLESS_FROM)))
  return 1 - PATTERNLESS_SHARE * part
}

function secondsPerByte(windowBytes: number): number {
  const points = SECONDS_BY_WINDOW
  const above = points.findIndex(([size]) => size >= windowBytes)
  if (above === 0) return (points[0] as readonly [number, number])[1]
  if (above < 0) return (points.at(-1) as readonly [number, number])[1]
  const [fromSize, from] = points[above - 1] as readonly [number, number]
  const [toSize, to] = points[above] as readonly [number, number]
  const part = Math.log2(windowBytes / fromSize) / Math.log2(toSize / fromSize)
  return from + (to - from) * part
}

/**
 * Memory while packing: two trees of four bytes for each byte of the dictionary, its window half as long again, and a hash
 * table (MatchFinder_Create in 7-Zip's LzFind.c). The dictionary is cut to what there is to pack, and what is not filled is not
 * touched.
 */
export function packRam(
  dictionaryBytes: number,
  streamBytes: number,
  files: number,
  matchThreads = 1,
): Estimate {
  const dictionary = Math.min(dictionaryBytes, Math.max(4096, streamBytes))
  const window = Math.min(streamBytes, 1.5 * dictionary + MIB / 2)
  const threads = matchThreads > 1 ? MATCH_THREAD_RAM : 0
  return within(
    BASE_RAM + files * FILE_RAM + 8 * dictionary + window + hashBytes(dictionary) + threads,
    RAM_ERROR,
    'modelled',
    'the tables of LZMA for this dictionary, by the source of 7-Zip',
  )
}

/** Four bytes for each entry; the number of entries is a power of two (MatchFinder_GetHashMask in LzFind.c). */
function hashBytes(dictionary: number): number {
  let mask = 2 ** Math.ceil(Math.log2(Math.max(2, dictionary))) / 2 - 1
  if (mask >= 2 ** 24) mask = Math.floor(mask / 2)
  return 4 * (Math.max(mask, 2 ** 16 - 1) + 1)
}

export function unpackRam(dictionaryBytes: number, streamBytes: number, files: number): Estimate {
  return within(
    UNPACK_RAM + files * FILE_RAM + Math.min(dictionaryBytes, Math.max(4096, streamBytes)),
    RAM_ERROR,
    'modelled',
    'the dictionary and some mebibytes',
  )
}
