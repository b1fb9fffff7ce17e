import { basename } from 'node:path'
import {
  SURVEY_SCHEMA,
  type SurveyDocument,
  type SurveyLive,
  type SurveyRequest,
} from '../../contract/dto/survey'
import { CHUNKERS } from '../../domain/chunking/chunkers'
import { readingReason } from '../../domain/survey/readingReason'
import { AppError } from '../../primitives/appError'
import type { Bytes } from '../../primitives/bytes'
import { pathForDisplay } from '../../primitives/pathText'
import type { Catalog, SurveyWriter } from '../catalog/catalog'
import type { EntryKind, NewEntry } from '../catalog/entry'
import type { Job, JobContext, JobResult } from '../jobs/jobContext'
import { type EntryBatch, type NativeSurvey, startNativeSurvey } from '../native/addon'
import { codecPhase, sampleLevel } from './codecPhase'
import { sampleBytesFor } from './codecSamples'
import { type SolidFiles, solidFiles } from './solidFiles'
import { forecastSolids } from './solidPhase'
import {
  absolutePath,
  chunked,
  dedupTotals,
  type Figures,
  fixedBlocks,
  type SurveyFigures,
  surveyFigures,
} from './surveyFigures'
import { surveyRoots } from './surveyRoots'

/** Entries are taken from the pass this often: often enough that they never pile up, seldom enough to cost nothing. */
const POLL_MS = 40
/** The window's figures are renewed twice a second. */
const LIVE_MS = 500

/** Reading, codecs, solid archives. */
const PHASES = 3

const KINDS: readonly EntryKind[] = ['file', 'folder', 'symlink', 'hardLink']

/**
 * Reads the sources once and stores the survey. Returns its id; a cancelled survey that has read something is kept,
 * marked partial. Unreadable things are recorded, never fatal.
 */
export function surveyJob(request: SurveyRequest, catalog: Catalog, newId: () => string): Job {
  const [first = ''] = request.paths
  const more = request.paths.length > 1 ? ` and ${request.paths.length - 1} more` : ''
  return {
    kind: 'survey',
    title: `Survey of ${pathForDisplay(basename(first) || first)}${more}`,
    run: (context) => survey(request, catalog, newId, context),
  }
}

async function survey(
  request: SurveyRequest,
  catalog: Catalog,
  newId: () => string,
  context: JobContext,
): Promise<JobResult> {
  const startedMs = context.clock.monotonicMs()
  const createdWallMs = context.clock.wallMs()
  const roots = await surveyRoots(request.paths)
  const surveyId = newId()
  const writer = catalog.beginSurvey(surveyId)
  try {
    const figures = surveyFigures(roots)
    const level = sampleLevel(request.samples)
    const pass = startNativeSurvey({
      roots,
      blocksFrom512: request.blocksFrom512,
      sha256: request.sha256,
      chunkers: request.samples === 'quick' ? [] : CHUNKERS,
      anchors: level !== null,
      maxTableBytes: request.maxMemoryBytes,
      sampleBytes: level === null ? 0 : sampleBytesFor(level),
    })
    context.pausable(pass)
    const cancel = (): void => pass.cancel()
    context.signal.addEventListener('abort', cancel, { once: true })
    if (context.signal.aborted) cancel()
    const files = level === null ? null : solidFiles(roots)
    const end = await follow(pass, roots, writer, figures, files, context)
    context.signal.removeEventListener('abort', cancel)
    const passMs = context.clock.monotonicMs() - startedMs
    const known = figures.figures()
    const cancelled = new AppError('cancelled', 'the survey was cancelled')
    if (end.cancelled && known.totals.files === 0) throw cancelled
    known.totals.clonedBytes = end.clonedBytes
    if (known.totals.hardLinks > 0) known.totals.hardLinkedBytes = writer.linkNames()
    const document: SurveyDocument = {
      schema: SURVEY_SCHEMA,
      id: surveyId,
      createdWallMs,
      roots,
      ...known,
      fixedBlocks: fixedBlocks(pass.blockLevels(), figures),
      chunked: chunked(pass.chunkLevels(), known.duplicateFiles.bytes),
      compression: [],
      combined: [],
      solid: [],
      sha256: request.sha256,
      timing: {
        passMs,
        wallMs: context.clock.monotonicMs() - startedMs,
        peakRssBytes: end.peakRssBytes,
        threads: end.reading.threads,
        reading: {
          deviceKind: end.reading.deviceKind,
          threads: end.reading.threads,
          because: readingReason(end.reading),
        },
      },
      partial: end.cancelled,
    }
    writer.finish(document)
    if (end.cancelled) return { kept: surveyId, error: cancelled }
    if (level === null || files === null) return surveyId
    // The survey stands in the catalog by now: whatever happens to the forecasts, it is kept.
    const live = (more: Pick<SurveyLive, 'compression' | 'solid'>): void =>
      context.live({ ...liveFigures(known, document), ...more })
    const finish = (more: Partial<SurveyDocument>): SurveyDocument => {
      const wallMs = context.clock.monotonicMs() - startedMs
      const sharper = { ...document, ...more, timing: { ...document.timing, wallMs } }
      writer.finish(sharper)
      return sharper
    }
    try {
      const codecs = await codecPhase(
        pass.takeSamples(),
        figures.strata(),
        roots,
        level,
        dedupTotals(document),
        context,
        (compression) => live({ compression }),
      )
      finish(codecs)
      tellPhase(context, 3, 'comparing')
      const { solid, contentOrder } = await forecastSolids(await pass.takeAnchors(), files.files, roots, {
        level,
        signal: context.signal,
        nowMs: () => context.clock.monotonicMs(),
      })
      writer.contentOrder(Uint32Array.from(contentOrder, (file) => file.id))
      finish({ ...codecs, solid })
      live({ compression: codecs.compression, solid })
      return surveyId
    } catch (thrown) {
      return { kept: surveyId, error: AppError.from(thrown) }
    }
  } catch (thrown) {
    writer.discard()
    throw thrown
  }
}

/** Takes entries, progress and live figures from the pass until it has ended and everything is taken. */
async function follow(
  pass: NativeSurvey,
  roots: readonly string[],
  writer: SurveyWriter,
  figures: SurveyFigures,
  files: SolidFiles | null,
  context: JobContext,
): Promise<Awaited<NativeSurvey['finished']>> {
  let nextId = 0
  let liveAtMs = context.clock.monotonicMs() + LIVE_MS
  const take = (): void => {
    for (let batch = pass.takeEntries(); batch; batch = pass.takeEntries()) {
      figures.add(batch)
      files?.add(batch, nextId)
      writer.add(newEntries(batch, nextId))
      for (const [index, skip] of batch.skips) {
        writer.skip({ path: absolutePath(batch, index, roots), ...skip })
      }
      nextId += batch.count
    }
    tell(pass, context, files === null ? 1 : PHASES)
    const nowMs = context.clock.monotonicMs()
    if (nowMs >= liveAtMs) {
      const known = figures.figures()
      context.live(
        liveFigures(known, {
          fixedBlocks: fixedBlocks(pass.blockLevels(), figures),
          chunked: chunked(pass.chunkLevels(), known.duplicateFiles.bytes),
        }),
      )
      liveAtMs = nowMs + LIVE_MS
    }
  }
  let failure: unknown = null
  const timer = setInterval(() => {
    try {
      take()
    } catch (thrown) {
      // Nothing can be stored any more (a full disk, say): the pass need not go on.
      failure ??= thrown
      clearInterval(timer)
      pass.cancel()
    }
  }, POLL_MS)
  try {
    const end = await pass.finished
    if (failure !== null) throw failure
    take()
    return end
  } finally {
    clearInterval(timer)
  }
}

function liveFigures(
  { totals, types, sizeHistogram }: Figures,
  { fixedBlocks: blocks, chunked: chunks }: Pick<SurveyDocument, 'fixedBlocks' | 'chunked'>,
): Omit<SurveyLive, 'jobId'> {
  return { totals, types, sizeHistogram, fixedBlocks: blocks, chunked: chunks }
}

function tellPhase(context: JobContext, index: number, name: string): void {
  context.progress({
    phase: { index, count: PHASES, name },
    filesDone: 0,
    filesTotal: null,
    bytesDone: 0,
    bytesTotal: null,
    current: null,
  })
}

function tell(pass: NativeSurvey, context: JobContext, phases: number): void {
  const progress = pass.progress()
  context.progress({
    phase: { index: 1, count: phases, name: 'reading' },
    filesDone: progress.filesDone,
    filesTotal: progress.walkFinished ? progress.filesFound : null,
    bytesDone: progress.bytesDone,
    bytesTotal: progress.walkFinished ? progress.bytesFound : null,
    current: progress.current,
  })
}

function* newEntries(batch: EntryBatch, firstId: number): IterableIterator<NewEntry> {
  let pathStart = 0
  for (let index = 0; index < batch.count; index++) {
    const path = batch.pathBytes.subarray(pathStart, batch.pathEnds[index])
    pathStart = batch.pathEnds[index] ?? 0
    const kind = KINDS[batch.kinds[index] ?? -1]
    if (kind === undefined) continue
    const isFile = kind === 'file'
    yield {
      id: firstId + index,
      kind,
      rootIndex: batch.rootIndex[index] ?? 0,
      path,
      bytes: (batch.bytes[index] ?? 0) as Bytes,
      allocatedBytes: (batch.allocatedBytes[index] ?? 0) as Bytes,
      mtimeNs: batch.mtimeNs[index] ?? 0n,
      ctimeNs: batch.ctimeNs[index] ?? 0n,
      device: batch.device[index] ?? 0n,
      inode: batch.inode[index] ?? 0n,
      mode: batch.mode[index] ?? 0,
      digest: isFile ? batch.digests.subarray(index * 16, index * 16 + 16) : null,
      sha256: isFile && batch.sha256 ? batch.sha256.subarray(index * 32, index * 32 + 32) : null,
      linkTarget: batch.linkTargets.get(index) ?? null,
    }
  }
}
