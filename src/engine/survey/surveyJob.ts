import { basename } from 'node:path'
import type { SurveyDocument, SurveyRequest } from '../../contract/dto/survey'
import { readingReason } from '../../domain/survey/readingReason'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import type { Catalog, SurveyWriter } from '../catalog/catalog'
import type { Job, JobContext, JobResult } from '../jobs/jobContext'
import { type Earlier, findEarlier, loadKnownFiles } from './earlierSurvey'
import type { PassEnd } from './followPass'
import type { SketchFolder } from './sketchFolder'
import { pruneSketches } from './sketchPruning'
import { levelFigures, readFigures } from './surveyFigures'
import { surveyForecasts } from './surveyForecasts'
import { type SurveyPass, startSurveyPass } from './surveyPass'
import { surveyRoots } from './surveyRoots'
import { asBefore, isUnchanged, unitedFigures } from './unitedFigures'

/** What a survey works with. */
export interface SurveyTools {
  readonly catalog: Catalog
  readonly sketches: SketchFolder
  readonly newId: () => string
  /** How often a long pass is made safe against the end of the process. */
  readonly checkpointMs: number
}

/**
 * Reads the sources once and stores the survey; files that an earlier survey of the same sources knows and that have not
 * changed are not read. Returns its id; a cancelled survey that has read something is kept, marked partial. Unreadable things
 * are recorded, never fatal.
 */
export function surveyJob(request: SurveyRequest, tools: SurveyTools): Job {
  const [first = ''] = request.paths
  const more = request.paths.length > 1 ? ` and ${request.paths.length - 1} more` : ''
  return {
    kind: 'survey',
    title: `Survey of ${pathForDisplay(basename(first) || first)}${more}`,
    run: (context) => survey(request, tools, context),
  }
}

async function survey(request: SurveyRequest, tools: SurveyTools, context: JobContext): Promise<JobResult> {
  const { catalog, sketches } = tools
  const startedMs = context.clock.monotonicMs()
  const createdWallMs = context.clock.wallMs()
  const roots = await surveyRoots(request.paths)
  // What a survey that was cancelled a moment ago still brings to the disk can be built on.
  await sketches.settled()
  const { earlier, notTrusted } = findEarlier(catalog, sketches, roots, request)
  const known = earlier && (await loadKnownFiles(catalog, earlier, context.signal))
  const surveyId = tools.newId()
  const writer = catalog.beginSurvey(surveyId, earlier?.document.id)
  const setting = { ...tools, request, surveyId, createdWallMs, startedMs, roots, earlier, notTrusted, known }
  try {
    const pass = startSurveyPass({ ...setting, writer }, context)
    const end = await pass.follow()
    const wallMs = (): number => context.clock.monotonicMs() - startedMs
    const found = withEnd(pass.documentNow(), end)
    if (end.cancelled) return keepCancelled(found, end, pass, earlier, writer, sketches)
    const counts = pass.ledger.counts()
    const ofRead = levelFigures(levelsOf(pass), found.duplicateFiles.bytes, pass.figures)
    // Saving the sketch lasts; where everything was read, nothing that it knows is waited for.
    if (!earlier) context.live(readFigures({ ...found, ...ofRead }))
    const union = await saveSketch(pass, writer, end.entries, earlier !== null)
    if (found.totals.hardLinks > 0) found.totals.hardLinkedBytes = writer.linkNames()
    const whole = {
      ...found,
      partial: false,
      timing: { ...found.timing, passMs: wallMs(), wallMs: wallMs() },
    }
    if (earlier && isUnchanged(earlier.document, whole, counts)) {
      writer.finish(asBefore(whole, earlier.document, pass.resampled === null))
    } else if (earlier && union) {
      writer.finish(unitedFigures(whole, union, earlier.document, counts))
    } else {
      writer.finish({ ...whole, ...ofRead })
    }
    const document = catalog.survey(surveyId)
    context.live(readFigures(document))
    await pruneSketches(catalog, sketches, roots)
    await pass.native.freeTables()
    // The survey is in the catalog by now: whatever happens to the forecasts, it is kept.
    const sharpen = (more: Partial<SurveyDocument>): void =>
      writer.finish({ ...document, ...more, timing: { ...document.timing, wallMs: wallMs() } })
    return await surveyForecasts(document, { pass, earlier, catalog, writer, sharpen }, context).then(
      () => surveyId,
      (thrown: unknown) => ({ kept: surveyId, error: AppError.from(thrown) }),
    )
  } catch (thrown) {
    writer.discard()
    await sketches.remove(surveyId)
    throw thrown
  }
}

/**
 * Brings the sketch to the disk. Without it the next survey reads everything again, which is no reason to lose this one; but
 * where files were trusted the figures are in it.
 */
async function saveSketch(
  pass: SurveyPass,
  writer: SurveyWriter,
  entries: number,
  isNeeded: boolean,
): ReturnType<SurveyPass['keeper']['save']> {
  try {
    const union = await pass.keeper.save()
    writer.sketched(entries)
    return union
  } catch (thrown) {
    if (isNeeded) throw thrown
    return null
  }
}

/** A cancelled survey is told of at once; its sketch, which the next one builds on, and what follows from it come after. */
function keepCancelled(
  found: SurveyDocument,
  end: PassEnd,
  pass: SurveyPass,
  earlier: Earlier | null,
  writer: SurveyWriter,
  sketches: SketchFolder,
): JobResult {
  const cancelled = new AppError('cancelled', 'the survey was cancelled')
  if (found.totals.files === 0) throw cancelled
  writer.finish(found)
  const later = async (): Promise<void> => {
    const union = await saveSketch(pass, writer, end.entries, false)
    const document =
      earlier && union ? unitedFigures(found, union, earlier.document, pass.ledger.counts()) : found
    if (found.totals.hardLinks > 0) found.totals.hardLinkedBytes = writer.linkNames()
    writer.finish(document)
  }
  // What fails here leaves the survey as it was told: kept, only not to be built on.
  sketches.goingOn(later().catch(() => {}))
  return { kept: found.id, error: cancelled }
}

/** With what only the end of the pass tells. Of files that were not read it does not know what they share with others. */
function withEnd(document: SurveyDocument, { peakRssBytes, reading, clonedBytes }: PassEnd): SurveyDocument {
  const { deviceKind, threads } = reading
  return {
    ...document,
    totals: { ...document.totals, clonedBytes: document.trusted ? null : clonedBytes },
    timing: {
      ...document.timing,
      peakRssBytes,
      threads,
      reading: { deviceKind, threads, because: readingReason(reading) },
    },
  }
}

function levelsOf({ native }: SurveyPass): Parameters<typeof levelFigures>[0] {
  return { blockLevels: native.blockLevels(), chunkLevels: native.chunkLevels() }
}
