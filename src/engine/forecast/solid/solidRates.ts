import type { Solid } from '../../../contract/dto/survey'
import type { RateSamples } from '../../../domain/forecast/solidForecast'
import { repeatsMatter } from '../../../domain/forecast/solidForecast'
import { seededRandom } from '../../../primitives/seededRandom'
import { quickStreamBytes } from '../../codecs/compressBuffer'
import type { Pause } from '../../jobs/slowly'
import type { NativeAnchors, Question } from '../../native/addon'
import { processorMs } from '../../tools/processorTime'
import type { SampleLevel } from '../codecs/codecSamplesTargets'
import type { Alone } from '../exclusiveCpu'
import type { OnWork } from '../forecastWork'
import { SECOND_PHASE_MS } from '../secondPhaseBudget'
import type { SolidFile } from './solidFiles'
import {
  contentOf,
  type PackedStreams,
  type QuickContent,
  type ReadStretches,
  type SolidBuffer,
  type StreamCodec,
} from './solidSamples'

const MIB = 1024 * 1024

interface Sizes {
  /** How much the fast codec sees of what is first seen; of everything it sees half as much. */
  readonly quickBytes: number
  /**
   * How many streams the codecs in question see at most of what is first seen, of everything half
   * as many, and how long they are.
   */
  readonly streams: number
  readonly streamBytes: number
}
const LEVELS: Readonly<Record<SampleLevel, Sizes>> = {
  fast: { quickBytes: 8 * MIB, streams: 2, streamBytes: MIB / 2 },
  normal: { quickBytes: 16 * MIB, streams: 3, streamBytes: (5 * MIB) / 8 },
  thorough: { quickBytes: 48 * MIB, streams: 6, streamBytes: 2 * MIB },
}
/** Streams are put together from pieces of about this length, from all over the source. */
const PIECE_BYTES = 256 * 1024
const STREAM_PIECE_BYTES = 128 * 1024
/**
 * The large sample is looked at in so many parts, for their differences: of four the 95 % range
 * reaches a third farther.
 */
const QUICK_PARTS = 8
/** A range needs two of each kind, whatever the budget says. */
const LEAST_STREAMS = 2
/**
 * With less of the source repeated, codecs are taken to compare on everything as they do on what is
 * first seen. The two differed by 1 to 9 % (three sets), about as much as two streams of one kind
 * do; that times the share of repeats is the error.
 */
const OWN_STREAMS_SHARE = 1 / 3
/** Longer than anything. */
export const ANY_DISTANCE = 2 ** 61

/** Asks the anchors; ends when the answer is not wanted any more. */
export type Ask = <T>(question: Question<T>) => Promise<T>

/** The parts that streams are put together from. */
export interface Sampling {
  readonly ask: Ask
  readonly goOn: () => void
  readonly pause: Pause
  readonly anchors: NativeAnchors
  /** Novel data is sampled next to similar files, everything in the order of the folders. */
  readonly orders: Readonly<Record<SampleKind, Uint32Array>>
  readonly files: ReadonlyMap<number, SolidFile>
  readonly read: ReadStretches
  /** For what is timed by all that this process does. */
  readonly alone: Alone
  readonly options: {
    readonly level: SampleLevel
    readonly signal: AbortSignal
    /** For the choice of samples. */
    readonly seed?: number
    readonly onWork?: OnWork
  }
  readonly bytes: number
  readonly firstSeenBytes: number
}

type SampleKind = 'all' | 'firstSeen'
/** One stream as the codec in question and the quick one packed it. */
interface StreamPair extends Pick<PackedStreams, 'seconds'> {
  readonly bytes: number
  readonly quickBytes: number
  readonly codecBytes: number
}
export type KindSamples = Omit<RateSamples, 'pairs'> & { readonly pairs: readonly StreamPair[] }
export type Samples = Record<SampleKind, KindSamples | null>

/** By codec. */
export type CodecSamples = ReadonlyMap<string, Samples>

/**
 * Samples of both kinds for every codec: streams as many as the budget allows, those that count for
 * most first.
 * @param isEnough whether more streams would change too little
 */
export async function takeSamples(
  sampling: Sampling,
  codecs: ReadonlyMap<string, StreamCodec>,
  isEnough: (samples: CodecSamples) => boolean,
): Promise<CodecSamples> {
  const { level, seed } = sampling.options
  const random = seededRandom(seed ?? 1)
  const samples = new Map(
    [...codecs.keys()].map((codec): [string, Samples] => [codec, { all: null, firstSeen: null }]),
  )
  const { quickBytes } = LEVELS[level]
  const kinds = (['firstSeen', 'all'] as const).filter(
    (kind) => kind === 'firstSeen' || repeatsMatter(sampling.bytes, sampling.firstSeenBytes),
  )
  const quickOf = await Promise.all(
    kinds.map((kind) => {
      const wanted = kind === 'all' ? quickBytes / 2 : quickBytes
      return quickSamples(sampling, kind, wanted, random.unit())
    }),
  )
  await sampling.alone(async () => {
    const startMs = processorMs()
    let packed = 0
    const isSpent = (): boolean => processorMs() - startMs > SECOND_PHASE_MS[level].solid
    for (const [index, kind] of kinds.entries()) {
      const quick = quickOf[index]
      if (!quick) continue
      const start = random.unit()
      for (const taken of samples.values()) taken[kind] = { ...quick, pairs: [] }
      const repeatedBytes = sampling.bytes - sampling.firstSeenBytes
      if (kind === 'all' && repeatedBytes < OWN_STREAMS_SHARE * sampling.bytes) {
        for (const taken of samples.values()) taken.all = { ...quick, pairs: taken.firstSeen?.pairs ?? [] }
        continue
      }
      const { streams } = LEVELS[level]
      const most = kind === 'firstSeen' ? streams : Math.max(LEAST_STREAMS, streams >> 1)
      for (let stream = 0; stream < most; stream++) {
        if (stream >= LEAST_STREAMS && (isSpent() || isEnough(samples))) break
        const pairs = await pairsOf(sampling, kind, codecs, start, stream, most)
        packed += 1 / (most * kinds.length)
        sampling.options.onWork?.('packing', packed, 1)
        for (const [codec, pair] of pairs) {
          const taken = samples.get(codec) as Samples
          taken[kind] = { ...quick, pairs: [...(taken[kind]?.pairs ?? []), pair] }
        }
      }
    }
  })
  return samples
}

/**
 * The size of a large sample by the fast codec; null if every file has changed since, and its
 * content is unknown.
 */
export async function quickSamples(
  sampling: Sampling,
  kind: SampleKind,
  wantedBytes: number,
  start: number,
): Promise<Omit<RateSamples, 'pairs'> | null> {
  const bytes = kind === 'all' ? sampling.bytes : sampling.firstSeenBytes
  const buffers: SolidBuffer[] = []
  for (let part = 0; part < QUICK_PARTS; part++) {
    buffers.push(await streamOf(sampling, kind, part, start, QUICK_PARTS, wantedBytes, PIECE_BYTES))
  }
  const some = buffers.filter(({ data }) => data.length > 0)
  if (some.length === 0) return null
  const parts = await contentOf(some)
  sampling.goOn()
  const sum = (of: (part: QuickContent) => number): number =>
    parts.reduce((total, part) => total + of(part), 0)
  const whole = {
    novelBytes: sum((part) => part.novelBytes),
    runs: sum((part) => part.runs),
    quietBytes: sum((part) => part.quietBytes),
    quickBytes: sum((part) => part.quickBytes),
  }
  const sampled = some.reduce((total, { data }) => total + data.length, 0)
  return { parts, whole, sampledShare: Math.min(1, sampled / bytes) }
}

/**
 * A small stream that both the fast codec and those in question compress; none if all of its files
 * have changed.
 */
async function pairsOf(
  sampling: Sampling,
  kind: SampleKind,
  codecs: ReadonlyMap<string, StreamCodec>,
  start: number,
  index: number,
  streams: number,
): Promise<Map<string, StreamPair>> {
  const { level, signal } = sampling.options
  const total = streams * LEVELS[level].streamBytes
  const pairs = new Map<string, StreamPair>()
  const { data } = await streamOf(sampling, kind, index, start, streams, total, STREAM_PIECE_BYTES)
  if (data.length === 0) return pairs
  const quickBytes = await quickStreamBytes(data)
  // At the same time: each counts its own CPU time, of this process or of 7-Zip's.
  await Promise.all(
    Array.from(codecs, async ([name, codec]) => {
      const { sizes, seconds } = await codec([data], signal)
      pairs.set(name, { bytes: data.length, quickBytes, codecBytes: sizes[0] as number, seconds })
    }),
  )
  sampling.goOn()
  return pairs
}

/**
 * The `index`-th of `count` streams that are `totalBytes` together, each of pieces at equal
 * distances.
 */
async function streamOf(
  sampling: Sampling,
  kind: SampleKind,
  index: number,
  start: number,
  count: number,
  totalBytes: number,
  pieceBytes: number,
): Promise<SolidBuffer> {
  const { anchors, orders, read, ask } = sampling
  const novelOnly = kind === 'firstSeen'
  const bytes = novelOnly ? sampling.firstSeenBytes : sampling.bytes
  const pieces = Math.max(count, Math.round(totalBytes / pieceBytes))
  const distance = Math.max(1, bytes / pieces)
  const piece = Math.ceil(Math.min(pieceBytes, distance))
  const random = seededRandom(Math.floor(start * 2 ** 32))
  // All of it if it is no more than that; else a piece anywhere in each part: at equal distances all would hold the same part of files of one length.
  const isAll = piece >= distance
  const places = Array.from({ length: pieces }, (_, place) =>
    Math.floor(isAll ? place * distance : Math.min((place + random.unit()) * distance, bytes - piece)),
  )
  const own = Float64Array.from(places.filter((_, at) => at % count === index))
  return read(await ask(anchors.stretches(orders[kind], novelOnly, own, piece)))
}

/** Less than this tells no rate: 7-Zip counts its time in hundredths of a second. */
const LEAST_SECONDS = 0.1

/**
 * How fast one core packed the streams, and how long they were on average; undefined where that
 * took too short.
 */
export function speedOf(pairs: readonly StreamPair[]): Solid['speed'] {
  const bytes = pairs.reduce((sum, pair) => sum + pair.bytes, 0)
  const seconds = pairs.reduce((sum, pair) => sum + pair.seconds, 0)
  if (seconds < LEAST_SECONDS) return undefined
  return { bytesPerSecond: bytes / seconds, streamBytes: Math.round(bytes / pairs.length) }
}

export function sumOf(values: Float64Array = new Float64Array()): number {
  let sum = 0
  // A value for each of a million archives: a loop takes a millisecond, `reduce` sixty.
  for (const value of values) sum += value
  return sum
}

/** Sums of estimates are no whole numbers. */
export function wholeBytes(reuse: NonNullable<Solid['reuse']>): NonNullable<Solid['reuse']> {
  return { novelBytes: Math.round(reuse.novelBytes), quietBytes: Math.round(reuse.quietBytes) }
}
