import type { Solid } from '../../contract/dto/survey'
import { SOLID_CALIBRATIONS, type SolidCalibration } from '../../domain/solid/calibration'
import { dictionariesFor } from '../../domain/solid/dictionaries'
import {
  forecastSolid,
  type RateSamples,
  repeatsMatter,
  type SolidSource,
} from '../../domain/solid/solidForecast'
import { AppError } from '../../primitives/appError'
import { seededRandom } from '../../primitives/seededRandom'
import { quickStreamBytes } from '../codecs/compressBuffer'
import type { NativeAnchors, Question, Reuse } from '../native/addon'
import { sevenZip } from '../tools/sevenZip'
import type { SampleLevel } from './codecSamplesTargets'
import { processorMs } from './processorTime'
import { SECOND_PHASE_MS } from './secondPhaseBudget'
import { COMPARISONS, type SolidFile, sortedSlowly } from './solidFiles'
import {
  contentOf,
  joined,
  readStretches,
  type SolidBuffer,
  type StreamCodec,
  streamCodecs,
} from './solidSamples'

const MIB = 1024 * 1024

interface Sizes {
  /** How much the quick codec sees of what is first seen; of everything it sees half as much. */
  readonly quickBytes: number
  /** How many streams the codecs in question see of each kind, how long they are, and how much CPU time all may take. */
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
/** The large sample is looked at in so many parts, for their differences. */
const QUICK_PARTS = 4
/** A range needs two of each kind, whatever the budget says. */
const LEAST_STREAMS = 2
/** Longer than anything. */
const ANY_DISTANCE = 2 ** 61
/** While anchors are sparse, the number of repeats is told from how it grows with their density: so uncertain a doubling. */
const THIN_RUNS_ERROR = 0.1

export interface SolidOrders {
  readonly solid: Solid[]
  /** The files, those that share content next to each other. */
  readonly contentOrder: readonly SolidFile[]
  readonly pathOrder: readonly SolidFile[]
}

export interface SolidPhaseOptions {
  readonly level: SampleLevel
  readonly signal: AbortSignal
  /** Instead of those that people would choose from. */
  readonly dictionaries?: readonly number[]
  /** For the choice of samples. */
  readonly seed?: number
  readonly calibrations?: readonly SolidCalibration[]
}

/**
 * Forecasts solid archives of the files for every dictionary and order, from the anchors that the pass kept and some megabytes
 * read again and compressed.
 * @param anchors or the promise of them: taking millions of them lasts, and the signal is heard meanwhile
 * @throws AppError `cancelled` within 200 ms of the signal, `tool-failed` when 7-Zip fails
 */
export async function forecastSolids(
  anchors: NativeAnchors | Promise<NativeAnchors>,
  files: readonly SolidFile[],
  roots: readonly string[],
  options: SolidPhaseOptions,
): Promise<SolidOrders> {
  const { signal } = options
  const stopped = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new AppError('cancelled', 'forecasting solid archives was cancelled'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
  const work = forecast(anchors, files, roots, options)
  // What cannot be ended at once runs out by itself.
  stopped.catch(() => undefined)
  work.catch(() => undefined)
  return Promise.race([work, stopped])
}

type Orders = Readonly<Record<Solid['order'], readonly SolidFile[]>>

async function forecast(
  taken: NativeAnchors | Promise<NativeAnchors>,
  files: readonly SolidFile[],
  roots: readonly string[],
  options: SolidPhaseOptions,
): Promise<SolidOrders> {
  const { signal } = options
  const goOn = (): void => {
    if (signal.aborted) throw new AppError('cancelled', 'forecasting solid archives was cancelled')
  }
  const pause = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    goOn()
  }
  const ask = async <T>(question: Question<T>): Promise<T> => {
    signal.addEventListener('abort', question.cancel, { once: true })
    const answer = await question.finished
    signal.removeEventListener('abort', question.cancel)
    goOn()
    return answer as T
  }
  const anchors = await taken
  goOn()
  const byNumber = new Map(files.map((file) => [file.number, file]))
  const byType = await sortedSlowly(files, COMPARISONS.type, pause)
  const content = await ask(anchors.contentOrder(numbersOf(byType)))
  const orders: Orders = {
    path: await sortedSlowly(files, COMPARISONS.path, pause),
    type: byType,
    content: Array.from(content, (number) => byNumber.get(number) as SolidFile),
  }
  const totalBytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (totalBytes === 0) return { solid: [], contentOrder: orders.content, pathOrder: orders.path }
  const dictionaries = options.dictionaries ?? dictionariesFor(totalBytes)
  const curves = new Map<Solid['order'], Curve>()
  for (const order of ['path', 'type', 'content'] as const) {
    curves.set(order, await curveOf(anchors, numbersOf(orders[order]), dictionaries, ask))
  }
  const { reuse } = curves.get('content') as Curve
  const sampling: Sampling = {
    ask,
    goOn,
    anchors,
    orders: { firstSeen: content, all: numbersOf(orders.path) },
    files: byNumber,
    roots,
    options,
    bytes: totalBytes - sumOf(reuse.quietBytes),
    firstSeenBytes: sumOf(reuse.novelBytes.at(-1)),
  }
  const codecs = streamCodecs(await sevenZip.find())
  const samples = await takeSamples(sampling, codecs)
  const solid = (options.calibrations ?? SOLID_CALIBRATIONS).flatMap((calibration) => {
    const sampled = samples.get(calibration.codec)
    if (!sampled?.firstSeen) return []
    const { firstSeen } = sampled
    return [...curves].flatMap(([order, curve]) => {
      const source: SolidSource = {
        bytes: totalBytes,
        quietBytes: sumOf(curve.reuse.quietBytes),
        firstSeenBytes: sumOf(curve.reuse.novelBytes.at(-1)),
        firstSeen,
        all: sampled.all,
        overheadBytes: overheadOf(files, order, calibration),
        runsError: curve.runsError,
      }
      return dictionaries.map((dictionaryBytes, index): Solid => {
        const point = {
          dictionaryBytes,
          novelBytes: sumOf(curve.reuse.novelBytes[index]),
          runs: (curve.reuse.runs[index] as number) * curve.runsFactor,
        }
        const { predictedBytes, low, high } = forecastSolid(point, source, calibration)
        return { codec: calibration.codec, dictionaryBytes, order, predictedBytes, low, high }
      })
    })
  })
  return { solid, contentOrder: orders.content, pathOrder: orders.path }
}

type Ask = <T>(question: Question<T>) => Promise<T>

interface Curve {
  /** One point more than dictionaries: the last is for any distance. */
  readonly reuse: Reuse
  /** How many repeats stand for one that was seen. */
  readonly runsFactor: number
  readonly runsError: number
}

async function curveOf(
  anchors: NativeAnchors,
  order: Uint32Array,
  dictionaries: readonly number[],
  ask: Ask,
): Promise<Curve> {
  const groups = new Uint8Array(order.length)
  const distances = Float64Array.from([...dictionaries, ANY_DISTANCE])
  const reuse = await ask(anchors.reuse(order, groups, 1, distances, 0))
  if (anchors.shift === 0) return { reuse, runsFactor: 1, runsError: 0 }
  const thinner = await ask(anchors.reuse(order, groups, 1, distances, 1))
  const seen = reuse.runs.at(-1) as number
  const fewer = Math.max(1, thinner.runs.at(-1) as number)
  // Between 1, where all repeats are long, and 2, where each is seen by one anchor at most.
  const growth = Math.min(2, Math.max(1, seen / fewer))
  return { reuse, runsFactor: growth ** anchors.shift, runsError: THIN_RUNS_ERROR * anchors.shift }
}

interface Sampling {
  readonly ask: Ask
  readonly goOn: () => void
  readonly anchors: NativeAnchors
  /** What is first seen is sampled where it stands beside its like, everything as it lies in the folders. */
  readonly orders: Readonly<Record<SampleKind, Uint32Array>>
  readonly files: ReadonlyMap<number, SolidFile>
  readonly roots: readonly string[]
  readonly options: SolidPhaseOptions
  readonly bytes: number
  readonly firstSeenBytes: number
}

type SampleKind = 'all' | 'firstSeen'
type Samples = Record<SampleKind, RateSamples | null>

/** Samples of both kinds for every codec. */
async function takeSamples(
  sampling: Sampling,
  codecs: ReadonlyMap<string, StreamCodec>,
): Promise<ReadonlyMap<string, Samples>> {
  const { level, seed } = sampling.options
  const random = seededRandom(seed ?? 1)
  const samples = new Map(
    [...codecs.keys()].map((codec): [string, Samples] => [codec, { all: null, firstSeen: null }]),
  )
  const { quickBytes } = LEVELS[level]
  const { solid: budgetMs } = SECOND_PHASE_MS[level]
  for (const kind of ['firstSeen', 'all'] as const) {
    if (kind === 'all' && !repeatsMatter(sampling.bytes, sampling.firstSeenBytes)) continue
    const wanted = kind === 'all' ? quickBytes / 2 : quickBytes
    const bytes = kind === 'all' ? sampling.bytes : sampling.firstSeenBytes
    const buffers: SolidBuffer[] = []
    const start = random.unit()
    for (let part = 0; part < QUICK_PARTS; part++) {
      buffers.push(await streamOf(sampling, kind, part, start, QUICK_PARTS, wanted, PIECE_BYTES))
    }
    const parts: RateSamples['parts'][number][] = []
    for (const buffer of buffers) {
      if (buffer.data.length > 0) parts.push(await contentOf(buffer))
      sampling.goOn()
    }
    const together = joined(buffers)
    // Every file has changed since: nothing is known of what it was.
    if (together.data.length === 0) continue
    const whole = await contentOf(together)
    sampling.goOn()
    const pairs = await pairsOf(sampling, kind, codecs, random.unit(), budgetMs / 2)
    for (const [codec, found] of pairs) {
      const taken = samples.get(codec) as Samples
      taken[kind] = { parts, whole, sampledShare: Math.min(1, together.data.length / bytes), pairs: found }
    }
  }
  return samples
}

/** Small streams that both the quick codec and those in question compress, as many as the budget allows. */
async function pairsOf(
  sampling: Sampling,
  kind: SampleKind,
  codecs: ReadonlyMap<string, StreamCodec>,
  start: number,
  budgetMs: number,
): Promise<Map<string, { quickBytes: number; codecBytes: number }[]>> {
  const { level, signal } = sampling.options
  const { streams, streamBytes } = LEVELS[level]
  const startMs = processorMs()
  const pairs = new Map(
    [...codecs.keys()].map((codec) => [codec, [] as { quickBytes: number; codecBytes: number }[]]),
  )
  for (let index = 0; index < streams; index++) {
    if (index >= LEAST_STREAMS && processorMs() - startMs > budgetMs) break
    const total = streams * streamBytes
    const { data } = await streamOf(sampling, kind, index, start, streams, total, STREAM_PIECE_BYTES)
    if (data.length === 0) continue
    const quickBytes = await quickStreamBytes(data)
    await Promise.all(
      [...codecs].map(async ([name, codec]) => {
        pairs.get(name)?.push({ quickBytes, codecBytes: await codec(data, signal) })
      }),
    )
    sampling.goOn()
  }
  return pairs
}

/** The `index`-th of `count` streams that are `totalBytes` together, each of pieces at equal distances. */
async function streamOf(
  sampling: Sampling,
  kind: SampleKind,
  index: number,
  start: number,
  count: number,
  totalBytes: number,
  pieceBytes: number,
): Promise<SolidBuffer> {
  const { anchors, orders, files, roots, ask, goOn } = sampling
  const novelOnly = kind === 'firstSeen'
  const bytes = novelOnly ? sampling.firstSeenBytes : sampling.bytes
  const pieces = Math.max(count, Math.round(totalBytes / pieceBytes))
  const distance = Math.max(1, bytes / pieces)
  const piece = Math.ceil(Math.min(pieceBytes, distance))
  // All of it if it is no more than that; else the pieces begin anywhere.
  const first = Math.floor((index + (piece < distance ? start : 0)) * distance)
  const step = Math.floor(distance * count)
  return readStretches(
    await ask(anchors.stretches(orders[kind], novelOnly, first, step, piece)),
    files,
    roots,
    goOn,
  )
}

function overheadOf(
  files: readonly SolidFile[],
  order: Solid['order'],
  calibration: SolidCalibration,
): number {
  const lists = order === 'content' ? calibration.tarLists : calibration.lists
  const pathBytes = files.reduce((sum, file) => sum + file.path.length, 0)
  return lists.archiveBytes + files.length * lists.fileBytes + pathBytes * lists.pathByteShare
}

function numbersOf(files: readonly SolidFile[]): Uint32Array {
  return Uint32Array.from(files, (file) => file.number)
}

function sumOf(values: Float64Array | undefined): number {
  return values?.reduce((sum, value) => sum + value, 0) ?? 0
}
