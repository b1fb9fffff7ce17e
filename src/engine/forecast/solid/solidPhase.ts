import type { ByDats, Fragments, Grouped, Solid } from '../../../contract/dto/survey'
import { SOLID_CALIBRATIONS, type SolidCalibration } from '../../../domain/forecast/calibration'
import { dictionariesFor } from '../../../domain/forecast/dictionaries'
import { type CopyTrial, forecastSolid, type SolidSource } from '../../../domain/forecast/solidForecast'
import { torrent7zDictionary } from '../../../domain/forecast/torrent7z'
import { AppError } from '../../../primitives/appError'
import { systemClock } from '../../../primitives/clock'
import { said } from '../../../primitives/said'
import { seededRandom } from '../../../primitives/seededRandom'
import { pausing, slowly } from '../../jobs/slowly'
import type { NativeAnchors, Question, Reuse } from '../../native/addon'
import { sevenZip } from '../../tools/sevenZip'
import type { SampleLevel } from '../codecs/codecSamplesTargets'
import { type Alone, alone as aloneAnyway } from '../exclusiveCpu'
import type { OnWork } from '../forecastWork'
import { LANES } from '../secondPhaseBudget'
import { SharedCores } from '../sharedCores'
import { enoughSampled } from './enoughSampled'
import { type FarTrials, tryFarCopies } from './farCopies'
import { archivesOf, BY_TITLE, byDat, contentGrouping, type Grouping, keyedGrouping } from './fileGroups'
import { forecastFragments } from './fragmentPhase'
import { ARCHIVE_STEPS, forecastArchives, type GroupedFiles } from './groupedPhase'
import { nearCopies, tryCopies } from './nearCopies'
import { byPath, byType, numbersOf, type SolidFile } from './solidFiles'
import {
  ANY_DISTANCE,
  type Ask,
  type CodecSamples,
  type Sampling,
  speedOf,
  sumOf,
  takeSamples,
  wholeBytes,
} from './solidRates'
import { streamCodecs, stretchReader } from './solidSamples'
import { novelAlone, windowReach } from './windowReach'

/** The codec of archives of groups. */
const GROUPED_CODEC = 'lzma2-9'
/** The codec and order that torrent7z, which has a dictionary of its own, is forecast by. */
const TORRENT7Z = { codec: 'lzma2-9', order: 'type' } as const
/**
 * While anchors are sparse, the number of repeats is extrapolated from its growth with their
 * density; the uncertainty per doubling.
 */
const THIN_RUNS_ERROR = 0.1

export interface SolidOrders {
  readonly solid: Solid[]
  /** The files, those that share content next to each other. */
  readonly contentOrder: readonly SolidFile[]
  readonly pathOrder: readonly SolidFile[]
  /** One archive for each group of files. */
  readonly grouped: Grouped[]
  /** The group of each file of `pathOrder`: the files that it shares data with. */
  readonly contentGroups: Grouping
  readonly fragments: Fragments[]
  /** The bytes that each file adds to its archive, for each grouping. */
  readonly packed: readonly GroupedFiles[]
}

/** Anchors, order by content, groups and three curves. */
const MATCHING_STEPS = 6
interface SolidPhaseOptions {
  /** How much is done of each kind of its work. */
  readonly onWork?: OnWork
  /** Receives the part that is known before the rest. */
  readonly onSolid?: (solid: Solid[]) => void
  readonly level: SampleLevel
  readonly signal: AbortSignal
  /**
   * The groups that DATs make, of each way, by the ids of entries; absent or null where no DAT was
   * given.
   */
  readonly datGroups?: ByDats<ReadonlyMap<number, number>> | null
  /** Instead of those that people would choose from. */
  readonly dictionaries?: readonly number[]
  /** For the choice of samples. */
  readonly seed?: number
  readonly calibrations?: readonly SolidCalibration[]
  /** The cores that other work of this process uses at the same time. */
  readonly cores?: SharedCores
  /** For what is timed by all that this process does. */
  readonly alone?: Alone
}

/**
 * Forecasts solid archives of the files for every dictionary and order, from the anchors that the
 * pass kept and some megabytes read again and compressed.
 * @param anchors or the promise of them: taking millions of them lasts, and the signal is heard
 *   meanwhile
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
    const stop = (): void => reject(new AppError('cancelled', said`forecasting solid archives was cancelled`))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })
  const cores = options.cores ?? new SharedCores(LANES, () => systemClock.monotonicMs())
  const work = cores.during(() => forecast(anchors, files, roots, cores, options))
  // What cannot be ended at once runs out by itself.
  stopped.catch(() => undefined)
  work.catch(() => undefined)
  return Promise.race([work, stopped])
}

/** The numbers by which anchors name the files, in each order. */
type Orders = Readonly<Record<Solid['order'], Uint32Array>>

async function forecast(
  taken: NativeAnchors | Promise<NativeAnchors>,
  files: readonly SolidFile[],
  roots: readonly string[],
  cores: SharedCores,
  options: SolidPhaseOptions,
): Promise<SolidOrders> {
  const { signal } = options
  const goOn = (): void => {
    if (signal.aborted) throw new AppError('cancelled', said`forecasting solid archives was cancelled`)
  }
  const pause = pausing(goOn)
  const ask = async <T>(question: Question<T>): Promise<T> => {
    signal.addEventListener('abort', question.cancel, { once: true })
    const answer = await question.finished
    signal.removeEventListener('abort', question.cancel)
    goOn()
    return answer as T
  }
  const stepsOf = (kind: 'matching' | 'grouping', total: number): (() => void) => {
    let done = 0
    return () => options.onWork?.(kind, ++done, total)
  }
  const step = stepsOf('matching', MATCHING_STEPS)
  const { datGroups } = options
  const groupedStep = stepsOf('grouping', (datGroups ? 4 : 2) * ARCHIVE_STEPS)
  const exclusively = options.alone ?? aloneAnyway
  /** While this waits for the others it takes no core. */
  const waitingAlone: Alone = (work) => cores.waiting(() => exclusively(work))
  const anchors = await taken
  goOn()
  step()
  const byNumber = new Map<number, SolidFile>()
  const all = { files: 0, bytes: 0, pathBytes: 0, largestBytes: 0, smallestBytes: Number.POSITIVE_INFINITY }
  await slowly(files, pause, (file) => {
    byNumber.set(file.number, file)
    all.files++
    all.bytes += file.bytes
    all.pathBytes += file.path.length
    all.largestBytes = Math.max(all.largestBytes, file.bytes)
    all.smallestBytes = Math.min(all.smallestBytes, file.bytes)
  })
  const type = await numbersOf(await byType(files, pause), pause)
  const content = await ask(anchors.contentOrder(type))
  step()
  const pathOrder = await byPath(files, pause)
  const orders: Orders = { path: await numbersOf(pathOrder, pause), type, content }
  const contentOrder: SolidFile[] = []
  await slowly(content, pause, (number) => contentOrder.push(byNumber.get(number) as SolidFile))
  const contentGroups = await contentGrouping(pathOrder, anchors, ask, pause)
  step()
  const known = { contentOrder, pathOrder, contentGroups }
  const totalBytes = all.bytes
  if (totalBytes === 0) return { ...known, solid: [], grouped: [], fragments: [], packed: [] }
  const common = options.dictionaries ?? dictionariesFor(totalBytes)
  // One that holds everything is like the longest of the others.
  const own = options.dictionaries ? [] : [torrent7zDictionary(all)].filter((bytes) => bytes < totalBytes)
  const dictionaries = [...new Set([...common, ...own])].toSorted((one, other) => one - other)
  const isAsked = ({ codec, order, dictionaryBytes }: Pick<Solid, 'codec' | 'order' | 'dictionaryBytes'>) =>
    common.includes(dictionaryBytes) || (codec === TORRENT7Z.codec && order === TORRENT7Z.order)
  const curves = new Map<Solid['order'], Curve>()
  const copies = await nearCopies(contentOrder, content, { anchors, ask, pause })
  const copyNumbers = new Set(copies.map(({ file }) => file.number))
  for (const order of ['path', 'type', 'content'] as const) {
    curves.set(order, await curveOf(anchors, orders[order], copyNumbers, dictionaries, ask))
    step()
  }
  const byContent = curves.get('content') as Curve
  const { reuse } = byContent
  const read = stretchReader(byNumber, roots, goOn)
  const sampling: Sampling = {
    ask,
    goOn,
    pause,
    anchors,
    orders: { firstSeen: content, all: orders.path },
    files: byNumber,
    read,
    alone: waitingAlone,
    options,
    bytes: totalBytes - sumOf(reuse.quietBytes),
    firstSeenBytes: sumOf(reuse.novelBytes.at(-1)),
  }
  const isTried = copiesMatter(byContent)
  const alone = isTried ? await novelAlone(copies, dictionaries, anchors, ask) : []
  const calibrations = options.calibrations ?? SOLID_CALIBRATIONS
  const rowsOf = (samples: CodecSamples, trials: readonly CopyTrial[], farTrials: FarTrials): Solid[] =>
    calibrations.flatMap((calibration) => {
      const sampled = samples.get(calibration.codec)
      if (!sampled?.firstSeen) return []
      const { firstSeen } = sampled
      const speed = speedOf(firstSeen.pairs)
      return [...curves].flatMap(([order, curve]) => {
        const source: SolidSource = {
          bytes: totalBytes,
          quietBytes: sumOf(curve.reuse.quietBytes),
          firstSeenBytes: sumOf(curve.reuse.novelBytes.at(-1)),
          firstSeen,
          all: sampled.all,
          overheadBytes: overheadOf(all, order, calibration),
          runsError: curve.runsError,
        }
        const among = curve.reuse.novelBytes.map((novel) => novel[COPY] ?? 0)
        return dictionaries.flatMap((dictionaryBytes, index): Solid | readonly Solid[] => {
          if (!isAsked({ codec: calibration.codec, order, dictionaryBytes })) return []
          const edge = (curve.nearer[index] as Float64Array).map(
            (novel, kind) => novel - (curve.reuse.novelBytes[index]?.[kind] ?? 0),
          )
          const point = {
            dictionaryBytes,
            novelBytes: sumOf(curve.reuse.novelBytes[index]),
            runs: sumOf(curve.reuse.runs[index]) * curve.runsFactor,
            edgeBytes: sumOf(edge),
            copies: {
              novelBytes: among.at(-1) ?? 0,
              runs: (curve.reuse.runs[index]?.[COPY] ?? 0) * curve.runsFactor,
              reach: windowReach(alone, among, index),
            },
          }
          const far = calibration.codec === 'zstd-19-long' ? farTrials.get(dictionaryBytes) : undefined
          const { predictedBytes, low, high } = forecastSolid(
            { ...point, ...(far && { edgeBytes: edge[PLAIN] }) },
            { ...source, trials: far ?? trials },
            calibration,
          )
          return {
            codec: calibration.codec,
            dictionaryBytes,
            order,
            predictedBytes,
            low,
            high,
            speed,
            reuse: wholeBytes({ novelBytes: point.novelBytes, quietBytes: source.quietBytes }),
          }
        })
      })
    })
  const codecs = streamCodecs(await sevenZip.find())
  const apart = isTried ? await withoutCopies(sampling, copyNumbers) : sampling
  const samples = await takeSamples(
    apart,
    codecs,
    enoughSampled(options.level, (some) => rowsOf(some, [], new Map())),
  )
  const shared = cores.during(() => forecastFragments(pathOrder, read, { ...options, goOn }))
  // Awaited below, after the work that runs at the same time.
  shared.catch(() => undefined)
  const [strongest] = codecs.values()
  const random = seededRandom(options.seed ?? 1)
  const farTried = isTried
    ? tryFarCopies(copies, common, orders.path, byContent.runsFactor, sampling)
    : Promise.resolve<FarTrials>(new Map())
  const tried = isTried && strongest ? tryCopies(copies, strongest, random, sampling) : []
  const [trials, farTrials] = await cores.during(() => Promise.all([tried, farTried]))
  options.onWork?.('packing', 1, 1)
  options.onWork?.('copies', 1, 1)
  const solid = rowsOf(samples, trials, farTrials)
  options.onSolid?.(solid)
  const calibration = calibrations.find(({ codec }) => codec === GROUPED_CODEC)
  const rates = samples.get(GROUPED_CODEC)
  const tool = await sevenZip.find()
  if (!calibration || !rates || !tool)
    return { ...known, solid, grouped: [], fragments: await shared, packed: [] }
  const { runsFactor, runsError } = curves.get('path') as Curve
  const firstSeenBytes = reuse.novelBytes.at(-1)?.[COPY] ?? 0
  const aloneInCommon = alone.filter(
    (_, at) => at === dictionaries.length || common.includes(dictionaries[at] as number),
  )
  const copied = isTried ? { numbers: copyNumbers, alone: aloneInCommon, firstSeenBytes, trials } : null
  const { dictionaries: wanted } = options
  const source = { rates, runsFactor, runsError, calibration, tool, dictionaries: wanted, copies: copied }
  const groupings: readonly (readonly [Grouped['by'], Grouping])[] = [
    ['titles', await keyedGrouping(pathOrder, BY_TITLE, pause)],
    ['groups', contentGroups],
    ...(datGroups
      ? [
          ['dat', await keyedGrouping(pathOrder, byDat(datGroups.dat), pause)] as const,
          ['sets', await keyedGrouping(pathOrder, byDat(datGroups.sets), pause)] as const,
        ]
      : []),
  ]
  const grouped = await cores.during(() =>
    Promise.all(
      groupings.map(async ([by, grouping]) => {
        const archives = await archivesOf(pathOrder, grouping, by, pause)
        return forecastArchives(archives, by, sampling, source, groupedStep)
      }),
    ),
  )
  const fragments = await shared
  const rows = grouped.flatMap((one) => one.rows)
  return { ...known, solid, grouped: rows, fragments, packed: grouped.flatMap((one) => one.packed ?? []) }
}

/** Files that are no near copies, and those that are. */
const PLAIN = 0
const COPY = 1

/**
 * About what compressors make of new data, and the bytes of a repeat: only to tell whether near
 * copies matter.
 */
const USUAL_RATE = 0.3
const USUAL_RUN_BYTES = 2
/** With a smaller part of the forecast in near copies trials are not worth their time. */
const LEAST_COPIED = 0.15

function copiesMatter({ reuse, runsFactor }: Curve): boolean {
  const costOf = (kind: number): number =>
    (reuse.novelBytes.at(-1)?.[kind] ?? 0) * USUAL_RATE +
    (reuse.runs.at(-1)?.[kind] ?? 0) * runsFactor * USUAL_RUN_BYTES
  const copied = costOf(COPY)
  return copied > 0 && copied >= LEAST_COPIED * (costOf(PLAIN) + copied)
}

/**
 * Samples of files that are no near copies: next to what they copy those cost almost nothing, but
 * where that is out of the dictionary's reach as much as any other file.
 */
async function withoutCopies(sampling: Sampling, copies: ReadonlySet<number>): Promise<Sampling> {
  const { ask, anchors, orders, files } = sampling
  const firstSeen = orders.firstSeen.filter((number) => !copies.has(number))
  const all = orders.all.filter((number) => !copies.has(number))
  const kinds = new Uint32Array(firstSeen.length)
  const reuse = await ask(anchors.reuse(firstSeen, kinds, 1, Float64Array.of(ANY_DISTANCE), 0, null))
  let bytes = -sumOf(reuse.quietBytes)
  for (const number of all) bytes += files.get(number)?.bytes ?? 0
  const firstSeenBytes = sumOf(reuse.novelBytes[0])
  return { ...sampling, orders: { firstSeen, all }, bytes, firstSeenBytes }
}

interface Curve {
  /** One point more than dictionaries: the last is for any distance. */
  readonly reuse: Reuse
  /** Novel bytes of three quarters of each dictionary. */
  readonly nearer: readonly Float64Array[]
  /** How many repeats stand for one that was seen. */
  readonly runsFactor: number
  readonly runsError: number
}

const EDGE = 0.75

async function curveOf(
  anchors: NativeAnchors,
  order: Uint32Array,
  copies: ReadonlySet<number>,
  dictionaries: readonly number[],
  ask: Ask,
): Promise<Curve> {
  const kinds = order.map((number) => (copies.has(number) ? COPY : PLAIN))
  // Every dictionary, and three quarters of each.
  const distances = [...new Set(dictionaries.flatMap((bytes) => [EDGE * bytes, bytes]))]
    .toSorted((one, other) => one - other)
    .concat(ANY_DISTANCE)
  const every = await ask(anchors.reuse(order, kinds, 2, Float64Array.from(distances), 0, null))
  const within = <T>(points: readonly T[], wanted: readonly number[]): T[] =>
    wanted.map((distance) => points[distances.indexOf(distance)] as T)
  const whole = [...dictionaries, ANY_DISTANCE]
  const reuse = {
    ...every,
    novelBytes: within(every.novelBytes, whole),
    runs: within(every.runs, whole),
  }
  const nearer = within(
    every.novelBytes,
    dictionaries.map((bytes) => EDGE * bytes),
  )
  if (anchors.shift === 0) return { reuse, nearer, runsFactor: 1, runsError: 0 }
  const thinner = await ask(anchors.reuse(order, kinds, 2, Float64Array.of(ANY_DISTANCE), 1, null))
  const seen = sumOf(reuse.runs.at(-1))
  const fewer = Math.max(1, sumOf(thinner.runs.at(-1)))
  // Between 1, where all repeats are long, and 2, where each is seen by one anchor at most.
  const growth = Math.min(2, Math.max(1, seen / fewer))
  return { reuse, nearer, runsFactor: growth ** anchors.shift, runsError: THIN_RUNS_ERROR * anchors.shift }
}

function overheadOf(
  { files, pathBytes }: { readonly files: number; readonly pathBytes: number },
  order: Solid['order'],
  calibration: SolidCalibration,
): number {
  const lists = order === 'content' ? calibration.tarLists : calibration.lists
  return lists.archiveBytes + files * lists.fileBytes + pathBytes * lists.pathByteShare
}
