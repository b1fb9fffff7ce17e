import { basename } from 'node:path'
import type { BandSweepRequest } from '../../../contract/dto/bands'
import type { SweepSample } from '../../../domain/devices/bands/sweepDocument'
import { LEAST_REPEATS, type SweepPlan } from '../../../domain/devices/bands/sweepPlan'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import type { Job, JobContext, JobResult } from '../../jobs/jobContext'
import { removeLeftOvers } from '../leftOvers'
import { notedFolders } from '../notedFolders'
import { planBandSweep } from './planning'
import { pointFigures, wholeRounds } from './pointFigures'
import { runSweep } from './runSweep'
import { sweepDocument } from './sweepDocument'

/** The window's figures are renewed twice a second. */
const LIVE_MS = 500

/**
 * Times containers with bands of many sizes and stores what it found. Everything that it writes
 * lies in a folder of its own, which is noted in the catalog before it is made and removed however
 * it ends. What was cancelled, or ran out of space, is kept as soon as it has three whole rounds,
 * marked partial.
 */
export function sweepJob(request: BandSweepRequest, catalog: Catalog): Job {
  return {
    kind: 'bands',
    title: `Band sweep of ${pathForDisplay(basename(request.directory) || request.directory)}`,
    run: (context) => sweep(request, catalog, context),
  }
}

async function sweep(request: BandSweepRequest, catalog: Catalog, context: JobContext): Promise<JobResult> {
  const { clock } = context
  const startedMs = clock.monotonicMs()
  const createdWallMs = clock.wallMs()
  removeLeftOvers(catalog, clock)
  const { preview, plan } = await planBandSweep(request)
  if (preview.refusal) throw AppError.fromWire(preview.refusal)
  const samples: SweepSample[] = []
  const tell = liveTeller(context, plan, samples, request.fullBytes)
  const place = {
    directory: request.directory,
    keepFreeBytes: preview.keepFreeBytes,
    requestBytes: request.requestBytes,
    seed: request.seed,
  }
  const end = await runSweep(place, plan, notedFolders(catalog, context), context, (more) => {
    samples.push(...more)
    tell()
  })
  if (end.error !== null && wholeRounds(plan, samples) < LEAST_REPEATS) throw end.error
  const id = context.newId('b')
  const elapsedMs = clock.monotonicMs() - startedMs
  const about = { id, createdWallMs, elapsedMs, request, preview, plan }
  catalog.saveSweep(sweepDocument(about, samples, end))
  if (end.error !== null) return { kept: id, error: end.error }
  if (end.notRemoved !== null)
    return {
      kept: id,
      error: new AppError('io', said`${end.notRemoved}; the next start removes it`),
    }
  return id
}

/** Tells the figures so far, at most twice a second. */
function liveTeller(
  context: JobContext,
  plan: SweepPlan,
  samples: readonly SweepSample[],
  fullBytes: number,
): () => void {
  let nextMs: number = context.clock.monotonicMs()
  return () => {
    const nowMs = context.clock.monotonicMs()
    if (nowMs < nextMs) return
    context.swept({
      points: pointFigures(plan, samples, fullBytes),
      roundsDone: wholeRounds(plan, samples),
      rounds: plan.rounds.length,
    })
    nextMs = nowMs + LIVE_MS
  }
}
