import { basename } from 'node:path'
import type { MeasureRequest } from '../../contract/dto/measure'
import type { Sample } from '../../domain/devices/sampleCollector'
import { withMarks } from '../../domain/devices/summary'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import type { Catalog } from '../catalog/catalog'
import type { Job, JobContext, JobResult } from '../jobs/jobContext'
import { removeLeftOvers } from './leftOvers'
import { liveFigures, measurementDocument } from './measurementDocument'
import { notedFolders } from './notedFolders'
import { planMeasurement } from './preview'
import { runInContainer } from './runInContainer'
import { runSegments } from './runSegments'

/** The window's figures are renewed twice a second. */
const LIVE_MS = 500

/**
 * Times a device as a specification says and stores what it found. Everything that it writes lies
 * in folders of its own, which are noted in the catalog before they are made and removed however it
 * ends. A measurement that was cancelled or ran out of space keeps what it has, marked partial.
 */
export function measureJob(request: MeasureRequest, catalog: Catalog): Job {
  return {
    kind: 'measure',
    title: `Measurement of ${pathForDisplay(basename(request.directory) || request.directory)}`,
    run: (context) => measure(request, catalog, context),
  }
}

async function measure(request: MeasureRequest, catalog: Catalog, context: JobContext): Promise<JobResult> {
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
  const { preview, plan, inContainer } = await planMeasurement(request, catalog)
  if (preview.refusal) throw AppError.fromWire(preview.refusal)
  const samples: Sample[] = []
  const tell = liveTeller(context, samples, preview.device.linkBytesPerSecond)
  const { spec, keepFreeBytes, container } = preview
  const at = { directory: request.directory, spec, keepFreeBytes }
  const folders = notedFolders(catalog, context)
  const onSamples = (more: readonly Sample[]): void => {
    samples.push(...more)
    tell()
  }
  const end =
    container && inContainer
      ? await runInContainer({ ...at, container }, inContainer, folders, context, onSamples)
      : await runSegments(at, plan, folders, context, onSamples)
  if (end.error !== null && samples.length === 0) throw end.error
  const id = context.newId('m')
  const elapsedMs = clock.monotonicMs() - startedMs
  catalog.saveMeasurement(await measurementDocument({ id, createdWallMs, elapsedMs, preview }, samples, end))
  if (end.error !== null) return { kept: id, error: end.error }
  const [stays] = end.notRemoved
  if (stays !== undefined)
    return { kept: id, error: new AppError('io', said`${stays}; the next start removes it`) }
  return id
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

/** Tells the samples since the last time, at most twice a second. */
function liveTeller(
  context: JobContext,
  samples: readonly Sample[],
  linkBytesPerSecond: number | null,
): () => void {
  let told = 0
  let nextMs = context.clock.monotonicMs() + LIVE_MS
  return () => {
    const nowMs = context.clock.monotonicMs()
    if (nowMs < nextMs) return
    const fresh = withMarks(thinned(samples.slice(told)), {})
    told = samples.length
    context.measured({ samples: fresh, ...liveFigures(samples, linkBytesPerSecond) })
    nextMs = nowMs + LIVE_MS
  }
}
