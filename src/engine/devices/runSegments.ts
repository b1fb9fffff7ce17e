import type { CacheFacts } from '../../domain/devices/cacheProof'
import { type PlannedStep, type RunPlan, type Segment, stepBytes } from '../../domain/devices/runPlan'
import { type Sample, sampleCollector, type TimedPart } from '../../domain/devices/sampleCollector'
import type { TestSpec } from '../../domain/devices/testSpec'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import type { JobContext } from '../jobs/jobContext'
import {
  startTimedRun,
  TIMED_PHASE,
  type TimedFile,
  type TimedOutcome,
  type TimedRun,
  type TimedSamples,
  type TimedStep,
} from '../native/timing'
import { cpuShareOfReading } from './cpuShare'
import { MeasureWork, type WorkStep } from './measureWork'
import type { RunFolders } from './notedFolders'
import { type CodecEnd, runThroughCodec } from './runThroughCodec'

/**
 * Samples and progress are taken this often: they wait in native memory, so seldom costs nothing
 * but liveliness.
 */
const POLL_MS = 100

export interface SegmentsEnd {
  readonly cache: Pick<
    CacheFacts,
    | 'obtained'
    | 'deviceReadBytes'
    | 'deviceWrittenBytes'
    | 'residentBytes'
    | 'checkedBytes'
    | 'cachedBytesPerSecond'
  > & { readonly because: string; readonly countedReadBytes: number; readonly countedWrittenBytes: number }
  readonly flushMs: number
  /**
   * CPU time over wall time while files were read, 1 for one core; null if nothing was read for
   * long enough.
   */
  readonly readingCpuShare: number | null
  /** Bytes that were compressed, and all that was written for them; absent for none. */
  readonly compressed?: Pick<CodecEnd, 'bytes' | 'storedBytes' | 'writtenBytes'>
  /** Why it ended early; null for a whole run. */
  readonly error: AppError | null
  /** Folders that could not be removed now, in words. */
  readonly notRemoved: readonly string[]
}

/**
 * Carries out a plan, a segment after another, telling samples as they are complete. Never rejects
 * for what happens to files: what was timed until then is kept. Files are removed however it ends.
 */
export async function runSegments(
  { directory, spec, keepFreeBytes }: { directory: string; spec: TestSpec; keepFreeBytes: number },
  plan: RunPlan,
  folders: RunFolders,
  context: JobContext,
  onSamples: (samples: readonly Sample[]) => void,
): Promise<SegmentsEnd> {
  const startedMs = context.clock.monotonicMs()
  const merge = mergeCaches(spec.cache)
  const cpu = cpuShareOfReading(context.clock)
  const notRemoved: string[] = []
  let current: TimedRun | null = null
  let [bytesBefore, filesBefore, flushMs] = [0, 0, 0]
  let cachedBytesPerSecond: number | null = null
  let error: AppError | null = null
  const bytesTotal =
    plan.segments.reduce((total, segment) => total + bytesMoved(segment), 0) +
    plan.compressed.reduce(
      (total, { files }) => total + 2 * files.reduce((sum, { bytes }) => sum + bytes, 0),
      0,
    )
  const work = new MeasureWork()
  for (const segment of plan.segments)
    for (const step of segment.steps) work.plan(step, bytesOf(segment, step))
  for (const { files, codec } of plan.compressed)
    for (const [file, { bytes }] of files.entries()) {
      work.plan({ kind: 'prepare', file }, bytes)
      work.plan({ kind: 'compress', file, codec }, bytes)
    }
  const cancel = (): void => current?.cancel()
  context.signal.addEventListener('abort', cancel)
  let isPaused = false
  context.pausable({
    pause() {
      isPaused = true
      current?.pause()
    },
    resume() {
      isPaused = false
      current?.resume()
    },
  })

  const tell = (
    bytesDone: number,
    file: string | null,
    step?: { readonly step: WorkStep; readonly bytes: number; readonly share: number },
  ): void =>
    context.progress({
      phase: { index: 1, count: 1, name: 'measuring' },
      filesDone: filesBefore,
      filesTotal: null,
      bytesDone: Math.min(bytesTotal, bytesBefore + bytesDone),
      bytesTotal,
      current: file,
      work: work.rows(step),
    })

  for (const segment of plan.segments) {
    if (context.signal.aborted) break
    const writes = segment.files.some(({ isForeign }) => !isForeign)
    const runFolder = writes ? folders.begin(directory) : null
    const collector = sampleCollector(segment, context.clock.monotonicMs() - startedMs)
    const run = startTimedRun({
      directory,
      runFolder,
      files: segment.files.map(nativeFile),
      steps: segment.steps.map((step) => nativeStep(step, spec)),
      cacheMode: spec.cache,
      flush: spec.flush,
      preallocate: spec.preallocate,
      minimumFreeBytes: keepFreeBytes,
    })
    current = run
    // Both may have been asked for between two segments.
    if (isPaused) run.pause()
    if (context.signal.aborted) run.cancel()
    let [stepsEnded, bytesEnded] = [0, 0]
    const take = (): void => {
      for (let batch = run.takeSamples(); batch; batch = run.takeSamples()) {
        const samples = collector.take(partsOf(batch))
        filesBefore += samples.length
        if (samples.length > 0) onSamples(samples)
      }
      const progress = run.progress()
      for (; stepsEnded < progress.stepsDone; stepsEnded++) {
        const step = segment.steps[stepsEnded] as PlannedStep
        const bytes = bytesOf(segment, step)
        bytesEnded += bytes
        work.end(step, bytes)
      }
      const step = segment.steps[stepsEnded]
      const bytes = step ? bytesOf(segment, step) : 0
      const share = bytes > 0 ? Math.min(1, Math.max(0, (progress.bytesDone - bytesEnded) / bytes)) : 0
      cpu.look(step?.kind ?? null)
      tell(progress.bytesDone, progress.current, step && { step, bytes, share })
    }
    const timer = setInterval(take, POLL_MS)
    let outcome: TimedOutcome
    try {
      outcome = await run.finished
    } finally {
      clearInterval(timer)
      current = null
    }
    take()
    bytesBefore += bytesMoved(segment)
    flushMs += collector.flushNs() / 1e6
    cachedBytesPerSecond ??= collector.cachedBytesPerSecond()
    merge.add(outcome.cache)
    if (outcome.notRemoved === null && runFolder !== null) folders.gone(runFolder)
    else if (outcome.notRemoved !== null) notRemoved.push(outcome.notRemoved)
    if (outcome.error) error = new AppError(outcome.error.code, outcome.error.message, { path: directory })
    if (error) break
  }
  context.signal.removeEventListener('abort', cancel)
  const packed = { bytes: 0, storedBytes: 0, writtenBytes: 0 }
  for (const segment of plan.compressed) {
    if (error !== null || context.signal.aborted) break
    const end = await runThroughCodec({ directory, keepFreeBytes, spec }, segment, folders, {
      context,
      startedMs,
      onSample(sample) {
        filesBefore += 1
        onSamples([sample])
      },
      onStep(step, bytes, share) {
        if (share < 1) {
          tell(bytes * share, segment.codec, { step, bytes, share })
          return
        }
        work.end(step, bytes)
        bytesBefore += bytes
        tell(0, segment.codec)
      },
    })
    packed.bytes += end.bytes
    packed.storedBytes += end.storedBytes
    packed.writtenBytes += end.writtenBytes
    merge.add({ ...cacheOf(end), obtained: spec.cache })
    if (end.notRemoved !== null) notRemoved.push(end.notRemoved)
    error = end.error
  }
  if (error === null && context.signal.aborted)
    error = new AppError('cancelled', said`the measurement was cancelled`)
  return {
    cache: { ...merge.result(), cachedBytesPerSecond },
    flushMs,
    readingCpuShare: cpu.share(),
    ...(plan.compressed.length > 0 ? { compressed: packed } : {}),
    error,
    notRemoved,
  }
}

function nativeFile({ name, isForeign, bytes, seed }: Segment['files'][number]): TimedFile {
  return isForeign ? { path: name, bytes } : { name, bytes, seed }
}

function nativeStep(step: PlannedStep, spec: TestSpec): TimedStep {
  const { requestSize: requestBytes, concurrency: depth, keepCache } = spec
  switch (step.kind) {
    case 'create':
    case 'remove':
      return { op: step.kind, file: step.file }
    case 'write':
      return { op: 'write', file: step.file, requestBytes, depth }
    case 'read':
      return { op: 'read', file: step.file, requestBytes, depth, keepCache }
    case 'cachedRead':
      return { op: 'cachedRead', file: step.file, requestBytes }
    case 'stream':
      return { op: 'stream', file: step.file, writeFile: step.writeFile, requestBytes }
    case 'rest':
      return { op: 'pause', ms: step.ms }
    default:
      return {
        op: step.kind,
        file: step.file,
        requestBytes: step.accessSize,
        depth,
        count: step.accesses,
        seed: step.seed,
      }
  }
}

function bytesMoved(segment: Segment): number {
  return segment.steps.reduce((total, step) => total + bytesOf(segment, step), 0)
}

function bytesOf({ files }: Segment, step: PlannedStep): number {
  return stepBytes(step, (file) => files[file]?.bytes ?? 0)
}

const PHASES = Object.keys(TIMED_PHASE)

/** A batch's parts in the order of time. */
function partsOf(batch: TimedSamples): TimedPart[] {
  const parts = Array.from({ length: batch.count }, (_, index) => ({
    step: batch.step[index] ?? 0,
    phase: PHASES[batch.phase[index] ?? -1] ?? '',
    bytes: batch.bytes[index] ?? 0,
    startNs: batch.startNs[index] ?? 0,
    ns: batch.ns[index] ?? 0,
  }))
  return parts.toSorted((a, b) => a.startNs - b.startNs)
}

/** The cache's part in compressing, in the form of a timed run. */
function cacheOf({ bytes, storedBytes, residentBytes, checkedBytes, device }: CodecEnd) {
  return {
    because: '',
    residentBytes,
    checkedBytes,
    device: device && {
      reading: { issuedBytes: bytes, deviceBytes: device.readBytes },
      writing: { issuedBytes: storedBytes, deviceBytes: device.writtenBytes },
    },
  }
}

interface CacheMerge {
  add(
    cache: Pick<TimedOutcome['cache'], 'obtained' | 'because' | 'residentBytes' | 'checkedBytes' | 'device'>,
  ): void
  result(): Omit<SegmentsEnd['cache'], 'cachedBytesPerSecond'>
}

/**
 * The cache's part in the segments' runs, as one: uncached only if all were, known only where all
 * know.
 */
function mergeCaches(requested: TestSpec['cache']): CacheMerge {
  let obtained: TestSpec['cache'] = requested
  let because = ''
  let resident: number | null = 0
  let checkedBytes = 0
  let counted: { read: [number, number]; written: [number, number] } | null = {
    read: [0, 0],
    written: [0, 0],
  }
  return {
    add(cache) {
      if (because === '' || (cache.obtained === 'buffered' && obtained === 'uncached'))
        because = cache.because
      if (cache.obtained === 'buffered') obtained = 'buffered'
      resident = resident === null || cache.residentBytes === null ? null : resident + cache.residentBytes
      checkedBytes += cache.checkedBytes
      if (cache.device === null || counted === null) counted = null
      else {
        const { reading, writing } = cache.device
        counted = {
          read: [counted.read[0] + reading.issuedBytes, counted.read[1] + reading.deviceBytes],
          written: [counted.written[0] + writing.issuedBytes, counted.written[1] + writing.deviceBytes],
        }
      }
    },
    result: () => ({
      obtained,
      because,
      residentBytes: resident,
      checkedBytes,
      countedReadBytes: counted?.read[0] ?? 0,
      countedWrittenBytes: counted?.written[0] ?? 0,
      deviceReadBytes: counted === null ? null : counted.read[1],
      deviceWrittenBytes: counted === null ? null : counted.written[1],
    }),
  }
}
