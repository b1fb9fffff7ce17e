import type { Estimate } from '../../primitives/estimate'
import { bisquareLine } from '../statistics/bisquare'
import { distributionOf, MAD_TO_DEVIATION, medianOf, quantileOf } from '../statistics/quantiles'
import { type Line, type RobustFit, type TimedSize, theilSen } from '../statistics/theilSen'
import type { OperationFigures } from './measurement'
import { countWarmUp, findSlowdown, steadyFrom } from './sequence'
import { findTwoKinds, type TwoKinds } from './twoKinds'

export type SampleMark = 'stall' | 'cacheSuspect' | 'warmUp'

export interface MarkedFigures {
  readonly figures: OperationFigures
  /** One for each sample, in their order. */
  readonly marks: readonly (SampleMark | null)[]
  /** Null where no line was fitted. */
  readonly fit: RobustFit | null
  /** Sizes differ, but explain too little of the times for a line. */
  readonly isUnexplained: boolean
  /**
   * How much slower than expected the samples of the warm-up were, by their median; null without
   * one.
   */
  readonly warmUpFactor: number | null
  /** Null where the samples are of one kind. */
  readonly kinds: TwoKinds | null
}

export interface FigureOptions {
  readonly seed: number
  /** Resamples of the bootstrap; 0 for figures without intervals, while a measurement runs. */
  readonly resamples: number
  /**
   * Pairs of samples that a line is taken from; fewer while a measurement runs, whose processor is
   * not to be kept busy.
   */
  readonly mostPairs?: number
  /** The most that the link to the device carries, if the system reports it. */
  readonly linkBytesPerSecond: number | null
  /** A full cache in the device is looked for when it takes data. */
  readonly isWriting: boolean
  /**
   * Accesses at random places tell a latency; one line through them and whole files would mean
   * nothing.
   */
  readonly isRandom: boolean
}

/** A line needs so many samples, and sizes that differ by this factor at least. */
const FEWEST_FOR_LINE = 5
const WIDEST_OF_ONE_SIZE = 2
/** A stall is slower than the line by three deviations and by this share. */
const STALL_SLOWER = 0.2
/** The cache is suspected above the link's rate, or this factor above the fitted rate. */
const SUSPECT_FACTOR = 1.15

/**
 * The samples of one operation, in the order of time, as figures. Nothing is left out: what stands
 * out is marked.
 */
export function operationFigures(samples: readonly TimedSize[], options: FigureOptions): MarkedFigures {
  const sizes = samples.map(({ bytes }) => bytes)
  const smallest = Math.min(...extremes(sizes))
  const largest = Math.max(...extremes(sizes))
  const hasLine =
    !options.isRandom && samples.length >= FEWEST_FOR_LINE && largest >= smallest * WIDEST_OF_ONE_SIZE
  const fit = hasLine ? theilSen(samples, options) : null
  // Where sizes that make no difference are within the range of the slope, the line tells no rate.
  const line = fit !== null && fit.nsPerByte > 0 && !(fit.nsPerByteRange.low <= 0) ? fit : null
  const flat = { nsPerByte: 0, latencyNs: medianOf(samples.map(({ ns }) => ns)) }
  const expected = fit !== null && line === null ? flat : line
  const rates = samples.map(({ bytes, ns }) => rateOf(bytes, ns))
  const atSmallest = samples.filter(({ bytes }) => bytes === smallest).map(({ ns }) => ns)
  const slowness = slownessOf(samples, expected)
  const deviation = MAD_TO_DEVIATION * medianOf(slowness.map((value) => Math.abs(value - 1)))
  const warmUpSamples = countWarmUp(slowness, deviation)
  const marks = samples.map((sample, index): SampleMark | null => {
    const off = (slowness[index] as number) - 1
    if (index < warmUpSamples) return 'warmUp'
    if (isSuspect(sample, off, deviation, line, options)) return 'cacheSuspect'
    return off > Math.max(3 * deviation, STALL_SLOWER) ? 'stall' : null
  })
  const check = line === null ? null : bisquareLine(samples)
  const change = options.isWriting ? findSlowdown(slowness) : null
  const sequential = line
    ? lineEstimates(line, samples.length)
    : fit
      ? { ...NO_ESTIMATES, bytesPerSecond: overallRate(samples, Math.max(...extremes(rates))) }
      : oneSizeEstimates(samples, rates, options)
  const typicalRate = sequential.bytesPerSecond?.value ?? 0
  return {
    fit: line,
    isUnexplained: fit !== null && line === null,
    marks,
    // The check follows the larger kind, where the headline lies between both and blurs them.
    kinds: change === null ? findTwoKinds(slownessOf(samples, check ?? expected)) : null,
    warmUpFactor: warmUpSamples === 0 ? null : medianOf(slowness.slice(0, warmUpSamples)),
    figures: {
      samples: samples.length,
      bytes: sum(sizes),
      ns: sum(samples.map(({ ns }) => ns)),
      ...sequential,
      check: check && { bytesPerSecond: 1e9 / check.nsPerByte, latencyNs: Math.max(0, check.latencyNs) },
      dispersion: line === null ? null : medianOf(slowness.map((value) => Math.abs(value - 1))),
      rates: distributionOf(rates),
      latencies: distributionOf(atSmallest),
      stalls: marks.filter((mark) => mark === 'stall').length,
      cacheSuspects: marks.filter((mark) => mark === 'cacheSuspect').length,
      warmUpSamples,
      knee: change && {
        kneeBytes: sum(sizes.slice(0, change.at)),
        burstBytesPerSecond: typicalRate / change.before,
        sustainedBytesPerSecond: typicalRate / change.after,
      },
      steadyFrom: steadyFrom(slowness),
    },
  }
}

/** Time over the expected time: by the line, or by the median time per byte where there is none. */
function slownessOf(samples: readonly TimedSize[], line: Line | null): number[] {
  const perByte = medianOf(samples.map(({ bytes, ns }) => ns / bytes))
  return samples.map(({ bytes, ns }) => {
    const expected = line === null ? perByte * bytes : Math.max(0, line.latencyNs) + line.nsPerByte * bytes
    return ns / expected
  })
}

function isSuspect(
  { bytes, ns }: TimedSize,
  off: number,
  deviation: number,
  line: Line | null,
  { linkBytesPerSecond, isWriting }: FigureOptions,
): boolean {
  if (isWriting) return false
  const rate = rateOf(bytes, ns)
  if (linkBytesPerSecond !== null && rate > linkBytesPerSecond) return true
  // Random accesses of one size have no line; their fast half is no surprise.
  if (line === null) return false
  return rate > (SUSPECT_FACTOR * 1e9) / line.nsPerByte && off < -3 * deviation
}

type Sequential = Pick<OperationFigures, 'bytesPerSecond' | 'latencyNs' | 'halfSpeedBytes'>

function lineEstimates(fit: RobustFit, samples: number): Sequential {
  const basis = `Theil–Sen line through ${samples} timed files, range by bootstrap within deciles of size`
  const latency = Math.max(0, fit.latencyNs)
  return {
    bytesPerSecond: measured(
      1e9 / fit.nsPerByte,
      1e9 / fit.nsPerByteRange.high,
      fit.nsPerByteRange.low > 0 ? 1e9 / fit.nsPerByteRange.low : Number.NaN,
      basis,
    ),
    latencyNs: measured(
      latency,
      Math.max(0, fit.latencyRange.low),
      Math.max(0, fit.latencyRange.high),
      basis,
    ),
    halfSpeedBytes: measured(
      latency / fit.nsPerByte,
      Math.max(0, fit.halfSpeedRange.low),
      Math.max(0, fit.halfSpeedRange.high),
      `latency × rate of the ${basis}`,
    ),
  }
}

const NO_ESTIMATES: Sequential = { bytesPerSecond: null, latencyNs: null, halfSpeedBytes: null }
/** The normal quantile for 95 %, two-sided. */
const TWO_SIDED = 1.96

/**
 * All bytes over all the time: what holds whatever the time depends on. The range is that of a
 * ratio of sums (Cochran, Sampling Techniques, 6.4), and no farther up than the fastest sample.
 */
function overallRate(samples: readonly TimedSize[], fastest: number): Estimate {
  const count = samples.length
  const bytes = sum(samples.map((one) => one.bytes))
  const ns = sum(samples.map((one) => one.ns))
  const squares = sum(samples.map((one) => (one.ns - (ns / bytes) * one.bytes) ** 2))
  const reach = (TWO_SIDED * Math.sqrt((squares * count) / (count - 1))) / ns
  const rate = rateOf(bytes, ns)
  return measured(
    rate,
    rate / (1 + reach),
    reach < 1 ? Math.min(fastest, rate / (1 - reach)) : fastest,
    `all bytes over all the time of ${count} timed files, whose sizes explain too little of their times`,
  )
}

/** Without a line: the median of the rates, and for random accesses the median of the times. */
function oneSizeEstimates(
  samples: readonly TimedSize[],
  rates: readonly number[],
  { isRandom }: FigureOptions,
): Sequential {
  if (samples.length === 0) return NO_ESTIMATES
  return {
    ...NO_ESTIMATES,
    bytesPerSecond: medianEstimate(
      rates,
      `median rate of ${samples.length} ${isRandom ? 'accesses' : 'timed files'}`,
    ),
    latencyNs: isRandom
      ? medianEstimate(
          samples.map(({ ns }) => ns),
          `median time of ${samples.length} accesses`,
        )
      : null,
  }
}

/**
 * A median with its 95 % range by order statistics: the ranks n/2 ± 0.98 √n. Too few samples give
 * their whole range.
 */
function medianEstimate(values: readonly number[], basis: string): Estimate {
  const sorted = Float64Array.from(values).toSorted()
  const reach = 0.98 / Math.sqrt(sorted.length)
  return measured(
    quantileOf(sorted, 0.5),
    quantileOf(sorted, Math.max(0, 0.5 - reach)),
    quantileOf(sorted, Math.min(1, 0.5 + reach)),
    basis,
  )
}

/** Where resampling gave no range (too few samples, or none asked for) the figure has no range. */
function measured(value: number, low: number, high: number, basis: string): Estimate {
  const [from, to] = [low, high].map((limit) => (Number.isFinite(limit) ? limit : value)) as [number, number]
  return {
    value,
    low: Math.min(value, from),
    high: Math.max(value, to),
    confidence: 0.95,
    provenance: 'measured',
    basis,
  }
}

function rateOf(bytes: number, ns: number): number {
  return (bytes * 1e9) / Math.max(1, ns)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/**
 * The least and the largest value; spreading tens of thousands of arguments would overflow the
 * stack.
 */
function extremes(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, 0],
  )
}
