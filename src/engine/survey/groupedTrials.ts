import type { SmallArchives, Trial } from '../../domain/solid/groupedForecast'
import { seededRandom } from '../../primitives/seededRandom'
import { quickStreamBytes } from '../codecs/compressBuffer'
import { sevenZipSizes } from '../codecs/sevenZipSizes'
import type { FoundTool } from '../tools/externalTool'
import type { SampleLevel } from './codecSamplesTargets'
import type { FileArchives } from './fileGroups'
import type { SolidFile } from './solidFiles'
import type { Sampling } from './solidRates'
import { readStretches } from './solidSamples'

const MIB = 1024 * 1024

/** Larger archives are as good as the streams that are forecast; those up to this are tried. */
const SMALL_BYTES = MIB
/** How many bytes of archives the quick codec sees, and the one in question, which makes about 2 MB/s. */
const LEVELS: Readonly<Record<SampleLevel, { readonly quickBytes: number; readonly codecBytes: number }>> = {
  fast: { quickBytes: 4 * MIB, codecBytes: MIB / 2 },
  normal: { quickBytes: 8 * MIB, codecBytes: MIB },
  thorough: { quickBytes: 24 * MIB, codecBytes: 6 * MIB },
}
/** More of them tell little more, and each costs a start. */
const MOST_TRIALS = 400
/** Two are packed whatever they cost: of one no range can be told. */
const LEAST_PACKED = 2

export interface Tried {
  readonly small: SmallArchives
  /** The part of the small archives' forecast that is of those which no earlier archive is the same as. */
  readonly distinctShare: number
}

/**
 * Packs some of the small archives, drawn with probabilities in proportion to what is forecast of them, so that the mean of the
 * trials' ratios is that of all.
 * @param forecasts of each archive, its overhead included
 */
export async function tryArchives(
  archives: FileArchives,
  forecasts: Float64Array,
  overheads: Float64Array,
  sampling: Sampling,
  tool: FoundTool,
): Promise<Tried> {
  const { level, signal, seed } = sampling.options
  const random = seededRandom(seed ?? 1)
  const isSmall = (archive: number): boolean => {
    const bytes = archives.bytes[archive] as number
    return bytes > 0 && bytes <= SMALL_BYTES
  }
  let forecastBytes = 0
  let distinctBytes = 0
  let bytes = 0
  let weighted = 0
  for (let archive = 0; archive < archives.count; archive++) {
    if (!isSmall(archive)) continue
    const forecast = forecasts[archive] as number
    forecastBytes += forecast
    if (archives.repeated[archive] === 0) distinctBytes += forecast
    bytes += archives.bytes[archive] as number
    weighted += forecast * (archives.bytes[archive] as number)
  }
  const nothing: SmallArchives = { forecastBytes, trials: [], triedShare: 0 }
  if (forecastBytes === 0) return { small: nothing, distinctShare: 1 }
  const { quickBytes, codecBytes } = LEVELS[level]
  const wanted = Math.min(MOST_TRIALS, Math.max(LEAST_PACKED, quickBytes / (weighted / forecastBytes)))
  const drawn = drawnOf(archives.count, forecasts, isSmall, forecastBytes / Math.ceil(wanted), random.unit())
  const trials: (Trial & { readonly data: Buffer; readonly extension: string })[] = []
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
    const trial = {
      forecastBytes: forecasts[archive] as number,
      quickBytes: quick,
      codecBytes: overhead,
      data,
      extension: extensionOf(members),
    }
    for (let time = 0; time < times; time++) trials.push(trial)
  }
  const chosen = new Map<Buffer, number>()
  let room = codecBytes
  for (const { data } of shuffled(trials, () => random.unit())) {
    if (chosen.has(data)) continue
    if (room < data.length && chosen.size >= LEAST_PACKED) break
    chosen.set(data, 0)
    room -= data.length
  }
  const inputs = trials.filter((one, index) => {
    return chosen.has(one.data) && trials.findIndex(({ data }) => data === one.data) === index
  })
  const sizes = await sevenZipSizes(tool, inputs, signal)
  for (const [index, { data }] of inputs.entries()) chosen.set(data, sizes[index] as number)
  sampling.goOn()
  const small: SmallArchives = {
    forecastBytes,
    trials: trials.map(({ data, codecBytes: overhead, ...trial }) => {
      const packed = chosen.get(data)
      return { ...trial, codecBytes: packed === undefined ? null : packed + (overhead ?? 0) }
    }),
    triedShare: Math.min(1, triedBytes / bytes),
  }
  return { small, distinctShare: distinctBytes / forecastBytes }
}

/** Every `interval` bytes of forecast one is drawn; a large one more than once. */
function drawnOf(
  count: number,
  forecasts: Float64Array,
  isWanted: (archive: number) => boolean,
  interval: number,
  start: number,
): { archive: number; times: number }[] {
  const drawn: { archive: number; times: number }[] = []
  let next = start * interval
  let seen = 0
  for (let archive = 0; archive < count; archive++) {
    if (!isWanted(archive)) continue
    seen += forecasts[archive] as number
    let times = 0
    for (; next < seen; next += interval) times++
    if (times > 0) drawn.push({ archive, times })
  }
  return drawn
}

async function contentOf(members: readonly SolidFile[], sampling: Sampling): Promise<Buffer> {
  const stretches = {
    fileNumbers: Uint32Array.from(members, (file) => file.number),
    offsets: new Float64Array(members.length),
    lengths: Float64Array.from(members, (file) => file.bytes),
  }
  const { data } = await readStretches(stretches, sampling.files, sampling.roots, sampling.goOn)
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
