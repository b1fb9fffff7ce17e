import { constants } from 'node:zlib'
import type { CopyTrial } from '../../../domain/forecast/solidForecast'
import { type StreamSetting, sizesAtMarks } from '../../codecs/zstdStream'
import type { SampleLevel } from '../codecs/codecSamplesTargets'
import { MOST_NOVEL, type NearCopy } from './nearCopies'
import type { SolidFile } from './solidFiles'
import { ANY_DISTANCE, type Sampling } from './solidRates'

const MIB = 1024 * 1024

/**
 * The reach of the trees of zstd's level 19, in bytes (a `chainLog` of 24: 2^23 positions;
 * lib/compress/clevels.h): repeats farther back are found by its table of long matches alone.
 */
const TREE_BYTES = 8 * MIB

/**
 * How many near copies are packed behind others for each window at most, and how much may be read
 * for that.
 */
const LEVELS: Readonly<Record<SampleLevel, { readonly copies: number; readonly bytes: number }>> = {
  fast: { copies: 3, bytes: 96 * MIB },
  normal: { copies: 6, bytes: 160 * MIB },
  thorough: { copies: 64, bytes: 1024 * MIB },
}
/** By one core, of the shallow parser below; only for the time left. */
const PACKED_BYTES_PER_MS = 12_000
/** With fewer a window is left out. */
const LEAST_COPIES = 3
/**
 * The size of copies in a full window by level 19, as a share of that by the shallow parser: its
 * trees find some of what the table has forgotten. On 20 near copies 0.89 and 0.80 with windows of
 * 16 and 64 MiB.
 */
const FULL_WINDOW_SHARE = 0.9

/**
 * The table of long matches of level 19 (ZSTD_ldm_adjustParameters in zstd 1.5.7, strategy
 * `btultra2`), with the same kind of parser and almost no trees: five times as fast, and its ratio
 * of near copies to new data is nearly that of level 19 (docs/methods/constants.md).
 */
function shallow(windowLog: number): StreamSetting {
  return {
    level: 16,
    longWindowLog: windowLog,
    jobs: null,
    params: {
      [constants.ZSTD_c_ldmHashRateLog]: 4,
      [constants.ZSTD_c_ldmBucketSizeLog]: 8,
      [constants.ZSTD_c_ldmMinMatch]: 32,
      [constants.ZSTD_c_strategy]: constants.ZSTD_btopt,
      [constants.ZSTD_c_searchLog]: 1,
      [constants.ZSTD_c_chainLog]: 16,
      [constants.ZSTD_c_hashLog]: 17,
      [constants.ZSTD_c_targetLength]: 32,
      [constants.ZSTD_c_minMatch]: 4,
    },
  }
}

/** Trials by the window of zstd that they were packed with. */
export type FarTrials = ReadonlyMap<number, readonly CopyTrial[]>

/**
 * Packs near copies that lie farther apart than zstd's trees reach as one stream, for each window
 * that holds the file before: its table of long matches forgets more the shorter the window is and
 * the more often the same data comes again. A window that too few could be packed with is left out.
 * @param order the numbers of all files as they lie in the archive
 * @param runsFactor how many repeats stand for one that anchors show
 */
export async function tryFarCopies(
  copies: readonly NearCopy[],
  windows: readonly number[],
  order: Uint32Array,
  runsFactor: number,
  sampling: Omit<Sampling, 'orders'>,
): Promise<FarTrials> {
  const far = copies.filter(({ file, of }) => Math.min(file.bytes, of.bytes) > TREE_BYTES)
  const dataOf = (some: readonly NearCopy[]): number =>
    some.reduce((sum, { dataBytes }) => sum + dataBytes, 0)
  if (dataOf(far) < dataOf(copies) / 2) return new Map()
  const { copies: wanted } = LEVELS[sampling.options.level]
  const chain = await chainOf(far, order, runsFactor, sampling)
  const oldest = chain[0]
  if (chain.length <= LEAST_COPIES || !oldest) return new Map()
  const planned = triesOf(windows, chain, wanted)
  const wholeBytes = planned.reduce((sum, { part }) => sum + (part?.at(-1)?.end ?? 0), 0)
  const costMs = wholeBytes / PACKED_BYTES_PER_MS
  let packedBytes = 0
  const tell = (): void => sampling.options.onWork?.('copies', packedBytes, wholeBytes, costMs)
  tell()
  const trials = new Map<number, CopyTrial[]>()
  let never: CopyTrial[] = []
  for (const { window, from, isFilled, part } of planned) {
    if (part === null) {
      trials.set(window, never)
      continue
    }
    const sizes = await packedSizes(part, window, sampling)
    sampling.goOn()
    packedBytes += part.at(-1)?.end ?? 0
    tell()
    if (sizes === null) return new Map()
    const newRate = (sizes[0] as number) / Math.max(1, oldest.content.novelBytes)
    const trialsOf = (first: number, end: number, share: number): CopyTrial[] =>
      part.slice(first, end).map(({ content: { novelBytes, runs, quietBytes } }, at) => {
        return { novelBytes, runs, quietBytes, newRate, codecBytes: share * (sizes[first + at] as number) }
      })
    never = trialsOf(1, isFilled ? from : part.length, 1)
    trials.set(window, isFilled ? trialsOf(from, part.length, FULL_WINDOW_SHARE) : never)
  }
  return trials
}

/**
 * One window, and the files that are packed with it: null where those of a smaller one tell the
 * same.
 */
interface WindowTry {
  readonly window: number
  /** The first file that finds the window full, else 1. */
  readonly from: number
  readonly isFilled: boolean
  readonly part: readonly ChainLink[] | null
}

function triesOf(windows: readonly number[], chain: readonly ChainLink[], wanted: number): WindowTry[] {
  let isNeverKnown = false
  const least = Math.max(TREE_BYTES, chain[0]?.file.bytes ?? 0)
  return windows
    .toSorted((one, other) => one - other)
    .filter((window) => window > least)
    .map((window) => {
      // While a window fills nothing is forgotten: the first copies tell of windows that never do.
      const filled = chain.findIndex(({ end }, place) => place > 0 && end > window)
      const isFilled = filled > 0 && chain.length - filled >= LEAST_COPIES
      const from = isFilled ? filled : 1
      if (!isFilled && isNeverKnown) return { window, from, isFilled, part: null }
      const part = chain.slice(0, from + wanted)
      isNeverKnown = (isFilled ? from : part.length) - 1 >= LEAST_COPIES
      return { window, from, isFilled, part }
    })
}

interface ChainLink {
  readonly file: SolidFile
  /** Where it ends in the chain. */
  readonly end: number
  /** The content of the copy by its anchors, behind those before it. */
  readonly content: Omit<CopyTrial, 'codecBytes'>
}

/**
 * Files of the archive that nearly equal one another one after the other: the longest row of them,
 * as far as it may be read.
 */
async function chainOf(
  copies: readonly NearCopy[],
  order: Uint32Array,
  runsFactor: number,
  { anchors, ask, options }: Omit<Sampling, 'orders'>,
): Promise<ChainLink[]> {
  const files = new Map(copies.flatMap(({ file, of }) => [of, file].map((one) => [one.number, one])))
  const numbers = order.filter((number) => files.has(number))
  const each = Uint32Array.from(numbers, (_, place) => place)
  const anywhere = Float64Array.of(ANY_DISTANCE)
  const reuse = await ask(anchors.reuse(numbers, each, each.length, anywhere, 0, null))
  const alone = await ask(anchors.reuse(numbers, each, each.length, anywhere, 0, each))
  let longest: ChainLink[] = []
  let chain: ChainLink[] = []
  let room = LEVELS[options.level].bytes
  for (const [place, number] of numbers.entries()) {
    const file = files.get(number) as SolidFile
    const novelBytes = reuse.novelBytes[0]?.[place] ?? 0
    const quietBytes = reuse.quietBytes[place] ?? 0
    // What a file repeats of itself makes it no copy.
    if (novelBytes > MOST_NOVEL * (alone.novelBytes[0]?.[place] ?? 0)) {
      chain = []
      room = LEVELS[options.level].bytes
    }
    room -= file.bytes
    if (room < 0) continue
    const content = { novelBytes, quietBytes, runs: (reuse.runs[0]?.[place] ?? 0) * runsFactor }
    chain.push({ file, end: (chain.at(-1)?.end ?? 0) + file.bytes, content })
    if (chain.length > longest.length) longest = chain
  }
  return longest
}

/** The bytes that each file adds to the stream; null where one has changed. */
async function packedSizes(
  chain: readonly ChainLink[],
  window: number,
  { read, goOn }: Omit<Sampling, 'orders'>,
): Promise<number[] | null> {
  const ends = chain.map(({ end }) => end)
  const readStream = async (offset: number, length: number): Promise<Buffer | null> => {
    goOn()
    const { file, end } = chain.find((one) => one.end > offset) as ChainLink
    const { data } = await read({
      fileNumbers: Uint32Array.of(file.number),
      offsets: Float64Array.of(offset - (end - file.bytes)),
      lengths: Float64Array.of(length),
    })
    return data.length === length ? data : null
  }
  const sizes = await sizesAtMarks(shallow(Math.log2(window)), ends.at(-1) ?? 0, 0, ends, readStream)
  return sizes && sizes.map(({ bytes }, at) => bytes - (sizes[at - 1]?.bytes ?? 0))
}
