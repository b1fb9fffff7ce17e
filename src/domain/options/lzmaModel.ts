import type { Estimate } from '../../primitives/estimate'
import { within } from './estimateParts'
import type { MachineFacts, SurveyFacts } from './facts'
import { atPace } from './machinePace'
import { newBytes, patternedBytes } from './newBytes'

const MIB = 1024 * 1024

/**
 * What 7-Zip 26.03 at its best level (bt4, one thread) takes of one core for each byte that it has not seen before, by the part of the
 * past that it searches: seconds on four sets of 19 to 68 MB (8,000 tiny files, sources, programs, images of disks), of which it was
 * off by at most 16 %, in the median by 8 %. What repeats costs next to nothing. Beyond 64 MiB it is carried on by the same steps.
 */
const SECONDS_BY_WINDOW: readonly (readonly [windowBytes: number, secondsPerByte: number])[] = [
  [MIB, 0.387e-6],
  [4 * MIB, 0.449e-6],
  [16 * MIB, 0.5e-6],
  [64 * MIB, 0.52e-6],
  [1024 * MIB, 0.57e-6],
]
const TIME_ERROR = 0.16

/**
 * The same for files by themselves: more for long ones, whose tables do not fit the processor's caches, by this for each doubling from
 * 16 KiB on. Off by 2 %, 8 %, 2 % and 8 % on those sets.
 */
const FILE_SECONDS = 0.185e-6
const FILE_SECONDS_DOUBLING = 0.019e-6
const SMALL_FILE_BYTES = 16 * 1024

/** What the program has beside the encoder, and for each file in its lists; seen on those sets, within 4 %. */
const BASE_RAM = 7 * MIB
const FILE_RAM = 650
/** Two threads for finding matches have buffers between them. */
const MATCH_THREAD_RAM = 4 * MIB
const RAM_ERROR = 0.06
/** What the decoder has beside the dictionary; seen on those sets. */
const UNPACK_RAM = 6 * MIB

/** Seconds of one core for one solid archive with such a dictionary. */
export function solidSeconds(survey: SurveyFacts, dictionaryBytes: number, machine: MachineFacts): Estimate {
  const fresh = newBytes(survey)
  const seconds = fresh * secondsPerByte(Math.min(dictionaryBytes, survey.totals.bytes))
  return atPace(
    within(
      seconds,
      2 * TIME_ERROR,
      'assumed',
      'the work of LZMA on bytes that do not repeat, as measured elsewhere',
    ),
    machine,
  )
}

/** Seconds of one core for an archive in which every file is packed by itself. */
export function fileSeconds(survey: SurveyFacts, machine: MachineFacts): Estimate {
  const { bytes } = survey.totals
  let seconds = 0
  for (const bin of survey.sizeHistogram) {
    if (bin.files === 0) continue
    const doublings = Math.max(0, Math.log2(bin.bytes / bin.files / SMALL_FILE_BYTES))
    seconds +=
      bin.bytes * (FILE_SECONDS + FILE_SECONDS_DOUBLING * (Number.isFinite(doublings) ? doublings : 0))
  }
  const patterned = bytes > 0 ? patternedBytes(survey) / bytes : 0
  return atPace(
    within(
      seconds * patterned,
      2 * TIME_ERROR,
      'assumed',
      'the work of LZMA on files of these sizes, as measured elsewhere',
    ),
    machine,
  )
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
