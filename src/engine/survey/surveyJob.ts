import { basename } from 'node:path'
import type { Compression, SurveyDocument, SurveyRequest } from '../../contract/dto/survey'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import type { Catalog, SurveyWriter } from '../catalog/catalog'
import type { Job, JobContext, JobResult } from '../jobs/jobContext'
import { sampleLevel } from './codecPhase'
import { type Earlier, findEarlier, loadKnownFiles } from './earlierSurvey'
import type { PassEnd } from './followPass'
import { carriedSolid, forecastAnew, forecastJoined } from './forecastPhase'
import type { SketchFolder } from './sketchFolder'
import { levelFigures } from './surveyFigures'
import { type SurveyPass, startSurveyPass } from './surveyPass'
import { surveyRoots } from './surveyRoots'
import { changeOf, isUnchanged, unitedFigures } from './unitedFigures'

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
    const found = withTiming(pass.documentNow(), end)
    if (end.cancelled) return keepCancelled(found, end, pass, earlier, writer, sketches)
    const union = await saveSketch(pass, writer, end.entries, earlier !== null)
    if (found.totals.hardLinks > 0) found.totals.hardLinkedBytes = writer.linkNames()
    const counts = pass.ledger.counts()
    const whole = {
      ...found,
      partial: false,
      timing: { ...found.timing, passMs: wallMs(), wallMs: wallMs() },
    }
    if (earlier && isUnchanged(earlier.document, whole, counts)) {
      writer.finish(asBefore(whole, earlier.document, pass))
    } else if (earlier && union) {
      const united = unitedFigures(whole, union, earlier.document, counts)
      writer.finish({ ...united, solid: carriedSolid(earlier.document, changeOf(earlier.document, counts)) })
    } else {
      writer.finish({ ...whole, ...levelFigures(levelsOf(pass), whole.duplicateFiles.bytes) })
    }
    // The survey stands in the catalog by now: whatever happens to the forecasts, it is kept.
    const document = catalog.survey(surveyId)
    return await forecasts(document, pass, earlier, roots, context).then(
      (compression) => {
        if (compression)
          writer.finish({ ...document, compression, timing: { ...document.timing, wallMs: wallMs() } })
        return surveyId
      },
      (thrown: unknown) => ({ kept: surveyId, error: AppError.from(thrown) }),
    )
  } catch (thrown) {
    writer.discard()
    await sketches.remove(surveyId)
    throw thrown
  }
}

/** What codecs make of it; null where nothing is asked for, or where the earlier survey's forecasts have been taken over. */
async function forecasts(
  document: SurveyDocument,
  pass: SurveyPass,
  earlier: Earlier | null,
  roots: readonly string[],
  context: JobContext,
): Promise<Compression[] | null> {
  const level = document.samples === undefined ? null : sampleLevel(document.samples)
  if (level === null || document.trusted?.forecasts === 'same') return null
  const { totals, types, sizeHistogram, fixedBlocks, chunked, solid } = document
  const onPartial = (compression: Compression[]): void =>
    context.live({ totals, types, sizeHistogram, fixedBlocks, chunked, solid, compression })
  const sources = { pass: pass.native, figures: pass.figures, roots, level }
  if (!earlier || pass.resampled) return forecastAnew(sources, pass.resampled, context, onPartial)
  const change = changeOf(earlier.document, pass.ledger.counts())
  return forecastJoined(sources, earlier.document, change, context, onPartial)
}

/** Nothing has changed: the figures are the earlier ones, to the last byte. */
function asBefore(document: SurveyDocument, earlier: SurveyDocument, pass: SurveyPass): SurveyDocument {
  const { fixedBlocks, chunked, solid } = earlier
  const isAsked = document.samples !== undefined && sampleLevel(document.samples) !== null
  const isSame = isAsked && pass.resampled === null
  return {
    ...document,
    fixedBlocks,
    chunked,
    solid,
    compression: isSame ? earlier.compression : [],
    trusted: document.trusted && {
      ...document.trusted,
      forecasts: pass.resampled ? 'sampled' : 'same',
    },
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

function withTiming(document: SurveyDocument, { peakRssBytes, threads }: PassEnd): SurveyDocument {
  return { ...document, timing: { ...document.timing, peakRssBytes, threads } }
}

function levelsOf({ native }: SurveyPass): Parameters<typeof levelFigures>[0] {
  return { blockLevels: native.blockLevels(), chunkLevels: native.chunkLevels() }
}
