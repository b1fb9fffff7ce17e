import type { Grouped } from '../../../contract/dto/survey'
import type { SolidCalibration } from '../../../domain/forecast/calibration'
import { dictionariesFor } from '../../../domain/forecast/dictionaries'
import {
  archiveOverhead,
  forecastGrouped,
  smallArchivesFactor,
} from '../../../domain/forecast/groupedForecast'
import {
  type CopyTrial,
  forecastSolid,
  repeatsMatter,
  type SolidEstimate,
  type SolidSource,
} from '../../../domain/forecast/solidForecast'
import { seededRandom } from '../../../primitives/seededRandom'
import { slowly } from '../../jobs/slowly'
import type { Reuse } from '../../native/addon'
import type { FoundTool } from '../../tools/externalTool'
import type { SampleLevel } from '../codecs/codecSamplesTargets'
import type { FileArchives } from './fileGroups'
import { tryArchives } from './groupedTrials'
import { numbersOf, type SolidFile } from './solidFiles'
import { ANY_DISTANCE, quickSamples, type Samples, type Sampling, sumOf, wholeBytes } from './solidRates'
import { type NovelBytes, windowReach } from './windowReach'

const MIB = 1024 * 1024

/** Archives up to this are tried as they are; of larger ones streams are forecast. */
const SMALL_BYTES = MIB
/**
 * How much the fast codec sees of large archives, of what is first seen in them and of everything.
 */
const QUICK_BYTES: Readonly<Record<SampleLevel, number>> = {
  fast: 2 * MIB,
  normal: 4 * MIB,
  thorough: 16 * MIB,
}

/** The known rates of the files so far. */
interface ArchiveSource {
  readonly rates: Samples
  readonly runsFactor: number
  readonly runsError: number
  readonly calibration: SolidCalibration
  readonly tool: FoundTool
  readonly dictionaries: readonly number[] | undefined
  /** Null where near copies make no difference. */
  readonly copies: TriedCopies | null
}

/** Files that nearly equal others, with trials of them. */
interface TriedCopies {
  readonly numbers: ReadonlySet<number>
  readonly alone: NovelBytes
  /** New in them anywhere. */
  readonly firstSeenBytes: number
  readonly trials: readonly CopyTrial[]
}

/** The bytes that each file adds to its archive, without lists, by a way to group files. */
export interface GroupedFiles {
  readonly by: Grouped['by']
  readonly files: readonly SolidFile[]
  /** In the order of `files`. */
  readonly bytes: Float32Array
}

/**
 * Forecasts of many archives, and of the files in them: `packed` is null where nothing is known.
 */
interface ForecastOfArchives {
  readonly rows: Grouped[]
  readonly packed: GroupedFiles | null
}

/**
 * Kinds of archives that figures are asked for: large ones, and of those the ones that repeat an
 * earlier one byte for byte.
 */
const KINDS = { large: 0, largeAgain: 1, small: 2, count: 3 } as const

/** Repeats, samples of large archives, each archive's forecast, and trials. */
export const ARCHIVE_STEPS = 4

/**
 * Forecasts many solid archives: what repeats is asked of the anchors anew, since no archive finds
 * repeats in another one. Large ones are forecast as one archive of everything is, from samples of
 * their own; of small ones some are packed.
 * @param onStep called after each of `ARCHIVE_STEPS`
 */
export async function forecastArchives(
  archives: FileArchives,
  by: Grouped['by'],
  sampling: Sampling,
  source: ArchiveSource,
  onStep: () => void,
): Promise<ForecastOfArchives> {
  const { ask, anchors, goOn, pause } = sampling
  let largestBytes = 0
  await slowly(archives.bytes, pause, (bytes) => {
    largestBytes = Math.max(largestBytes, bytes)
  })
  const dictionaries = source.dictionaries ?? dictionariesFor(largestBytes)
  const mostSmall = Math.min(SMALL_BYTES, dictionaries[0] ?? SMALL_BYTES)
  const kindOf = (archive: number): number => {
    if ((archives.bytes[archive] as number) <= mostSmall) return KINDS.small
    return archives.repeated[archive] === 0 ? KINDS.large : KINDS.largeAgain
  }
  const overheads = new Float64Array(archives.count)
  const overheadBytes = new Float64Array(KINDS.count)
  let distinctArchives = 0
  let distinctOverhead = 0
  await slowly(archives.nameCharacters, pause, (characters, archive) => {
    const files = (archives.begins[archive + 1] as number) - (archives.begins[archive] as number)
    const bytes = archiveOverhead(files, characters)
    overheads[archive] = bytes
    const kind = kindOf(archive)
    overheadBytes[kind] = (overheadBytes[kind] as number) + bytes
    if (archives.repeated[archive] !== 0) return
    distinctArchives++
    distinctOverhead += bytes
  })

  const order = await numbersOf(archives.files, pause)
  const kinds = new Uint32Array(archives.archives.length)
  await slowly(archives.archives, pause, (archive, place) => {
    kinds[place] = kindOf(archive)
  })
  const distances = Float64Array.from([...dictionaries, ANY_DISTANCE])
  const sums = await ask(anchors.reuse(order, kinds, KINDS.count, distances, 0, archives.archives))
  onStep()
  const large = await largeSource(archives, kinds, sums, sampling, source)
  onStep()
  if (large === null) return { rows: [], packed: null }
  const copies = source.copies && (await copiesIn(archives, order, kinds, distances, source.copies, sampling))
  const largeOf = (index: number, dictionaryBytes: number, distinctOnly: boolean): SolidEstimate => {
    const some: readonly number[] = distinctOnly ? [KINDS.large] : [KINDS.large, KINDS.largeAgain]
    const of = (values: Float64Array | undefined): number =>
      some.reduce((sum, kind) => sum + (values?.[kind] ?? 0), 0)
    const novelBytes = of(sums.novelBytes[index])
    const copied = copies && {
      novelBytes: source.copies?.firstSeenBytes ?? 0,
      runs: of(copies.runs[index]) * source.runsFactor,
      reach: copies.reach[index] ?? 1,
    }
    const runs = of(sums.runs[index]) * source.runsFactor
    const point = { dictionaryBytes, novelBytes, runs, ...(copied && { copies: copied }) }
    const quietBytes = of(sums.quietBytes)
    return forecastSolid(
      point,
      { ...large, quietBytes, overheadBytes: of(overheadBytes) },
      source.calibration,
    )
  }

  const { forecasts, starts, files } = await forecastEach(archives, overheads, large, sampling, source)
  goOn()
  onStep()
  const isSmall = (archive: number): boolean =>
    kindOf(archive) === KINDS.small && (archives.bytes[archive] as number) > 0
  const { small, distinct: smallDistinct } = await tryArchives(
    archives,
    forecasts,
    overheads,
    isSmall,
    sampling,
    source.tool,
  )
  onStep()
  const allOverhead = sumOf(overheadBytes)
  const last = dictionaries.length - 1
  const largest = largeOf(last, dictionaries[last] ?? ANY_DISTANCE, false).predictedBytes
  const ofLarge = forecasts.reduce((sum, one, at) => (kindOf(at) === KINDS.small ? sum : sum + one), 0)
  const factors = {
    small: smallArchivesFactor(small).value,
    large: ofLarge > 0 ? largest / ofLarge : 1,
  }
  await slowly(archives.archives, pause, (archive, place) => {
    const factor = kindOf(archive) === KINDS.small ? factors.small : factors.large
    files[place] = (files[place] as number) * factor
  })
  const rows = dictionaries.map((dictionaryBytes, index): Grouped => {
    const all = forecastGrouped(largeOf(index, dictionaryBytes, false), small, allOverhead)
    const distinct = forecastGrouped(largeOf(index, dictionaryBytes, true), smallDistinct, distinctOverhead)
    const scale = all.predictedBytes / Math.max(1, sumOf(forecasts))
    return {
      codec: source.calibration.codec,
      dictionaryBytes,
      by,
      archives: archives.count,
      predictedBytes: all.predictedBytes,
      low: all.low,
      high: all.high,
      distinctArchives,
      distinctBytes: Math.min(all.predictedBytes, distinct.predictedBytes),
      largestBytes,
      sharedStarts: startsBySize(starts, scale),
      reuse: wholeBytes({
        novelBytes: sumOf(sums.novelBytes[index]),
        quietBytes: sumOf(sums.quietBytes),
      }),
    }
  })
  return { rows, packed: { by, files: archives.files, bytes: files } }
}

/**
 * The repeats of near copies in each kind of archive, and the part of their originals in the same
 * archive, both for each dictionary.
 */
async function copiesIn(
  archives: FileArchives,
  order: Uint32Array,
  kinds: Uint32Array,
  distances: Float64Array,
  { numbers, alone, firstSeenBytes }: TriedCopies,
  { ask, anchors }: Sampling,
): Promise<{ readonly runs: readonly Float64Array[]; readonly reach: readonly number[] }> {
  const others = KINDS.count
  const groups = kinds.map((kind, place) => (numbers.has(order[place] as number) ? kind : others))
  const { novelBytes, runs } = await ask(
    anchors.reuse(order, groups, KINDS.count + 1, distances, 0, archives.archives),
  )
  const among = novelBytes.map((novel) => sumOf(novel.subarray(0, others)))
  return { runs, reach: among.map((_, index) => windowReach(alone, among, index, firstSeenBytes)) }
}

/** The large archives' files as a source of their own; null where nothing is known of them. */
async function largeSource(
  archives: FileArchives,
  kinds: Uint32Array,
  sums: Reuse,
  sampling: Sampling,
  { rates, runsError, copies }: ArchiveSource,
): Promise<Omit<SolidSource, 'overheadBytes'> | null> {
  const { ask, anchors, options, pause } = sampling
  if (!rates.firstSeen) return null
  const isLarge = (kind: number | undefined): boolean => kind !== KINDS.small
  const files: SolidFile[] = []
  await slowly(archives.files, pause, (file, place) => {
    if (isLarge(kinds[place])) files.push(file)
  })
  let bytes = 0
  let squares = 0
  await slowly(archives.bytes, pause, (one, archive) => {
    if (!isLarge(kinds[archives.begins[archive] as number])) return
    bytes += one
    squares += one * one
  })
  const known = {
    bytes,
    quietBytes: 0,
    firstSeenBytes: sampling.firstSeenBytes,
    firstSeen: rates.firstSeen,
    all: rates.all,
    runsError,
    archiveBytes: bytes === 0 ? 0 : squares / bytes,
    ...(copies && { trials: copies.trials }),
  }
  if (bytes === 0 || files.length === archives.files.length) return known
  const order = await numbersOf(files, pause)
  const one = new Uint32Array(order.length)
  const reuse = await ask(anchors.reuse(order, one, 1, Float64Array.of(ANY_DISTANCE), 0, null))
  const firstSeenBytes = sumOf(reuse.novelBytes[0])
  const quietBytes = sumOf(reuse.quietBytes)
  const part: Sampling = {
    ...sampling,
    orders: { firstSeen: order, all: order },
    bytes: bytes - quietBytes,
    firstSeenBytes,
  }
  const random = seededRandom(options.seed ?? 1)
  const wanted = QUICK_BYTES[options.level]
  const firstSeen = await quickSamples(part, 'firstSeen', wanted, random.unit())
  if (firstSeen === null) return { ...known, firstSeenBytes }
  const again = sums.novelBytes.map((novel) => (novel[KINDS.large] ?? 0) + (novel[KINDS.largeAgain] ?? 0))
  const all = repeatsMatter(Math.max(...again), firstSeenBytes)
    ? await quickSamples(part, 'all', wanted / 2, random.unit())
    : null
  const { pairs } = rates.firstSeen
  return {
    ...known,
    firstSeenBytes,
    firstSeen: { ...firstSeen, pairs },
    all: all && { ...all, pairs: rates.all?.pairs ?? pairs },
  }
}

interface EachArchive {
  readonly forecasts: Float64Array
  /** The packed data of each that an earlier archive begins with too. */
  readonly starts: Float64Array
  /** The bytes that each file adds to its archive, in the order of the archives' files. */
  readonly files: Float32Array
}

/** The size of each archive if it were part of a long stream. */
async function forecastEach(
  archives: FileArchives,
  overheads: Float64Array,
  large: Omit<SolidSource, 'overheadBytes'>,
  { ask, anchors, pause }: Sampling,
  { rates, calibration, runsFactor }: ArchiveSource,
): Promise<EachArchive> {
  const { count, begins, sharedFirst } = archives
  const order = await numbersOf(archives.files, pause)
  // Each file is a kind of its own.
  const kinds = new Uint32Array(archives.archives.length)
  await slowly(kinds, pause, (_, place) => {
    kinds[place] = place
  })
  const each = await ask(
    anchors.reuse(order, kinds, kinds.length, Float64Array.of(ANY_DISTANCE), 0, archives.archives),
  )
  const novelBytes = each.novelBytes[0] as Float64Array
  const runs = each.runs[0] as Float64Array
  const point = { dictionaryBytes: ANY_DISTANCE, novelBytes: sumOf(novelBytes), runs: 0 }
  const firstSeen = rates.firstSeen ?? large.firstSeen
  const source = { ...large, firstSeen, all: rates.all, quietBytes: 0, overheadBytes: 0, archiveBytes: 1 }
  const rate = forecastSolid(point, source, calibration).predictedBytes / Math.max(1, sumOf(novelBytes))
  const dataOf = (kind: number): number =>
    (novelBytes[kind] as number) * rate +
    (runs[kind] as number) * runsFactor * calibration.runBytes +
    (each.quietBytes[kind] as number) * calibration.quietShare
  const forecasts = overheads.slice()
  const starts = new Float64Array(count)
  const files = new Float32Array(kinds.length)
  await slowly(archives.archives, pause, (archive, place) => {
    const data = dataOf(place)
    files[place] = data
    forecasts[archive] = (forecasts[archive] as number) + data
    // The first files are those that an earlier archive begins with too.
    const isShared = place - (begins[archive] as number) < (sharedFirst[archive] as number)
    if (isShared) starts[archive] = (starts[archive] as number) + data
  })
  return { forecasts, starts, files }
}

function startsBySize(
  starts: Float64Array,
  scale: number,
): [doublings: number, archives: number, bytes: number][] {
  const bins = new Map<number, [number, number, number]>()
  for (const start of starts) {
    const bytes = Math.round(start * scale)
    if (bytes === 0) continue
    const doublings = Math.floor(Math.log2(bytes))
    const bin = bins.get(doublings) ?? [doublings, 0, 0]
    bin[1]++
    bin[2] += bytes
    bins.set(doublings, bin)
  }
  return [...bins.values()].toSorted((one, other) => one[0] - other[0])
}
