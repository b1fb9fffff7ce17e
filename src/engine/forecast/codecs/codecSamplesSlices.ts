import type { VisitingOrder } from '../../../domain/forecast/secondPhase'
import { extensionOf } from '../../../domain/survey/typeTable'
import type { BufferCodec } from '../../codecs/compressBuffer'
import { sevenZipPacked } from '../../codecs/sevenZipSizes'
import type { FoundTool } from '../../tools/externalTool'
import { FEWEST_SHOWN, type Progress, type Setting } from './codecSamplesFigures'
import type { Measured, SampleMeter } from './codecSamplesMeter'
import type { Target } from './codecSamplesTargets'
import type { CodecSample } from './codecSamplesUnits'

/**
 * Records that others use as covariates: more of them than this add less than the time is worth.
 */
const COVARIATE_BYTES_PER_MS = 1500
/**
 * Fewer visits give no range worth showing: targets below may overrun the budget by so much, and
 * whatever was spent, those that others use as covariates and quick records have so many and the
 * rest `FEWEST_SHOWN`. Visits are of contents.
 */
const LEAST_VISITS = 8
const OVERRUN = 1.15
/** The 19th level of zstd sees so many: with three it was up to 6 % off on a disk image. */
const LEAST_SLOW = 4
/** A slice of a target is about this much data, and for 7-Zip, which costs a process, more. */
const SLICE_BYTES = 256 * 1024
const LZMA_SLICE_BYTES = 1024 * 1024
const MOST_FILES = 400

/** CPU time, from the start. */
export interface Budget {
  readonly budgetMs: number
  /** Until then only targets that others use as covariates are visited. */
  readonly firstMs: number
}

/**
 * The target that has had least of its due, of those whose ranges are not narrow; past the budget
 * only those that know too little.
 */
export function nextTarget(
  targets: readonly Progress[],
  byKey: ReadonlyMap<string, Progress>,
  visiting: VisitingOrder,
  spentMs: number,
  { budgetMs, firstMs }: Budget,
): Progress | null {
  const units = visiting.order.length
  const visitsOf = ({ measured }: Progress): number => visiting.contents(measured.length)
  const mayRepeat = spentMs < budgetMs * OVERRUN
  /** Its covariates should have seen more: else it has no covariate. */
  const isAhead = ({ target, measured }: Progress): boolean =>
    measured.length > 0 &&
    (target.predictor?.on ?? []).some((key) => (byKey.get(key)?.measured.length ?? units) <= measured.length)
  // Preparing may take more than the budget, and count for less later, on a machine that got busier.
  const isFirstOver = spentMs >= Math.min(firstMs, budgetMs)
  const isDone = ({ target, measured, bytesRead, isNarrow }: Progress): boolean =>
    isNarrow ||
    measured.length >= units ||
    (target.recordSize !== null && bytesRead >= budgetMs * COVARIATE_BYTES_PER_MS)
  const areFirstDone = targets.every((one) => !one.target.isFirst || isDone(one))
  const open = targets.filter((one) => {
    if (one.busy || one.measured.length >= units) return false
    if (!mayRepeat && visitsOf(one) >= leastOf(one.target)) return false
    if (!one.target.isFirst && !isFirstOver && !areFirstDone) return false
    // Whole files go on: what slow codecs have had streamed already costs them nothing.
    const isEnough = isDone(one) || (isFirstOver && one.target.recordSize !== null)
    if (one.target.isFirst && isEnough && visitsOf(one) >= leastOf(one.target)) return false
    const hasLeast = visitsOf(one) >= LEAST_VISITS && one.spentMs >= one.target.leastMs
    return !hasLeast || (spentMs < budgetMs && !one.isNarrow)
  })
  // Quick records have seen enough after a fraction of a second; files may be streamed whole for one visit, and would leave them none.
  const records = open.filter(({ target }) => target.isFirst && target.recordSize !== null)
  const behind = open.filter((one) => !isAhead(one))
  const due = (one: Progress): number => one.spentMs / one.target.weight
  return ([records, behind].find(({ length }) => length > 0) ?? open).reduce<Progress | null>(
    (best, one) => (best === null || due(one) < due(best) ? one : best),
    null,
  )
}

/**
 * Visits that a target has past the budget. Records by fast codecs cost little, and others use
 * deflate's sixth level as covariate.
 */
export function leastOf({ codec, recordSize, isFirst, isCold }: Target): number {
  if (isCold) return LEAST_VISITS
  if (codec.id === 'zstd-19') return LEAST_SLOW
  const isQuickRecord = recordSize !== null && (codec.family !== 'deflate' || codec.id === 'gzip-6')
  return isFirst || isQuickRecord ? LEAST_VISITS : FEWEST_SHOWN
}

/** @returns how long packing alone took in milliseconds, where it is known */
export async function takeSlice(
  one: Progress,
  { prepared, visiting, options: { signal } }: Setting,
  meter: SampleMeter,
  tool: FoundTool | null,
  isKnown: (sample: CodecSample) => boolean,
): Promise<number | null> {
  const { codec, isCold } = one.target
  const isLzma = codec.family === 'lzma2'
  const sliceBytes = isLzma && isCold ? LZMA_SLICE_BYTES : SLICE_BYTES
  const slice: CodecSample[] = []
  let bytes = 0
  const first = one.measured.length
  let end = first
  for (; end < visiting.order.length; end++) {
    if (visiting.isRepeat(end)) continue
    if (bytes >= sliceBytes || slice.length >= MOST_FILES) break
    const sample = prepared.samples[visiting.order[end] as number] as CodecSample
    // A slice that costs nothing ends where it would.
    if (slice.length > 0 && isKnown(slice[0] as CodecSample) && !isKnown(sample)) break
    slice.push(sample)
    bytes += sample.data.length
  }
  const { found, packMs } =
    isLzma && tool
      ? await lzmaOf(one.target, slice, meter, tool, signal)
      : await measuredOf(one.target, slice, meter, signal)
  let next = 0
  // What was found of a content is true of all its units.
  for (let place = first; place < end; place++) {
    const last = one.measured.at(-1)
    const measured = visiting.isRepeat(place) && last ? { ...last, bytesRead: 0 } : found[next++]
    if (!measured) break
    one.measured.push(measured)
    one.bytesRead += measured.bytesRead
  }
  return packMs
}

/** The results for the contents of a slice, in order; fewer if it was cancelled. */
interface SliceResults {
  readonly found: readonly Measured[]
  readonly packMs: number | null
}

async function measuredOf(
  { codec, recordSize, isCold }: Target,
  slice: readonly CodecSample[],
  meter: SampleMeter,
  signal: AbortSignal | undefined,
): Promise<SliceResults> {
  const found: Measured[] = []
  for (const sample of slice) {
    if (signal?.aborted) break
    if (isCold) found.push(await meter.coldNine(sample))
    else if (recordSize === null) found.push(await meter.wholeFile(codec as BufferCodec, sample))
    else found.push(await meter.records(codec as BufferCodec, recordSize, sample))
  }
  return { found, packMs: null }
}

/**
 * Packs samples with 7-Zip that it was not given yet, and derives the sizes of parts of files from
 * that (`SampleMeter.lzma`).
 */
async function lzmaOf(
  { isCold }: Target,
  slice: readonly CodecSample[],
  meter: SampleMeter,
  tool: FoundTool,
  signal: AbortSignal | undefined,
): Promise<SliceResults> {
  const wanted = new Set(slice.filter((sample) => !meter.hasLzma(sample)))
  const inputs = Array.from(wanted, ({ data, path }) => ({ data, extension: extensionOf(path) }))
  const { sizes, seconds } = await sevenZipPacked(tool, inputs, signal)
  let next = 0
  for (const sample of wanted) meter.noteLzma(sample, sizes[next++] as number)
  const found: Measured[] = []
  for (const sample of slice) {
    if (signal?.aborted) break
    const compressedBytes = await (isCold ? meter.coldLzma(sample) : meter.lzma(sample))
    found.push({ compressedBytes, bytesRead: wanted.has(sample) ? sample.data.length : 0, records: [] })
  }
  return { found, packMs: seconds * 1000 }
}
