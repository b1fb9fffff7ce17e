import type { Combined, Compression } from '../../contract/dto/survey'
import { isCompressedAlready } from '../../domain/compression/incompressible'
import { type VisitingOrder, visitingOrder } from '../../domain/compression/secondPhase'
import type { StratumTotal } from '../../domain/compression/strata'
import { extensionOf } from '../../domain/survey/typeTable'
import { AppError } from '../../primitives/appError'
import type { Clock } from '../../primitives/clock'
import { seededRandom } from '../../primitives/seededRandom'
import type { BufferCodec } from '../codecs/compressBuffer'
import { sevenZipPacked } from '../codecs/sevenZipSizes'
import { pausing } from '../jobs/slowly'
import type { FoundTool } from '../tools/externalTool'
import { sevenZip } from '../tools/sevenZip'
import {
  compressionOf,
  FEWEST_SHOWN,
  type Progress,
  type Setting,
  visitedTarget,
} from './codecSamplesFigures'
import { gzipFactors } from './codecSamplesGzip'
import { type Measured, SampleMeter, UNIT_BYTES } from './codecSamplesMeter'
import type { ReadAround } from './codecSamplesStreams'
import { type SampleLevel, type Target, targetKey, targetsOf } from './codecSamplesTargets'
import { Deduplicating, type DedupTotals } from './codecSamplesTogether'
import { type CodecSample, type PreparedSamples, prepareSamples, type SampleSet } from './codecSamplesUnits'
import { codecSpeeds } from './codecSpeeds'
import { processorMs } from './processorTime'
import { SECOND_PHASE_MS } from './secondPhaseBudget'

const MIB = 1024 * 1024

/** How many bytes of samples the pass is asked to keep. */
const SAMPLE_BYTES: Readonly<Record<SampleLevel, number>> = {
  fast: 32 * MIB,
  normal: 96 * MIB,
  thorough: 256 * MIB,
}
/** The quick codecs that see every sample may take this share. */
const QUICK_SHARE = 0.2
/** When so much is spent, those that others lean on have seen enough. */
const FIRST_SHARE = 0.7
/** Records that others lean on: more of them than this add less than the time is worth. */
const LEANT_ON_BYTES_PER_MS = 3000
/** Fewer visits give no range worth showing: targets below may overrun the budget by so much, and whatever was spent, those that others lean on have so many and the rest `FEWEST_SHOWN`. */
const LEAST_VISITS = 8
const OVERRUN = 1.15
/** And where visits are short, so many that they take this long together. */
const LEAST_MS = 80
/** How much the real gzip sees for the budget's first seconds; a tenth to a fifth of the time goes there. */
const GZIP_BYTES_PER_MS = 250
const PARTIAL_MS = 1000
const LANES = 2
/** However busy the machine is, the lanes end after this many budgets by the clock. */
const PATIENCE = 2
/** A turn of a target is about this much data, and for 7-Zip, which costs a process, more. */
const TURN_BYTES = 256 * 1024
const LZMA_TURN_BYTES = MIB
const LZMA_TURN_FILES = 400
/** How many bytes of samples the pass should keep. */
export function sampleBytesFor(level: SampleLevel): number {
  return SAMPLE_BYTES[level]
}

export interface ForecastOptions {
  readonly level: SampleLevel
  readonly clock: Clock
  readonly signal?: AbortSignal
  /** About every second: what is known so far. */
  readonly onPartial?: (compression: Compression[]) => void
  /** Lets codecs with windows beyond the samples' own history see more of large files. */
  readonly readAround?: ReadAround
  /** What the pass counted, for forecasts of deduplication, which need samples that know their copies. */
  readonly dedup?: DedupTotals
  readonly seed?: number
  /** CPU time in milliseconds, instead of the level's. */
  readonly budgetMs?: number
  /** After how many budgets by the clock of each lane it ends however little was done; infinite where only CPU time is to count. */
  readonly patience?: number
  /** The 7-Zip to use; found if not told, and without one nothing is said of LZMA2. */
  readonly sevenZip?: FoundTool | null
}

export interface CodecForecast {
  readonly compression: Compression[]
  /** Compression and deduplication together; none without `dedup`. */
  readonly combined: Combined[]
  /** Strata in which not even the best quick codec saves 3 %: compressing them again is a waste of time. */
  readonly compressedAlready: { readonly stratum: string; readonly bytes: number }[]
}

/**
 * Forecasts what every codec would make of the source, per file and per record, within the level's CPU budget.
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
    const stop = (): void => reject(new AppError('cancelled', 'forecasting codecs was cancelled'))
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
  const nowMs = (): number => clock.monotonicMs()
  const goOn = (): void => {
    if (signal?.aborted) throw new AppError('cancelled', 'forecasting codecs was cancelled')
  }
  const pause = pausing(goOn)
  const startMs = nowMs()
  const startCpuMs = processorMs()
  const tool = options.sevenZip === undefined ? await sevenZip.find() : options.sevenZip
  const zeroBytes = options.dedup?.blocks.find((one) => one.blockSize === UNIT_BYTES)?.zeroBytes ?? null
  const prepared = await prepareSamples(set, strata, budgetMs * QUICK_SHARE, random, nowMs, goOn, zeroBytes)
  const visiting = visitingOrder(prepared.calibrated, () => 1 - random.unit())
  const gzip = await gzipFactors(prepared, visiting, Math.max(2 * MIB, budgetMs * GZIP_BYTES_PER_MS), signal)
  const speeds = await codecSpeeds(prepared, level, tool, nowMs, goOn, signal)
  const setting: Setting = { prepared, visiting, strata, gzip, speeds, options }
  const meter = new SampleMeter(level, prepared.samples, options.readAround)
  const targets = targetsOf(level, tool !== null).map((target) => progressOf(target, prepared, visiting))
  const byKey = new Map(targets.map((one) => [targetKey(one.target), one]))
  const figures = async (): Promise<Compression[]> => {
    const rows: Compression[] = []
    for (const one of targets) {
      // With many samples each takes some hundredths of a second.
      await pause()
      const row = compressionOf(one, speedOf(one, targets), byKey, setting)
      if (row) rows.push(row)
    }
    return rows
  }
  let laneMs = (nowMs() - startMs) * LANES
  // On a busy machine lanes wait more than they work; the processor's time tells, up to a limit of patience.
  const patience = options.patience ?? PATIENCE
  const spentMs = (): number => Math.max(processorMs() - startCpuMs, laneMs / patience)
  let partialMs = nowMs()
  /** What costs nothing is taken at once. */
  const isKnownNext = ({ target, measured, busy }: Progress): boolean => {
    const next = prepared.samples[visiting.order[measured.length] as number]
    return !busy && next !== undefined && meter.isKnown(target, next)
  }
  const lane = async (): Promise<void> => {
    for (;;) {
      goOn()
      const one = targets.find(isKnownNext) ?? nextTarget(targets, visiting.order.length, spentMs(), budgetMs)
      if (!one) return
      one.busy = true
      // Short records are compressed on this thread: a cancel must be heard in between.
      await pause()
      const turnMs = nowMs()
      await takeTurn(one, setting, meter, tool)
      const tookMs = nowMs() - turnMs
      one.spentMs += tookMs
      laneMs += tookMs
      one.busy = false
      if (options.onPartial && nowMs() - partialMs >= PARTIAL_MS) {
        partialMs = Number.POSITIVE_INFINITY
        options.onPartial(await figures())
        partialMs = nowMs()
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  goOn()
  const deduplicating = options.dedup && new Deduplicating(prepared.samples, options.dedup)
  const combined: Combined[] = []
  for (const one of deduplicating ? targets : []) {
    // With a hundred thousand samples each takes a tenth of a second: a cancel must be heard between them.
    await pause()
    const visited = visitedTarget(one, byKey, setting)
    if (visited) combined.push(...(deduplicating?.forecast(visited) ?? []))
  }
  return { compression: await figures(), combined, compressedAlready: compressedAlready(prepared, strata) }
}

/** What the quick codecs found while preparing is known of every sample already, unless a longer history would help. */
function progressOf(target: Target, prepared: PreparedSamples, visiting: VisitingOrder): Progress {
  const { codec, recordSize } = target
  const isQuick = recordSize === null && (codec.id === 'lz4' || codec.id === 'zstd-1')
  const lacksHistory =
    codec.id === 'zstd-1' && prepared.samples.some((one) => one.offset > one.history.length)
  if (!isQuick || lacksHistory) return { target, measured: [], spentMs: 0, bytesRead: 0, busy: false }
  const measured = visiting.order.map((unit): Measured => {
    const sizes = prepared.quick[unit] as { zstd1: number; lz4: number }
    const bytesRead = (prepared.samples[unit] as CodecSample).data.length
    return { compressedBytes: codec.id === 'lz4' ? sizes.lz4 : sizes.zstd1, bytesRead, records: [] }
  })
  const bytesRead = measured.reduce((sum, one) => sum + one.bytesRead, 0)
  const speed = codec.id === 'lz4' ? prepared.lz4Speed : prepared.zstd1Speed
  return { target, measured, spentMs: speed > 0 ? (bytesRead * 1000) / speed : 0, bytesRead, busy: false }
}

/** The target that has had least of its due; past the budget only those that know too little. */
function nextTarget(
  targets: readonly Progress[],
  units: number,
  spentMs: number,
  budgetMs: number,
): Progress | null {
  const mayRepeat = spentMs < budgetMs * OVERRUN
  let best: Progress | null = null
  const mayLean = spentMs >= budgetMs * FIRST_SHARE
  const isDone = ({ target, measured, bytesRead }: Progress): boolean =>
    measured.length >= units || (target.recordSize !== null && bytesRead >= budgetMs * LEANT_ON_BYTES_PER_MS)
  const areFirstDone = targets.every((one) => !one.target.isFirst || isDone(one))
  for (const one of targets) {
    if (one.busy || one.measured.length >= (mayRepeat ? units : leastOf(one.target))) continue
    if (!one.target.isFirst && !mayLean && !areFirstDone) continue
    // Whole files go on: what dear codecs have had streamed already costs them nothing.
    const isEnough = isDone(one) || (mayLean && one.target.recordSize !== null)
    if (one.target.isFirst && isEnough && one.measured.length >= LEAST_VISITS) continue
    if (spentMs >= budgetMs && one.measured.length >= LEAST_VISITS && one.spentMs >= LEAST_MS) continue
    if (!best || one.spentMs / one.target.weight < best.spentMs / best.target.weight) best = one
  }
  return best
}

function leastOf({ isFirst }: Target): number {
  return isFirst ? LEAST_VISITS : FEWEST_SHOWN
}

async function takeTurn(
  one: Progress,
  { prepared, visiting, options: { signal } }: Setting,
  meter: SampleMeter,
  tool: FoundTool | null,
): Promise<void> {
  const { codec, recordSize } = one.target
  const isLzma = codec.family === 'lzma2'
  const turnBytes = isLzma ? LZMA_TURN_BYTES : TURN_BYTES
  const turn: CodecSample[] = []
  let bytes = 0
  for (const unit of visiting.order.slice(one.measured.length, one.measured.length + LZMA_TURN_FILES)) {
    const sample = prepared.samples[unit] as CodecSample
    turn.push(sample)
    bytes +=
      recordSize === null
        ? sample.data.length
        : Math.min(sample.data.length, Math.max(recordSize, TURN_BYTES))
    if (bytes >= turnBytes) break
  }
  if (isLzma) {
    if (tool) await takeLzmaTurn(one, turn, meter, tool, signal)
    return
  }
  for (const sample of turn) {
    if (signal?.aborted) return
    const measured =
      recordSize === null
        ? await meter.wholeFile(codec as BufferCodec, sample)
        : await meter.records(codec as BufferCodec, recordSize, sample)
    one.measured.push(measured)
    one.bytesRead += measured.bytesRead
  }
}

async function takeLzmaTurn(
  one: Progress,
  turn: readonly CodecSample[],
  meter: SampleMeter,
  tool: FoundTool,
  signal: AbortSignal | undefined,
): Promise<void> {
  const histories: Uint8Array[] = []
  for (const sample of turn) histories.push(await meter.warmHistory(sample))
  const warmed = turn.flatMap(({ data, path }, index) => {
    const history = histories[index] as Uint8Array
    const extension = extensionOf(path)
    const all = { data: history.length > 0 ? Buffer.concat([history, data]) : data, extension }
    return history.length > 0 ? [all, { data: history, extension }] : [all]
  })
  const sizes = (await sevenZipPacked(tool, warmed, signal)).sizes.values()
  for (const [index, sample] of turn.entries()) {
    const after = sizes.next().value ?? 0
    const before = (histories[index] as Uint8Array).length > 0 ? (sizes.next().value ?? 0) : 0
    const factor = await meter.longFactor(sample, one.target.codec.windowBytes)
    const compressedBytes = Math.max(0, after - before) * factor
    one.measured.push({ compressedBytes, bytesRead: sample.data.length, records: [] })
    one.bytesRead += sample.data.length
  }
}

/** Bytes per second; a target that lived on what others had found has the speed of its codec there. */
function speedOf(one: Progress, targets: readonly Progress[]): number {
  const all = targets.filter(({ target }) => target.codec === one.target.codec)
  const [{ bytesRead, spentMs } = one] =
    one.bytesRead > 0 ? [one] : all.filter((other) => other.bytesRead > 0)
  return bytesRead > 0 && spentMs > 0 ? (bytesRead * 1000) / spentMs : 0
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
