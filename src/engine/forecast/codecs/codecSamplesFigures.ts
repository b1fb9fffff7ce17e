import type { Compression } from '../../../contract/dto/survey'
import type { VisitingOrder } from '../../../domain/forecast/secondPhase'
import { type Covariate, estimateTotal, type Observation } from '../../../domain/statistics/estimateTotal'
import type { CalibratedSample, StratumTotal } from '../../../domain/statistics/strata'
import { type CodecId, isSlow } from '../../codecs/codecRegistry'
import type { Measured, MeasuredRecord } from './codecSamplesMeter'
import type { Target } from './codecSamplesTargets'
import type { CodecSample, PreparedSamples } from './codecSamplesUnits'
import type { CodecSpeed } from './codecSpeeds'
import type { ToolSizes } from './codecSpeedsGzip'
import { SPEED_PIECE_BYTES } from './codecSpeedsPieces'

/** A figure from fewer visits is not shown. */
export const FEWEST_SHOWN = 3
/**
 * Records: one standard error that the residuals of a few visits do not show (a few large files
 * that differ most from the rest are easily missed). With 1 % too many ranges missed on source
 * code, a disk image and tiny files; with this all of 196 hold the truth (seven sets, two seeds).
 * Deflate of whole files is visited as little and uses the same covariates: 3 to 4 % too small on
 * releases of a package and a disk image; of it only as much as was not visited.
 */
const RECORD_SHARE = 0.018
/** How sure `historyShare` is: one standard error, as a share of it. */
const HISTORY_ERROR = 1.5
/**
 * Slow codecs see later parts of files after a part of what precedes them only: 3 % less to 4 %
 * more was seen of parts of a library, a file system and a log. One standard error.
 */
const WARMED_UP_ERROR = 0.03
/**
 * A phase in between that has not so many times more contents tells little more than the one after
 * it.
 */
const WORTH_A_PHASE = 1.5
/**
 * Without what precedes a sample in its file, a codec with a long window may save this share more.
 */
export const UNREAD_HISTORY_SHARE = 0.03

/**
 * Assumed where no gzip is found to compare with: differences of -6 % to +2 % between
 * implementations were seen in trials.
 */
const UNKNOWN_GZIP: ToolSizes = { factor: 1, error: 0.02 }
const ITSELF: ToolSizes = { factor: 1, error: 0 }

/** The part that does not change while the targets take their slices of the budget. */
export interface Setting {
  readonly prepared: PreparedSamples
  readonly visiting: VisitingOrder
  readonly strata: readonly StratumTotal[]
  /** The speeds of one core, where they were measured. */
  readonly speeds: ReadonlyMap<CodecId, CodecSpeed>
  readonly options: {
    readonly readAround?: unknown
    readonly signal?: AbortSignal
  }
}

export interface Progress {
  readonly target: Target
  /** One for each of the first units of the visiting order. */
  readonly measured: Measured[]
  spentMs: number
  /** The part of it that packing alone took. */
  packMs: number
  bytesRead: number
  busy: boolean
  /** True when its range is narrow enough, as far as was sampled. */
  isNarrow: boolean
}

/** Targets by their keys. */
export type Others = ReadonlyMap<string, Progress>

/** The results of one codec for visited units, by record size or whole files. */
export interface VisitedTarget {
  readonly codec: CodecId
  readonly recordSize: number | null
  readonly calibrated: CalibratedSample
  /** Predictions for some more units, the phase with most units first. */
  readonly covariates: readonly Covariate[]
  readonly visits: readonly {
    readonly unit: number
    readonly probability: number
    readonly compressedBytes: number
    readonly records: readonly MeasuredRecord[]
  }[]
  readonly systematicShare: number
  /**
   * Turns what was compressed of whole files into the tool's result: a factor, and what containers
   * add to all files.
   */
  readonly factor: number
  readonly overheadBytes: number
}

/** The forecast from a target's visits, null while they are too few. */
export function visitedTarget(one: Progress, others: Others, setting: Setting): VisitedTarget | null {
  const { prepared, visiting, strata, options } = setting
  const { codec, recordSize } = one.target
  const count = one.measured.length
  if (count === 0) return null
  if (visiting.contents(count) < FEWEST_SHOWN && count < visiting.order.length) return null
  const visits = one.measured.map(({ compressedBytes, records }, place) => {
    const unit = visiting.order[place] as number
    return { unit, probability: visiting.probability(unit, count), compressedBytes, records }
  })
  const quick = codec.family === 'lz4' ? prepared.calibratedForLz4 : prepared.calibrated
  const expectations = widerThan(count, expectationsOf(one, others, visiting), visiting)
  // What is expected of every unit is one more cheap codec's size; what is expected of some makes a phase in between.
  const ofAll = expectations[0]?.length === visiting.order.length ? expectations.shift() : undefined
  const calibrated = ofAll ? withExpected(quick, visiting.order, ofAll) : quick
  const covariates = expectations.map(
    (expected): Covariate => ({
      units: expected.map((_, place) => {
        const unit = visiting.order[place] as number
        return { unit, probability: visiting.probability(unit, expected.length) }
      }),
      expected,
    }),
  )
  const known = { codec: codec.id, recordSize, calibrated, covariates, visits }
  if (recordSize !== null) return { ...known, systematicShare: RECORD_SHARE, factor: 1, overheadBytes: 0 }
  const { toolSizes = codec.family === 'deflate' ? UNKNOWN_GZIP : ITSELF } =
    setting.speeds.get(codec.id) ?? {}
  // What has more before it, within the codec's window, than the samples' own history.
  const behind = shareOfBytes(
    prepared,
    ({ offset, history }) => Math.min(offset, codec.windowBytes) > history.length,
  )
  const residual = codec.historyShare * behind
  const systematicShare = Math.hypot(
    codec.systematicShare,
    HISTORY_ERROR * residual,
    options.readAround ? 0 : UNREAD_HISTORY_SHARE * behind,
    toolSizes.error,
    isSlow(codec) ? WARMED_UP_ERROR * shareOfBytes(prepared, ({ offset }) => offset > 0) : 0,
    codec.family === 'deflate' ? RECORD_SHARE * Math.sqrt(1 - visitedShare(prepared, visits)) : 0,
  )
  const factor = toolSizes.factor * (1 - residual)
  return { ...known, systematicShare, factor, overheadBytes: overheadOf(strata, codec.fileOverhead) }
}

/**
 * The expected sizes of the first units of the visiting order for a target: by its covariates, by
 * those of the first of these, and so on. The longest list comes first; each is as long as all its
 * sources have been visited.
 */
function expectationsOf({ target }: Progress, others: Others, visiting: VisitingOrder): number[][] {
  const { predictor } = target
  const on = predictor?.on.flatMap((key) => others.get(key) ?? []) ?? []
  const [first] = on
  if (!predictor || !first || on.length < predictor.on.length) return []
  const count = Math.min(...on.map(({ measured }) => measured.length))
  const expected = Array.from({ length: count }, (_, place) =>
    predictor.expected(on.map(({ measured }) => (measured[place] as Measured).compressedBytes)),
  )
  return [...widerThan(count, expectationsOf(first, others, visiting), visiting), expected]
}

/** Those of enough more contents than there are among the first `count` units. */
function widerThan(count: number, expectations: readonly number[][], visiting: VisitingOrder): number[][] {
  const least = visiting.contents(count) * WORTH_A_PHASE
  return expectations.filter(({ length }) => length > count && visiting.contents(length) >= least)
}

/** With the expected sizes as the first covariate. */
function withExpected(
  sample: CalibratedSample,
  order: readonly number[],
  expected: readonly number[],
): CalibratedSample {
  const ofUnit = new Map(order.map((unit, place) => [unit, expected[place] as number]))
  const units = sample.units.map((unit, index) => ({
    ...unit,
    covariates: [ofUnit.get(index) ?? 0, ...unit.covariates],
  }))
  return { ...sample, units }
}

/**
 * The forecast of a target, null while too little is known, and what more visits could take off its
 * range: half of it without the systematic part, as a share of the value.
 */
export function compressionOf(
  one: Progress,
  bytesPerSecond: number,
  others: Others,
  setting: Setting,
): { readonly row: Compression; readonly sampledHalf: number } | null {
  const visited = visitedTarget(one, others, setting)
  if (!visited) return null
  const { codec, recordSize, calibrated, covariates, visits, systematicShare, factor, overheadBytes } =
    visited
  const observations = visits.map(
    ({ unit, probability, compressedBytes }): Observation => ({
      unit,
      probability,
      compressedBytes,
    }),
  )
  const total = estimateTotal(calibrated, observations, systematicShare, covariates)
  const isLong = recordSize === null || recordSize >= SPEED_PIECE_BYTES
  const speed = isLong ? setting.speeds.get(codec) : undefined
  const whole = (value: number): number => Math.round(value * factor + overheadBytes)
  const half = total.high - total.value
  const sampled = Math.sqrt(Math.max(0, half ** 2 - (1.96 * systematicShare * total.value) ** 2))
  const row: Compression = {
    codec,
    scope: recordSize === null ? 'file' : 'record',
    recordSize,
    predictedBytes: whole(total.value),
    low: whole(total.low),
    high: whole(total.high),
    sampledBytes: visits.reduce(
      (sum, { unit }) => sum + (setting.prepared.samples[unit] as CodecSample).data.length,
      0,
    ),
    bytesPerSecond: speed?.packBytesPerSecond ?? bytesPerSecond,
    ...(speed?.toolBytesPerSecond !== undefined && { toolBytesPerSecond: speed.toolBytesPerSecond }),
    ...(speed?.unpackBytesPerSecond !== undefined && { unpackBytesPerSecond: speed.unpackBytesPerSecond }),
  }
  return { row, sampledHalf: total.value > 0 ? sampled / total.value : 0 }
}

/** The part of the samples' bytes that was visited. */
function visitedShare({ samples }: PreparedSamples, visits: readonly { readonly unit: number }[]): number {
  const bytesOf = (unit: number): number => samples[unit]?.data.length ?? 0
  const all = samples.reduce((sum, { data }) => sum + data.length, 0)
  return all > 0 ? Math.min(1, visits.reduce((sum, { unit }) => sum + bytesOf(unit), 0) / all) : 0
}

/** The share of the source's bytes that is in such samples. */
function shareOfBytes(
  { samples, calibrated }: PreparedSamples,
  isMeant: (sample: CodecSample) => boolean,
): number {
  let all = 0
  let meant = 0
  samples.forEach((sample, index) => {
    const bytes = (calibrated.weights[index] as number) * sample.data.length
    all += bytes
    if (isMeant(sample)) meant += bytes
  })
  return all === 0 ? 0 : meant / all
}

function overheadOf(
  strata: readonly StratumTotal[],
  fileOverhead: (fileBytes: number, nameBytes: number) => number,
): number {
  return strata.reduce(
    (sum, { files, bytes, nameBytes }) =>
      files === 0 ? sum : sum + files * fileOverhead(bytes / files, nameBytes / files),
    0,
  )
}
