import type { SmallArchives, Trial } from '../../../domain/forecast/groupedForecast'
import { seededRandom } from '../../../primitives/seededRandom'
import { quickStreamBytes } from '../../codecs/compressBuffer'
import { sevenZipPacked } from '../../codecs/sevenZipSizes'
import { type Pause, slowly } from '../../jobs/slowly'
import type { FoundTool } from '../../tools/externalTool'
import type { SampleLevel } from '../codecs/codecSamplesTargets'
import type { FileArchives } from './fileGroups'
import type { SolidFile } from './solidFiles'
import type { Sampling } from './solidRates'

const MIB = 1024 * 1024

/**
 * How many bytes of archives the fast codec sees, and the one in question, which makes about
 * 2 MB/s.
 */
const LEVELS: Readonly<Record<SampleLevel, { readonly quickBytes: number; readonly codecBytes: number }>> = {
  fast: { quickBytes: 2 * MIB, codecBytes: MIB / 4 },
  normal: { quickBytes: 4 * MIB, codecBytes: (3 * MIB) / 4 },
  thorough: { quickBytes: 24 * MIB, codecBytes: 6 * MIB },
}
/** More of them tell little more, and each costs a start. */
const MOST_TRIALS = 400
/** Two are packed whatever they cost: one alone gives no range. */
const LEAST_PACKED = 2

interface Drawn extends Trial {
  readonly data: Buffer
  readonly extension: string
  readonly overhead: number
  /** True when an earlier archive is the same. */
  readonly again: boolean
}

interface Tried {
  readonly small: SmallArchives
  /** Those of them that no earlier archive is the same as. */
  readonly distinct: SmallArchives
}

/**
 * Packs some of the small archives, drawn with probabilities in proportion to what is forecast of
 * them, so that the mean of the trials' ratios is that of all.
 * @param forecasts of each archive, its overhead included
 */
export async function tryArchives(
  archives: FileArchives,
  forecasts: Float64Array,
  overheads: Float64Array,
  isSmall: (archive: number) => boolean,
  sampling: Sampling,
  tool: FoundTool,
): Promise<Tried> {
  const { level, signal, seed } = sampling.options
  const random = seededRandom(seed ?? 1)
  let forecastBytes = 0
  let distinctBytes = 0
  let bytes = 0
  let weighted = 0
  await slowly(forecasts, sampling.pause, (forecast, archive) => {
    if (!isSmall(archive)) return
    forecastBytes += forecast
    if (archives.repeated[archive] === 0) distinctBytes += forecast
    bytes += archives.bytes[archive] as number
    weighted += forecast * (archives.bytes[archive] as number)
  })
  const nothing: SmallArchives = { forecastBytes, trials: [], triedShare: 0 }
  if (forecastBytes === 0) return { small: nothing, distinct: nothing }
  const { quickBytes } = LEVELS[level]
  const wanted = Math.min(MOST_TRIALS, Math.max(LEAST_PACKED, quickBytes / (weighted / forecastBytes)))
  const interval = forecastBytes / Math.ceil(wanted)
  const drawn = await drawnOf(forecasts, isSmall, interval, random.unit(), sampling.pause)
  const trials: Drawn[] = []
  let triedBytes = 0
  for (const { archive, times } of drawn) {
    sampling.goOn()
    const members = archives.files.slice(archives.begins[archive], archives.begins[archive + 1])
    const data = await contentOf(members, sampling)
    // Something has changed since: it would be another archive.
    if (data.length !== archives.bytes[archive]) continue
    triedBytes += data.length
    const overhead = overheads[archive] as number
    const quick = (await quickStreamBytes(data)) + overhead
    trials.push({
      times,
      forecastBytes: forecasts[archive] as number,
      quickBytes: quick,
      codecBytes: null,
      overhead,
      data,
      extension: extensionOf(members),
      again: archives.repeated[archive] === 1,
    })
  }
  const all = await packSome(trials, LEVELS[level].codecBytes, () => random.unit(), tool, signal)
  sampling.goOn()
  const first = all.filter(({ again }) => !again)
  const isKnown = first.filter((one) => one.codecBytes !== null).length >= LEAST_PACKED
  const triedShare = Math.min(1, triedBytes / bytes)
  return {
    small: { forecastBytes, trials: all, triedShare },
    distinct: { forecastBytes: distinctBytes, trials: isKnown ? first : all, triedShare },
  }
}

/**
 * The trials with what the codec in question makes of some of them, as many as there is room for.
 */
async function packSome(
  trials: readonly Drawn[],
  mostBytes: number,
  unit: () => number,
  tool: FoundTool,
  signal: AbortSignal,
): Promise<Drawn[]> {
  const chosen: Drawn[] = []
  let room = mostBytes
  for (const one of shuffled(trials, unit)) {
    if (room < one.data.length && chosen.length >= LEAST_PACKED) break
    chosen.push(one)
    room -= one.data.length
  }
  const { sizes } = await sevenZipPacked(tool, chosen, signal)
  const packed = new Map(chosen.map((one, index) => [one, one.overhead + (sizes[index] as number)]))
  return trials.map((one) => Object.assign({}, one, { codecBytes: packed.get(one) ?? null }))
}

/** Every `interval` bytes of forecast one is drawn; a large one counts as often as it would be. */
async function drawnOf(
  forecasts: Float64Array,
  isWanted: (archive: number) => boolean,
  interval: number,
  start: number,
  pause: Pause,
): Promise<{ archive: number; times: number }[]> {
  const drawn: { archive: number; times: number }[] = []
  let next = start * interval
  let seen = 0
  await slowly(forecasts, pause, (forecast, archive) => {
    if (!isWanted(archive)) return
    seen += forecast
    const isDrawn = next < seen
    while (next < seen) next += interval
    // One that is as long as the interval is drawn in any case, and represents itself.
    if (isDrawn) drawn.push({ archive, times: Math.max(1, forecast / interval) })
  })
  return drawn
}

async function contentOf(members: readonly SolidFile[], sampling: Sampling): Promise<Buffer> {
  const stretches = {
    fileNumbers: Uint32Array.from(members, (file) => file.number),
    offsets: new Float64Array(members.length),
    lengths: Float64Array.from(members, (file) => file.bytes),
  }
  const { data } = await sampling.read(stretches)
  return data
}

/** 7-Zip chooses filters by it, where all files have the same. */
function extensionOf(members: readonly SolidFile[]): string {
  const extensions = new Set(
    members.map(({ path }) => /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''),
  )
  return extensions.size === 1 ? ([...extensions][0] as string) : ''
}

function shuffled<T>(items: readonly T[], unit: () => number): T[] {
  return items
    .map((item): [number, T] => [unit(), item])
    .toSorted(([one], [other]) => one - other)
    .map(([, item]) => item)
}
