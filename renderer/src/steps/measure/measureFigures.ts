import {
  type MeasurementDocument,
  type MeasurementListItem,
  type MeasurePreview,
  type MeasureSample,
  type OperationFigures,
  SAMPLE_OPERATIONS,
  type SampleOperation,
} from '../../../../src/contract/dto/measure'
import type { Estimate } from '../../../../src/primitives/estimate'
import type { CurvePoint, FileOperation } from '../../charts/RateChart'

/** Figures of all operations, of a measurement that runs or of a finished one. */
export type FiguresByOperation = Readonly<
  Partial<Record<SampleOperation, OperationFigures | null | undefined>>
>

/** Operations that move whole files, which a rate by size is drawn of. */
export const FILE_OPERATIONS: readonly FileOperation[] = [
  'write',
  'read',
  'streamWrite',
  'streamRead',
  'compress',
]

/** The operations that have samples, in their order. */
export function operationsOf(figures: FiguresByOperation): SampleOperation[] {
  return SAMPLE_OPERATIONS.filter((op) => (figures[op]?.samples ?? 0) > 0)
}

/** The operations that a specification will have samples of, in their order. */
export function operationsAsked({ tests }: MeasurePreview['spec']): SampleOperation[] {
  const asked = new Set<string>(tests.flatMap(({ operations }) => operations))
  return SAMPLE_OPERATIONS.filter((op) => asked.has(op.startsWith('stream') ? 'stream' : op))
}

/** Bytes per second of one sample. */
export function rateOf({ bytes, ns }: Pick<MeasureSample, 'bytes' | 'ns'>): number {
  return (bytes * 1e9) / Math.max(1, ns)
}

/**
 * The rate that latency and rate together give a file of some bytes:
 * bytes / (latency + bytes / rate).
 */
export function rateAt(bytes: number, latencyNs: number, bytesPerSecond: number): number {
  return (bytes * 1e9) / (latencyNs + (bytes * 1e9) / bytesPerSecond)
}

/**
 * The fitted line of time on size as rates, with the band that the 95 % ranges of latency and rate
 * span together. The two are taken at their worst at once, so the band is rather too wide than too
 * narrow. Empty where no line was fitted.
 */
export function fittedCurve(figures: OperationFigures | null, from: number, to: number): CurvePoint[] {
  const rate = figures?.bytesPerSecond
  const latency = figures?.latencyNs
  if (!rate || !latency || !figures.halfSpeedBytes || !(rate.low > 0) || !(to > from)) return []
  const steps = 60
  return Array.from({ length: steps + 1 }, (_, step) => {
    const bytes = from * (to / from) ** (step / steps)
    return {
      bytes,
      rate: rateAt(bytes, latency.value, rate.value),
      low: rateAt(bytes, latency.high, rate.low),
      high: rateAt(bytes, latency.low, rate.high),
    }
  })
}

/**
 * Samples of one operation that are drawn: all where there is room, else evenly chosen ones and all
 * outliers.
 */
export function drawnSamples(
  samples: readonly MeasureSample[],
  op: SampleOperation,
  most: number,
): MeasureSample[] {
  const own = samples.filter((sample) => sample.op === op)
  const stride = Math.max(1, Math.ceil(own.length / most))
  return own
    .filter(({ mark }, index) => index % stride === 0 || mark !== null)
    .sort((one, other) => one.bytes - other.bytes || one.ns - other.ns)
}

/**
 * From the smallest to the largest file, as the specification says before there are samples. Null
 * when nothing tells.
 */
export function sizeExtent(
  samples: readonly MeasureSample[],
  spec: MeasurePreview['spec'] | null,
): { readonly from: number; readonly to: number } | null {
  const sizes = samples.filter(({ op }) => isFileOperation(op)).map(({ bytes }) => bytes)
  for (const { sizes: asked, operations } of spec?.tests ?? []) {
    if (!operations.some((operation) => ['write', 'read', 'stream'].includes(operation))) continue
    if (Array.isArray(asked))
      sizes.push(...asked.map((each) => (typeof each === 'number' ? each : each.size)))
    else if ('from' in asked) sizes.push(asked.from, asked.to)
  }
  if (sizes.length === 0) return null
  const [from, to] = extremes(sizes)
  return { from, to }
}

export function isFileOperation(op: SampleOperation): op is FileOperation {
  return (FILE_OPERATIONS as readonly string[]).includes(op)
}

/**
 * One column of the histogram: how many accesses of each operation took from `fromNs` to less than
 * `toNs`.
 */
export interface TimeBin {
  readonly fromNs: number
  readonly toNs: number
  readonly counts: Readonly<Partial<Record<SampleOperation, number>>>
}

const STEPS_OF_DECADE = [1, 1.5, 2, 3, 5, 7] as const

/** Times of each operation's smallest size, in steps of about 1.5 that are round in every unit. */
export function timeBins(samples: readonly MeasureSample[]): {
  readonly bins: TimeBin[]
  readonly sizes: Readonly<Partial<Record<SampleOperation, number>>>
} {
  const sizes: Partial<Record<SampleOperation, number>> = {}
  for (const { op, bytes } of samples) sizes[op] = Math.min(sizes[op] ?? bytes, bytes)
  const small = samples.filter(({ op, bytes }) => bytes === sizes[op])
  if (small.length === 0) return { bins: [], sizes }
  const places = small.map(({ ns }) => stepOf(ns))
  const [first, last] = extremes(places)
  const counts = Array.from(
    { length: last - first + 1 },
    (): Partial<Record<SampleOperation, number>> => ({}),
  )
  small.forEach(({ op }, index) => {
    const bin = counts[(places[index] as number) - first] as Partial<Record<SampleOperation, number>>
    bin[op] = (bin[op] ?? 0) + 1
  })
  return {
    bins: counts.map((of, index) => ({
      fromNs: edge(first + index),
      toNs: edge(first + index + 1),
      counts: of,
    })),
    sizes,
  }
}

/** Lower end of the n-th step. */
function edge(step: number): number {
  const decade = Math.floor(step / STEPS_OF_DECADE.length)
  return Math.round((STEPS_OF_DECADE[step - decade * STEPS_OF_DECADE.length] as number) * 10 ** decade)
}

function stepOf(ns: number): number {
  const value = Math.max(1, ns)
  let step = Math.floor(Math.log10(value)) * STEPS_OF_DECADE.length
  while (edge(step + 1) <= value) step += 1
  return step
}

/**
 * The middle of the reading rates of a device's plausible, whole runs; what was marked is counted,
 * never averaged.
 */
export function typicalRead(
  list: readonly MeasurementListItem[],
  deviceKey: string,
): { readonly rate: number | null; readonly runs: number; readonly leftOut: number } {
  const own = list.filter((item) => item.deviceKey === deviceKey)
  const rates = own
    .filter(({ plausible, partial }) => plausible && !partial)
    .flatMap(({ readBytesPerSecond }) => readBytesPerSecond ?? [])
    .sort((one, other) => one - other)
  const half = Math.floor(rates.length / 2)
  const middle =
    rates.length % 2 === 1 ? rates[half] : ((rates[half - 1] as number) + (rates[half] as number)) / 2
  return {
    rate: rates.length === 0 ? null : (middle as number),
    runs: rates.length,
    leftOut: own.filter(({ plausible, partial }) => !plausible || partial).length,
  }
}

/** Which sentence describes the result of the cache proof. */
export function proofVerdict({
  cache,
}: Pick<MeasurementDocument, 'cache'>):
  | 'counters'
  | 'noCounters'
  | 'rates'
  | 'against'
  | 'suspects'
  | 'unproved' {
  const { plausible, evidence, obtained } = cache
  if (evidence.some(({ holds }) => !holds)) return 'against'
  const has = (...codes: readonly string[]): boolean => evidence.some(({ code }) => codes.includes(code))
  // Where others used the device too its counters prove little, and the comparison with the cache decides.
  if (plausible && has('cachedRate')) return 'rates'
  if (plausible) return has('deviceReads', 'deviceWrites') ? 'counters' : 'noCounters'
  return obtained === 'uncached' && evidence.length > 0 ? 'suspects' : 'unproved'
}

/** True when a figure has a range: while a measurement runs it has none. */
export function hasRange({ low, high }: Estimate): boolean {
  return high > low
}

function extremes(values: readonly number[]): [number, number] {
  return values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
}
