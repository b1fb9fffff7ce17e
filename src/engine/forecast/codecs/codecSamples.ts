import type { Combined, Compression } from '../../../contract/dto/survey'
import { isCompressedAlready } from '../../../domain/forecast/incompressible'
import { roughCompression } from '../../../domain/forecast/roughForecast'
import { evenDraws, type VisitingOrder, visitingOrder } from '../../../domain/forecast/secondPhase'
import type { StratumTotal } from '../../../domain/statistics/strata'
import type { TypeForecasts, TypeTotal } from '../../../domain/survey/typeCompression'
import { AppError } from '../../../primitives/appError'
import type { Clock } from '../../../primitives/clock'
import { said } from '../../../primitives/said'
import { seededRandom } from '../../../primitives/seededRandom'
import { pausing } from '../../jobs/slowly'
import type { FoundTool } from '../../tools/externalTool'
import { sevenZip } from '../../tools/sevenZip'
import type { Alone } from '../exclusiveCpu'
import { COMBINED_MS_A_SAMPLE, type OnWork } from '../forecastWork'
import { LANES, SECOND_PHASE_MS } from '../secondPhaseBudget'
import { SharedCores } from '../sharedCores'
import { compressionOf, type Progress, type Setting, visitedTarget } from './codecSamplesFigures'
import { lackingMs } from './codecSamplesLeft'
import { type Measured, SampleMeter, UNIT_BYTES } from './codecSamplesMeter'
import { type Budget, nextTarget, takeSlice } from './codecSamplesSlices'
import type { ReadAround } from './codecSamplesStreams'
import { type SampleLevel, type Target, targetKey, targetsOf } from './codecSamplesTargets'
import { Deduplicating, type DedupTotals } from './codecSamplesTogether'
import { typeForecasts } from './codecSamplesTypes'
import { type CodecSample, type PreparedSamples, prepareSamples, type SampleSet } from './codecSamplesUnits'
import { codecSpeeds } from './codecSpeeds'

const MIB = 1024 * 1024

/** How many bytes of samples the pass is asked to keep. */
const SAMPLE_BYTES: Readonly<Record<SampleLevel, number>> = {
  fast: 32 * MIB,
  normal: 96 * MIB,
  thorough: 256 * MIB,
}
/** The fast codecs that see every sample may take this share. */
const QUICK_SHARE = 0.2
/**
 * When so much is spent of what is left after preparing, those that others use as covariates have
 * seen enough.
 */
const FIRST_SHARE = 0.5
const PARTIAL_MS = 400
/**
 * With many samples figures take their time: so many times as long they are not asked for again.
 */
const PARTIAL_REST = 8
/**
 * A range is narrow when half of it, as far as more visits could change it, is no more than this
 * share of the value; `thorough` spends its budget whatever is known.
 */
const NARROW: Readonly<Record<SampleLevel, number>> = { fast: 0.04, normal: 0.02, thorough: 0 }
/** The same for covariates, as a share of that: they add their own errors. */
const NARROW_FIRST = 0.5
/** However busy the machine is, the lanes end after this many budgets by the clock. */
const PATIENCE = 2
/** How many bytes of samples the pass should keep. */
export function sampleBytesFor(level: SampleLevel): number {
  return SAMPLE_BYTES[level]
}

interface ForecastOptions {
  readonly level: SampleLevel
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** Twice a second at most: what is known so far, and what is supposed of the rest. */
  readonly onPartial?: (compression: Compression[]) => void
  /** Called often, with the part that is done of each kind of work. */
  readonly onWork?: OnWork
  /** Lets codecs with windows beyond the samples' own history see more of large files. */
  readonly readAround?: ReadAround
  /**
   * The counts of the pass, for forecasts of deduplication, which need samples that know their
   * copies.
   */
  readonly dedup?: DedupTotals
  /** Every type of file with its totals, for forecasts by type; none without it. */
  readonly types?: readonly TypeTotal[]
  readonly seed?: number
  /** CPU time in milliseconds, instead of the level's. */
  readonly budgetMs?: number
  /**
   * After how many budgets by the clock of each lane it ends however little was done; infinite
   * where only CPU time is to count.
   */
  readonly patience?: number
  /** The cores that other work of this process shares at the same time; none if not given. */
  readonly cores?: SharedCores
  /** For what is timed by all that this process does. */
  readonly alone?: Alone
  /** The 7-Zip to use; found if not given, and without one nothing is said of LZMA2. */
  readonly sevenZip?: FoundTool | null
}

export interface CodecForecast {
  readonly compression: Compression[]
  /** Compression and deduplication together; none without `dedup`. */
  readonly combined: Combined[]
  /** By extension. */
  readonly types: TypeForecasts
  /**
   * Strata in which not even the best fast codec saves 3 %: compressing them again is a waste of
   * time.
   */
  readonly compressedAlready: { readonly stratum: string; readonly bytes: number }[]
}

/**
 * Forecasts what every codec would make of the source, per file and per record, within the level's
 * CPU budget.
 * @param strata totals of all files by `stratumKey`; what they count is what the forecasts are of
 * @throws AppError `cancelled` within 200 ms of the signal, `tool-failed` when 7-Zip fails
 */
export async function forecastCodecs(
  set: SampleSet,
  strata: readonly StratumTotal[],
  options: ForecastOptions,
): Promise<CodecForecast> {
  const { signal } = options
  const stopped = new Promise<never>((_, reject) => {
    const stop = (): void => reject(new AppError('cancelled', said`forecasting codecs was cancelled`))
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
  const work = forecast(set, strata, options)
  // A compression under way cannot be ended: it runs out by itself, and what it finds is not wanted any more.
  stopped.catch(() => undefined)
  work.catch(() => undefined)
  return Promise.race([work, stopped])
}

async function forecast(
  set: SampleSet,
  strata: readonly StratumTotal[],
  options: ForecastOptions,
): Promise<CodecForecast> {
  const { level, clock, signal } = options
  const budgetMs = options.budgetMs ?? SECOND_PHASE_MS[level].codecs
  const random = seededRandom(options.seed ?? 1)
  const cores = options.cores ?? new SharedCores(LANES, () => clock.monotonicMs())
  const goOn = (): void => {
    if (signal?.aborted) throw new AppError('cancelled', said`forecasting codecs was cancelled`)
  }
  const pause = pausing(goOn)
  const tool = options.sevenZip === undefined ? await sevenZip.find() : options.sevenZip
  const zeroBytes = options.dedup?.blocks.find((one) => one.blockSize === UNIT_BYTES)?.zeroBytes ?? null
  const nowMs = (): number => cores.nowMs()
  let laneMs = 0
  /** Work of all lanes. */
  const together = async <T>(work: () => Promise<T>): Promise<T> => {
    const startMs = nowMs()
    const found = await cores.during(work, LANES)
    laneMs += (nowMs() - startMs) * LANES
    return found
  }
  const prepared = await together(() =>
    prepareSamples(set, strata, budgetMs * QUICK_SHARE, random, nowMs, goOn, zeroBytes, (done, total) =>
      options.onWork?.('trying', done, total),
    ),
  )
  const combiningMs = options.dedup ? prepared.samples.length * COMBINED_MS_A_SAMPLE : 0
  options.onWork?.('combining', 0, 1, combiningMs)
  const visiting = visitingOrder(prepared.calibrated, evenDraws(random.unit()))
  const rough = roughOf(prepared, strata)
  options.onPartial?.(rough)
  const clockMs = (): number => clock.monotonicMs()
  const speeds = await together(() =>
    codecSpeeds(prepared, level, tool, goOn, signal, (done, total) =>
      options.onWork?.('timing', done, total),
    ),
  )
  // What others time by all that this process does, and the programs that they start, come after that and before the lanes.
  await options.alone?.(async () => undefined)
  const setting: Setting = { prepared, visiting, strata, speeds, options }
  const meter = new SampleMeter(level, prepared.samples, options.readAround)
  const targets = targetsOf(level, tool !== null).map((target) => progressOf(target, prepared, visiting))
  const byKey = new Map(targets.map((one) => [targetKey(one.target), one]))
  const figures = async (): Promise<Compression[]> => {
    const rows: Compression[] = []
    for (const one of targets) {
      // With many samples each takes some hundredths of a second.
      await pause()
      const found = compressionOf(one, speedOf(one, targets), byKey, setting)
      if (!found) continue
      one.isNarrow = found.sampledHalf <= NARROW[level] * (one.target.isFirst ? NARROW_FIRST : 1)
      if (one.target.isShown) rows.push(found.row)
    }
    return rows
  }
  // On a busy machine lanes wait more than they work; the processor's time tells, up to a limit of patience.
  const patience = options.patience ?? PATIENCE
  const spentMs = (): number => laneMs * Math.max(cores.processorShare(), 1 / patience)
  const preparedMs = spentMs()
  const budget: Budget = { budgetMs, firstMs: preparedMs + Math.max(0, budgetMs - preparedMs) * FIRST_SHARE }
  let partialMs = clockMs() + PARTIAL_MS
  /** Samples that cost nothing are taken at once. */
  const isKnownNext = ({ target, measured, busy }: Progress): boolean => {
    const next = prepared.samples[visiting.order[measured.length] as number]
    return !busy && next !== undefined && meter.isKnown(target, next)
  }
  const take = async (one: Progress): Promise<void> => {
    one.busy = true
    // Short records are compressed on this thread: a cancel must be heard in between.
    await pause()
    const fromMs = nowMs()
    const isKnown = (sample: CodecSample): boolean => meter.isKnown(one.target, sample)
    const packMs = await cores.during(() => takeSlice(one, setting, meter, tool, isKnown))
    const tookMs = nowMs() - fromMs
    one.spentMs += tookMs
    one.packMs += packMs ?? tookMs
    laneMs += tookMs
    one.busy = false
  }
  const startMs = laneMs
  /** Milliseconds of one lane. */
  const tellWork = (): void => {
    const share = Math.max(cores.processorShare(), 1 / patience)
    const budgetLeftMs = Math.max(0, budgetMs - spentMs()) / share
    const doneMs = laneMs - startMs
    const wholeMs = doneMs + Math.max(budgetLeftMs, lackingMs(targets, setting, meter))
    options.onWork?.('sampling', doneMs, wholeMs, wholeMs)
  }
  tellWork()
  const slices = new Set<Promise<void>>()
  const lane = async (): Promise<void> => {
    for (;;) {
      goOn()
      const one = targets.find(isKnownNext) ?? nextTarget(targets, byKey, visiting, spentMs(), budget)
      if (!one) {
        if (slices.size === 0) return
        // What the other lane is about may open something.
        await Promise.race(slices)
        continue
      }
      const slice = take(one)
      slices.add(slice)
      await slice
      slices.delete(slice)
      tellWork()
      const fromMs = clockMs()
      if (fromMs >= partialMs) {
        partialMs = Number.POSITIVE_INFINITY
        const known = await figures()
        options.onPartial?.(withRough(known, rough))
        const doneMs = clockMs()
        partialMs = doneMs + Math.max(PARTIAL_MS, (doneMs - fromMs) * PARTIAL_REST)
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  goOn()
  const deduplicating = options.dedup && new Deduplicating(prepared.samples, options.dedup)
  const combined: Combined[] = []
  options.onWork?.('sampling', 1, 1)
  for (const [at, one] of (deduplicating ? targets : []).entries()) {
    options.onWork?.('combining', at, targets.length)
    // With many samples each takes some tenths of a second.
    await pause()
    const visited = one.target.isShown ? visitedTarget(one, byKey, setting) : null
    if (visited) combined.push(...((await deduplicating?.forecast(visited, pause)) ?? []))
  }
  return {
    compression: await figures(),
    combined,
    types: await typeForecasts(options.types ?? [], byKey, setting, pause),
    compressedAlready: compressedAlready(prepared, strata),
  }
}

/** A rough forecast for every codec before it was tried. */
function roughOf({ calibrated, quick }: PreparedSamples, strata: readonly StratumTotal[]): Compression[] {
  const zstd1 = quick.reduce((sum, size, unit) => sum + size.zstd1 * (calibrated.weights[unit] as number), 0)
  return roughCompression(
    zstd1,
    strata.reduce((sum, { bytes }) => sum + bytes, 0),
  )
}

/** The known forecasts, and rough ones for the rest. */
function withRough(known: readonly Compression[], rough: readonly Compression[]): Compression[] {
  const keyOf = ({ codec, recordSize }: Compression): string => `${codec} ${recordSize}`
  const keys = new Set(known.map(keyOf))
  return [...known, ...rough.filter((row) => !keys.has(keyOf(row)))]
}

/**
 * The progress of a target. The results of the fast codecs while preparing hold for every sample
 * already, unless a longer history would help.
 */
function progressOf(target: Target, prepared: PreparedSamples, visiting: VisitingOrder): Progress {
  const { codec, recordSize } = target
  const isQuick = recordSize === null && (codec.id === 'lz4' || codec.id === 'zstd-1')
  const lacksHistory =
    codec.id === 'zstd-1' && prepared.samples.some((one) => one.offset > one.history.length)
  if (!isQuick || lacksHistory)
    return { target, measured: [], spentMs: 0, packMs: 0, bytesRead: 0, busy: false, isNarrow: false }
  const measured = visiting.order.map((unit, place): Measured => {
    const sizes = prepared.quick[unit] as { zstd1: number; lz4: number }
    const bytesRead = visiting.isRepeat(place) ? 0 : (prepared.samples[unit] as CodecSample).data.length
    return { compressedBytes: codec.id === 'lz4' ? sizes.lz4 : sizes.zstd1, bytesRead, records: [] }
  })
  const bytesRead = measured.reduce((sum, one) => sum + one.bytesRead, 0)
  const speed = codec.id === 'lz4' ? prepared.lz4Speed : prepared.zstd1Speed
  const spentMs = speed > 0 ? (bytesRead * 1000) / speed : 0
  return { target, measured, spentMs, packMs: spentMs, bytesRead, busy: false, isNarrow: false }
}

/**
 * Bytes per second over all that the codec was given so, or at all where others had found
 * everything for the target.
 */
function speedOf({ target }: Progress, targets: readonly Progress[]): number {
  const all = targets.filter((one) => one.target.codec === target.codec && one.bytesRead > 0)
  const alike = all.filter((one) => one.target.recordSize === target.recordSize)
  const some = alike.length > 0 ? alike : all
  const bytes = some.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
  const ms = some.reduce((sum, { packMs }) => sum + packMs, 0)
  return ms > 0 ? (bytes * 1000) / ms : 0
}

function compressedAlready(
  prepared: PreparedSamples,
  strata: readonly StratumTotal[],
): { stratum: string; bytes: number }[] {
  const sums = new Map<string, { bytes: number; zstd1: number; lz4: number }>()
  prepared.calibrated.units.forEach((unit, index) => {
    const sum = sums.get(unit.stratum) ?? { bytes: 0, zstd1: 0, lz4: 0 }
    const weight = prepared.calibrated.weights[index] as number
    const [zstd1 = 0, lz4 = 0] = unit.covariates
    sum.bytes += weight * unit.bytes
    sum.zstd1 += weight * zstd1
    sum.lz4 += weight * lz4
    sums.set(unit.stratum, sum)
  })
  return strata.flatMap(({ key, bytes }) => {
    const sum = sums.get(key)
    return sum && isCompressedAlready(sum.bytes, [sum.zstd1, sum.lz4]) ? [{ stratum: key, bytes }] : []
  })
}
