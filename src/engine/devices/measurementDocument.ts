import {
  type CacheMode,
  type CacheProof,
  type DeviceFacts,
  MEASUREMENT_SCHEMA,
  type MeasurementDocument,
  type MeasurePreview,
  type MeasureWarning,
  SAMPLE_OPERATIONS,
} from '../../contract/dto/measure'
import type { ContainerFacts } from '../../domain/devices/bandKind'
import { judgeCache, othersWorked } from '../../domain/devices/cacheProof'
import type {
  ContainerMeasurement,
  ContainerOfAll,
  ContainerState,
  NotMeasured,
  OperationFigures,
  SampleOperation,
} from '../../domain/devices/measurement'
import type { SampleMark } from '../../domain/devices/operationFigures'
import { isWriting, type Sample } from '../../domain/devices/sampleCollector'
import { type SummaryOptions, summariseOperation, testRows, withMarks } from '../../domain/devices/summary'
import { UNMEASURED_KINDS } from '../../domain/images/kinds'
import type { ContainerEnd, MeasuredContainer } from './runInContainer'
import type { SegmentsEnd } from './runSegments'

/** The pairs of a line while a measurement runs: a few milliseconds' work. */
const LIVE_PAIRS = 2000
/** Bootstraps of the ranges. */
const RESAMPLES = 1000
/**
 * One core busy for this share of the time that files were read in: the processor was the limit,
 * not the device.
 */
const CPU_BOUND_SHARE = 0.9

type FiguresByOperation = Record<SampleOperation, OperationFigures | null>

interface Summary {
  readonly figures: FiguresByOperation
  readonly marks: Partial<Record<SampleOperation, readonly (SampleMark | null)[]>>
  readonly warnings: readonly MeasureWarning[]
}

/**
 * Figures of all operations; lets others have the thread between two of them, for a bootstrap takes
 * up to a second.
 */
async function summarise(samples: readonly Sample[], options: SummaryOptions): Promise<Summary> {
  const figures = noFigures()
  const marks: Partial<Record<SampleOperation, readonly (SampleMark | null)[]>> = {}
  const warnings: MeasureWarning[] = []
  for (const op of SAMPLE_OPERATIONS) {
    await new Promise((resolve) => setImmediate(resolve))
    const found = summariseOperation(op, samples, options)
    if (found === null) continue
    figures[op] = found.figures
    marks[op] = found.marks
    warnings.push(...found.warnings)
  }
  return { figures, marks, warnings }
}

/** Figures so far, without ranges: cheap enough for twice a second. */
export function liveFigures(
  samples: readonly Sample[],
  linkBytesPerSecond: number | null,
): FiguresByOperation {
  const figures = noFigures()
  for (const op of SAMPLE_OPERATIONS) {
    const found = summariseOperation(op, samples, {
      seed: 1,
      resamples: 0,
      mostPairs: LIVE_PAIRS,
      linkBytesPerSecond,
    })
    if (found) figures[op] = found.figures
  }
  return figures
}

function noFigures(): FiguresByOperation {
  return {
    write: null,
    read: null,
    streamWrite: null,
    streamRead: null,
    randomRead: null,
    randomWrite: null,
    compress: null,
  }
}

/** The result of a measurement, as it is stored. */
export async function measurementDocument(
  about: { id: string; createdWallMs: number; elapsedMs: number; preview: MeasurePreview },
  timed: readonly Sample[],
  end: SegmentsEnd | ContainerEnd,
): Promise<MeasurementDocument> {
  const { preview } = about
  const isAll = preview.containers !== undefined
  const inContainers = 'measured' in end ? end : null
  // Samples of unlike containers have no figures in common.
  const samples = isAll ? [] : timed.toSorted((a, b) => a.startMs - b.startMs)
  const options = {
    seed: preview.spec.seed % 2 ** 32,
    resamples: RESAMPLES,
    linkBytesPerSecond: preview.device.linkBytesPerSecond,
  }
  const summary = await summarise(samples, options)
  const container = !isAll && inContainers ? await containerOf(preview, inContainers, options) : null
  const containers = isAll && inContainers ? await containersOfAll(preview, inContainers, options) : null
  const all = inContainers
    ? inContainers.measured.flatMap((each) => Object.values(each.samples).flat())
    : samples
  const { writtenBytes, readBytes } = movedBytes(all)
  const { compressed } = end
  const untimed = (inContainers?.deletedBytes ?? 0) + (compressed?.writtenBytes ?? 0)
  const moved = { writtenBytes: writtenBytes + untimed, readBytes }
  const asked = { device: preview.device, requested: preview.spec.cache }
  const figures = isAll ? liveFigures(timed, preview.device.linkBytesPerSecond) : summary.figures
  const cache = cacheProof(asked, figures, end, moved)
  return {
    schema: MEASUREMENT_SCHEMA,
    id: about.id,
    createdWallMs: about.createdWallMs,
    directory: preview.directory,
    device: preview.device,
    spec: preview.spec,
    changes: preview.changes,
    readOnly: preview.readOnly,
    cache,
    samples: withMarks(samples, summary.marks),
    ...summary.figures,
    tests: testRows(preview.spec, samples),
    warnings: [...runWarnings(cache, end), ...summary.warnings],
    ...(container ? { container } : {}),
    ...(compressed && compressed.bytes > 0
      ? { compressed: { bytes: compressed.bytes, storedBytes: compressed.storedBytes } }
      : {}),
    ...(containers ? { containers, notMeasured: notMeasured(inContainers?.notMade ?? []) } : {}),
    ...moved,
    flushMs: end.flushMs,
    elapsedMs: about.elapsedMs,
    ...howItEnded(end),
  }
}

/** A run that a person cancelled ended early, but not by an error. */
export function howItEnded({
  error,
}: Pick<SegmentsEnd, 'error'>): Pick<MeasurementDocument, 'partial' | 'error'> {
  return {
    partial: error !== null,
    error: error === null || error.code === 'cancelled' ? null : error.toWire(),
  }
}

async function containerOf(
  { container, spec }: MeasurePreview,
  { measured }: ContainerEnd,
  options: SummaryOptions,
): Promise<ContainerMeasurement | null> {
  if (container === null) return null
  const [found] = measured
  return {
    ...container,
    occupied: (found?.occupied ?? []).flatMap(occupiedOf),
    rewritten: await stateOf(spec, found?.samples.rewritten ?? [], options),
  }
}

/** One entry for each container that anything was timed in. */
async function containersOfAll(
  { spec }: MeasurePreview,
  { measured }: ContainerEnd,
  options: SummaryOptions,
): Promise<ContainerOfAll[]> {
  const all: ContainerOfAll[] = []
  for (const { container, occupied, samples } of measured) {
    const state = (name: ContainerState) => stateOf(spec, samples[name], options)
    all.push({
      ...choiceOf(container),
      occupied: occupied.flatMap((each) => {
        const { rewritten = null, deleted = null, refilled = null } = each.after
        const [bytes] = occupiedOf(each)
        return bytes ? [{ ...bytes, full: rewritten, deleted, refilled }] : []
      }),
      fresh: await state('fresh'),
      rewritten: await state('rewritten'),
      refilled: await state('refilled'),
    })
  }
  return all
}

function choiceOf({ kind, encryption, bandBytes }: ContainerFacts) {
  return { kind, encryption, bandSize: bandBytes }
}

/** Nothing of a container that was stopped before it was full for the first time. */
function occupiedOf({
  test,
  repeat,
  diskBytes,
  after,
}: MeasuredContainer['occupied'][number]): ContainerMeasurement['occupied'] {
  if (after.fresh === undefined) return []
  const rewrittenBytes = after.rewritten?.bytes ?? null
  return [{ test, repeat, diskBytes, freshBytes: after.fresh.bytes, rewrittenBytes }]
}

async function stateOf(
  spec: MeasurePreview['spec'],
  samples: readonly Sample[],
  options: SummaryOptions,
): Promise<ContainerMeasurement['rewritten']> {
  const { figures, marks } = await summarise(samples, options)
  const { write, read, randomRead, randomWrite } = figures
  return {
    samples: withMarks(samples, marks),
    tests: testRows(spec, samples),
    write,
    read,
    randomRead,
    randomWrite,
  }
}

/** Kinds that no measurement times, and containers that could not be made on this disk. */
function notMeasured(notMade: ContainerEnd['notMade']): NotMeasured[] {
  return [
    ...notMade.map(({ container, error }) => ({
      kind: container.kind,
      encryption: container.encryption,
      reason: error.message,
    })),
    ...UNMEASURED_KINDS.map(({ kind, reason }) => ({ kind, encryption: null, reason })),
  ]
}

/** The bytes that the samples of a run wrote and read altogether. */
export function movedBytes(samples: readonly Sample[]): { writtenBytes: number; readBytes: number } {
  const moved = { writtenBytes: 0, readBytes: 0 }
  for (const { op, bytes } of samples) moved[isWriting(op) ? 'writtenBytes' : 'readBytes'] += bytes
  return moved
}

/** Judges if the device itself answered; of a measurement and of a sweep. */
export function cacheProof(
  { device, requested }: { readonly device: DeviceFacts; readonly requested: CacheMode },
  { read, randomRead }: Pick<FiguresByOperation, 'read' | 'randomRead'>,
  { cache }: Pick<SegmentsEnd, 'cache'>,
  moved: { readonly writtenBytes: number; readonly readBytes: number },
): CacheProof {
  const judged = judgeCache({
    obtained: cache.obtained,
    isMemory: device.kind === 'memory',
    // The device counts for the steps that were counted: reading and writing at once cannot be separated.
    readBytes: cache.deviceReadBytes === null ? moved.readBytes : cache.countedReadBytes,
    writtenBytes: cache.deviceWrittenBytes === null ? moved.writtenBytes : cache.countedWrittenBytes,
    deviceReadBytes: cache.deviceReadBytes,
    deviceWrittenBytes: cache.deviceWrittenBytes,
    residentBytes: cache.residentBytes,
    checkedBytes: cache.checkedBytes,
    readBytesPerSecond: read?.bytesPerSecond?.value ?? null,
    cachedBytesPerSecond: cache.cachedBytesPerSecond,
    linkBytesPerSecond: device.linkBytesPerSecond,
    suspects: (read?.cacheSuspects ?? 0) + (randomRead?.cacheSuspects ?? 0),
    samples: (read?.samples ?? 0) + (randomRead?.samples ?? 0),
  })
  return {
    requested,
    obtained: cache.obtained,
    because: requested === cache.obtained ? null : cache.because,
    plausible: judged.plausible,
    evidence: judged.evidence,
  }
}

/** Warnings that concern the whole run, of a measurement or a sweep. */
export function runWarnings(proof: CacheProof, end: SegmentsEnd): MeasureWarning[] {
  const warnings: MeasureWarning[] = []
  const warn = (code: MeasureWarning['code'], figures: Record<string, number> = {}): void => {
    warnings.push({ code, op: null, figures })
  }
  const isMemory = proof.evidence.some(({ code }) => code === 'memoryFileSystem')
  if (isMemory) warn('memoryFileSystem')
  if (proof.obtained === 'buffered') warn('buffered')
  if (!proof.plausible && !isMemory) warn('cacheSuspected')
  if (end.error?.code === 'cancelled') warn('cancelled')
  if (end.error?.code === 'no-space') warn('shortOfSpace')
  const { readingCpuShare: share, cache } = end
  if (share !== null && share > CPU_BOUND_SHARE) warn('cpuBound', { share })
  const asked = cache.countedReadBytes + cache.countedWrittenBytes
  const counted = (cache.deviceReadBytes ?? 0) + (cache.deviceWrittenBytes ?? 0)
  if (othersWorked(asked, counted)) warn('othersWorking', { asked, counted })
  return warnings
}
