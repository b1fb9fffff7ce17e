/**
 * The room `devices` measures disks, and containers on them.
 * How: a test becomes steps (`src/domain/devices`), the native core carries them out, and samples,
 * proof that the device answered and figures become a document.
 * Not here: timing itself (`native/src/core/timing`), statistics (`src/domain/statistics`).
 */

import { basename } from 'node:path'
import type { BandSweepRequest } from '../../contract/dto/bands'
import type { DevicePreview, MeasureRequest } from '../../contract/dto/measure'
import { pointFigures, sweepSamples, wholeRounds } from '../../domain/devices/bands/sweepFigures'
import { LEAST_REPEATS } from '../../domain/devices/bands/sweepPlan'
import type { Sample } from '../../domain/devices/sampleCollector'
import { withMarks } from '../../domain/devices/summary'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import type { Catalog } from '../catalog/catalog'
import type { Job, JobContext, JobResult } from '../jobs/jobContext'
import { planBandSweep } from './bands/planning'
import { sweepDocument } from './bands/sweepDocument'
import { removeLeftOvers } from './leftOvers'
import { liveFigures, measurementDocument } from './measurementDocument'
import { notedFolders, type RunFolders } from './notedFolders'
import { planMeasurement } from './preview'
import { runInContainer } from './runInContainer'
import { runSegments, type SegmentsEnd } from './runSegments'

/** The window's figures are renewed twice a second. */
const LIVE_MS = 500

/** A run that is planned: how it is carried out, shown and kept. */
interface PlannedRun {
  readonly preview: DevicePreview
  run(folders: RunFolders, onSamples: (samples: readonly Sample[]) => void): Promise<SegmentsEnd>
  /** Shows the figures so far; the samples from `shown` on were not shown before. */
  show(samples: readonly Sample[], shown: number): void
  /** Samples of a run that ended early are enough to be kept. */
  isEnough(samples: readonly Sample[]): boolean
  /** @returns the ID under which the catalog has it */
  keep(
    about: { readonly createdWallMs: number; readonly elapsedMs: number },
    samples: readonly Sample[],
    end: SegmentsEnd,
  ): Promise<string>
}

/**
 * Times a device as a specification says and stores what it found. Everything that it writes lies
 * in folders of its own, which are noted in the catalog before they are made and removed however it
 * ends. A measurement that was cancelled or ran out of space keeps what it has, marked partial.
 */
export function measureJob(request: MeasureRequest, catalog: Catalog): Job {
  return {
    kind: 'measure',
    title: `Measurement of ${nameOf(request)}`,
    run: (context) => timed(context, catalog, () => plannedMeasurement(request, catalog, context)),
  }
}

/**
 * Times containers with bands of many sizes: a measurement in a list of containers, round by round.
 * A sweep that was cancelled or ran out of space is kept, marked partial, once it has three whole
 * rounds.
 */
export function sweepJob(request: BandSweepRequest, catalog: Catalog): Job {
  return {
    kind: 'bands',
    title: `Band sweep of ${nameOf(request)}`,
    run: (context) => timed(context, catalog, () => plannedSweep(request, catalog, context)),
  }
}

function nameOf({ directory }: { readonly directory: string }): string {
  return pathForDisplay(basename(directory) || directory)
}

async function timed(
  context: JobContext,
  catalog: Catalog,
  planned: () => Promise<PlannedRun>,
): Promise<JobResult> {
  const { clock } = context
  const startedMs = clock.monotonicMs()
  const createdWallMs = clock.wallMs()
  context.progress({
    phase: { index: 1, count: 1, name: 'preparing' },
    filesDone: 0,
    filesTotal: null,
    bytesDone: 0,
    bytesTotal: null,
    current: null,
  })
  removeLeftOvers(catalog, clock)
  const { preview, run, show, isEnough, keep } = await planned()
  if (preview.refusal) throw AppError.fromWire(preview.refusal)
  const samples: Sample[] = []
  let shown = 0
  let nextMs = clock.monotonicMs() + LIVE_MS
  const end = await run(notedFolders(catalog, context), (more) => {
    samples.push(...more)
    const nowMs = clock.monotonicMs()
    if (nowMs < nextMs) return
    show(samples, shown)
    shown = samples.length
    nextMs = nowMs + LIVE_MS
  })
  if (end.error !== null && !isEnough(samples)) throw end.error
  const id = await keep({ createdWallMs, elapsedMs: clock.monotonicMs() - startedMs }, samples, end)
  if (end.error !== null) return { kept: id, error: end.error }
  const [stays] = end.notRemoved
  if (stays !== undefined)
    return { kept: id, error: new AppError('io', said`${stays}; the next start removes it`) }
  return id
}

async function plannedMeasurement(
  request: MeasureRequest,
  catalog: Catalog,
  context: JobContext,
): Promise<PlannedRun> {
  const { preview, plan, inContainer } = await planMeasurement(request, catalog)
  const { directory, spec, keepFreeBytes, device } = preview
  return {
    preview,
    run: (folders, onSamples) =>
      inContainer
        ? runInContainer(
            { directory, keepFreeBytes, requestBytes: spec.requestSize, doing: 'measure' },
            inContainer,
            folders,
            context,
            onSamples,
          )
        : runSegments({ directory, spec, keepFreeBytes }, plan, folders, context, onSamples),
    show(samples, shown) {
      // Samples of unlike containers have no figures in common.
      if (preview.containers !== undefined) return
      context.measured({
        samples: withMarks(thinned(samples.slice(shown)), {}),
        ...liveFigures(samples, device.linkBytesPerSecond),
      })
    },
    isEnough: (samples) => samples.length > 0,
    async keep(about, samples, end) {
      const id = context.newId('m')
      catalog.saveMeasurement(await measurementDocument({ ...about, id, preview }, samples, end))
      return id
    },
  }
}

async function plannedSweep(
  request: BandSweepRequest,
  catalog: Catalog,
  context: JobContext,
): Promise<PlannedRun> {
  const { directory, requestBytes, fullBytes } = request
  const { preview, plan } = await planBandSweep(request)
  const at = { directory, keepFreeBytes: preview.keepFreeBytes, requestBytes, doing: 'sweep band sizes' }
  return {
    preview,
    run: (folders, onSamples) => runInContainer(at, plan, folders, context, onSamples),
    show(timedSoFar) {
      const samples = sweepSamples(timedSoFar)
      context.swept({
        points: pointFigures(plan, samples, fullBytes),
        roundsDone: wholeRounds(plan, samples),
        rounds: plan.rounds.length,
      })
    },
    isEnough: (samples) => wholeRounds(plan, sweepSamples(samples)) >= LEAST_REPEATS,
    async keep(about, samples, end) {
      const id = context.newId('b')
      catalog.saveSweep(sweepDocument({ ...about, id, request, preview, plan }, samples, end))
      return id
    },
  }
}

/**
 * More than this at once no eye sees and no message should carry: accesses come by the ten
 * thousand.
 */
const MOST_LIVE_SAMPLES = 2000

/** Every so many samples, so that no more are left than a message carries. */
function thinned(samples: readonly Sample[]): readonly Sample[] {
  const step = Math.ceil(samples.length / MOST_LIVE_SAMPLES)
  return step <= 1 ? samples : samples.filter((_, index) => index % step === 0)
}
