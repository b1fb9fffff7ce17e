import type { Estimate, Provenance, Span } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import { type SpeedCurve, scaledCurve } from '../../media/speedCurve'
import { estimateOf, weakest } from '../../options/cost/estimateParts'
import { type SimulatedWrite, type SourceCost, simulateWrite, type WriteSetting } from './simulateWrite'

/** The costs of reading a source, each figure with its 95 % range; seconds. */
export interface SourceModel {
  readonly startSeconds: Span
  readonly fileSeconds: Span
  readonly secondsPerByte: Span
  readonly provenance: Provenance
  readonly basis: string
}

/** A medium in its drive. */
export interface WriterModel {
  readonly curve: SpeedCurve
  /**
   * How much slower and faster than the curve other drives and blanks are: 0.5 and 2 for half and
   * twice its rates.
   */
  readonly pace: { readonly low: number; readonly high: number }
  /** Lead-in, calibration, formatting, closing, changing the disc. */
  readonly discSeconds: Span
  readonly provenance: Provenance
  readonly basis: string
}

/**
 * Which side decides: one alone, or the writer starving while the source is slow and the source
 * standing while it could be ahead.
 */
export type Bottleneck = 'source' | 'writer' | 'starvation'

export interface WriteForecast {
  /** The time of the whole disc, with the time apart from its bytes. */
  readonly seconds: Estimate
  readonly bottleneck: Bottleneck
  readonly simulated: SimulatedWrite
}

/** Within this of what no buffer does better, nothing but the slower side matters. */
const STARVATION = 0.01

export interface WriteForecastRequest extends Omit<WriteSetting, 'source' | 'curve'> {
  readonly source: SourceModel
  readonly writer: WriterModel
}

/**
 * Forecasts the time of writing a stream to a medium. The range is that of the source's and the
 * writer's figures, taken as independent: each is simulated at both of its ends.
 */
export function forecastWrite({ source, writer, ...stream }: WriteForecastRequest): WriteForecast {
  const at = (sourceEnd: keyof Span, pace: number): SimulatedWrite =>
    simulateWrite({ ...stream, source: costOf(source, sourceEnd), curve: scaledCurve(writer.curve, pace) })
  const simulated = at('value', 1)
  const seconds = simulated.seconds
  const { discSeconds } = writer
  const below = Math.hypot(
    seconds - at('low', 1).seconds,
    seconds - at('value', writer.pace.high).seconds,
    discSeconds.value - discSeconds.low,
  )
  const above = Math.hypot(
    at('high', 1).seconds - seconds,
    at('value', writer.pace.low).seconds - seconds,
    discSeconds.high - discSeconds.value,
  )
  const value = seconds + discSeconds.value
  const bottleneck = bottleneckOf(simulated)
  const basis = said`simulated file by file; ${reasonOf(bottleneck)}; source: ${source.basis}; writer: ${writer.basis}`
  return {
    seconds: estimateOf(
      { value, low: value - below, high: value + above },
      weakest(['modelled', source.provenance, writer.provenance]),
      basis,
    ),
    bottleneck,
    simulated,
  }
}

function reasonOf(bottleneck: Bottleneck): string {
  switch (bottleneck) {
    case 'source':
      return said`the source is slowest`
    case 'writer':
      return said`the writer is slowest`
    case 'starvation':
      return said`source and writer wait for each other in turn`
  }
}

export function bottleneckOf({
  seconds,
  leastSeconds,
  sourceSeconds,
  writerSeconds,
}: Pick<SimulatedWrite, 'seconds' | 'leastSeconds' | 'sourceSeconds' | 'writerSeconds'>): Bottleneck {
  if (seconds > (1 + STARVATION) * leastSeconds) return 'starvation'
  return sourceSeconds > writerSeconds ? 'source' : 'writer'
}

/** The costs of a source at one end of their ranges. */
export function costOf(source: SourceModel, end: keyof Span): SourceCost {
  return {
    startSeconds: source.startSeconds[end],
    fileSeconds: source.fileSeconds[end],
    secondsPerByte: source.secondsPerByte[end],
  }
}

/**
 * A source that one figure describes: images and archives that are read from a disk from beginning
 * to end.
 */
export function steadySource({ value, low, high, provenance, basis }: Estimate): SourceModel {
  const none = { value: 0, low: 0, high: 0 }
  return {
    startSeconds: none,
    fileSeconds: none,
    secondsPerByte: { value: 1 / value, low: 1 / high, high: 1 / low },
    provenance,
    basis,
  }
}
