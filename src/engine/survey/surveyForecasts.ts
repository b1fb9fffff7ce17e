import type { Compression, Solid, SurveyDocument, SurveyLive } from '../../contract/dto/survey'
import { roughSolids } from '../../domain/forecast/roughForecast'
import { changeOf } from '../../domain/survey/carriedFigures'
import {
  hasForecasts,
  type SurveyForecasts,
  type SurveyParts,
  surveyDocument,
} from '../../domain/survey/surveyParts'
import type { Catalog, SurveyWriter } from '../catalog/catalog'
import { expectedForecastMs } from '../forecast/secondPhaseBudget'
import type { SolidFile } from '../forecast/solid/solidFiles'
import { forecastSolids, SOLID_STEPS } from '../forecast/solid/solidPhase'
import type { JobContext } from '../jobs/jobContext'
import { type Pause, pausing, slowly } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import type { Earlier } from './earlierSurvey'
import { type CodecForecasts, carriedCombined, forecastAnew, forecastJoined } from './forecastPhase'
import { dedupTotals, readFigures } from './surveyFigures'
import type { SurveyPass } from './surveyPass'

/** Where forecasts come from and where they go. */
interface ForecastSetting {
  readonly pass: SurveyPass
  /** Of the survey as the catalog has it. */
  readonly parts: SurveyParts
  readonly earlier: Earlier | null
  readonly catalog: Catalog
  readonly writer: SurveyWriter
  /** Takes forecasts that are ready before others. */
  onSome(forecasts: SurveyForecasts): void
  /** Takes what is supposed until then. */
  onRough(forecasts: SurveyForecasts): void
}

/**
 * Forecasts what codecs and one solid archive would make of a survey that is in the catalog. When everything was read it
 * follows from the pass; else from the earlier survey as far as that still says something, and from samples of what was read.
 * @returns the last of them
 * @throws AppError `cancelled`, `tool-failed`
 */
export async function surveyForecasts(
  setting: ForecastSetting,
  context: JobContext,
): Promise<SurveyForecasts> {
  const { pass, parts, writer, onSome, onRough } = setting
  const document = surveyDocument(parts)
  const { samples } = parts.about
  // Trusted files are not in the pass's samples and anchors; with none of them the earlier survey has no say.
  const earlier = document.trusted ? setting.earlier : null
  const pause = pausing(() => throwIfAborted(context.signal))
  if (earlier) await carryOrder(document, { ...setting, earlier }, pause)
  if (!hasForecasts(samples) || document.trusted?.forecasts === 'same') return {}
  const level = samples
  const { roots } = document
  const live = (more: Pick<SurveyLive, 'compression' | 'solid'>): void =>
    context.live({ surveyId: document.id, ...readFigures(document), solid: document.solid, ...more })
  const sources = {
    pass: pass.native,
    figures: pass.figures,
    roots,
    level,
    // How often the blocks of files that were not read occur is not known.
    dedup: earlier ? null : dedupTotals(document, pass.figures),
    phases: earlier ? 2 : 3,
  }
  const change = earlier && changeOf(earlier.document, pass.ledger.counts())
  const onPartial = (compression: Compression[]): void => {
    // One archive of everything is known of an earlier survey, or tried later.
    const solid = document.solid.length > 0 ? document.solid : roughSolidsOf(document, compression)
    onRough({ compression, solid })
    live({ compression })
  }
  const codecs: CodecForecasts =
    earlier && change && !pass.resampled
      ? await forecastJoined(sources, earlier.document, change, context, onPartial)
      : await forecastAnew(sources, pass.resampled, context, onPartial)
  if (earlier && change) return { ...codecs, combined: carriedCombined(earlier.document, change) }
  const files = pass.solidFiles()?.files
  if (!files) return codecs
  onSome(codecs)
  onRough({ solid: roughSolidsOf(document, codecs.compression) })
  let steps = 0
  const step = (): void =>
    context.progress({
      phase: { index: 3, count: 3, name: 'comparing' },
      filesDone: 0,
      filesTotal: null,
      bytesDone: 0,
      bytesTotal: null,
      current: null,
      part: { done: steps++, total: SOLID_STEPS },
      expected: { phaseMs: expectedForecastMs(level).solid, laterMs: 0 },
    })
  step()
  const anchors = pass.native.takeAnchors()
  const { contentOrder, pathOrder, contentGroups, ...last } = await forecastSolids(anchors, files, roots, {
    level,
    signal: context.signal,
    onStep: step,
    onSolid: (solid) => {
      onSome({ solid })
      live({ compression: codecs.compression, solid })
    },
  }).finally(() => {
    anchors.then(
      (taken) => taken.close(),
      () => undefined,
    )
  })
  writer.contentOrder(await idsOf(contentOrder, pause))
  await pause()
  writer.contentGroups({ ids: await idsOf(pathOrder, pause), groups: contentGroups.groups })
  return last
}

function roughSolidsOf(
  { totals, duplicateFiles }: SurveyDocument,
  compression: readonly Compression[],
): Solid[] {
  const { bytes } = totals
  return roughSolids(compression, bytes, bytes > 0 ? 1 - duplicateFiles.bytes / bytes : 1)
}

/** Of the files' entries in the catalog. */
async function idsOf(files: readonly SolidFile[], pause: Pause): Promise<Uint32Array> {
  const ids = new Uint32Array(files.length)
  await slowly(files, pause, (file, at) => {
    ids[at] = file.id
  })
  return ids
}

/**
 * The earlier survey's order and groups of files for the entries of this one: those that are still there as they were, then those
 * that were read now. Nothing where its forecasts of solid archives no longer say anything.
 */
async function carryOrder(
  document: SurveyDocument,
  { pass, earlier, catalog, writer }: ForecastSetting & { earlier: Earlier },
  pause: Pause,
): Promise<void> {
  if (document.solid.length === 0) return
  const ids = catalog.contentOrderIds(earlier.document.id)
  await pause()
  if (ids) writer.contentOrder(pass.ledger.orderCarried(ids))
  await pause()
  const groups = catalog.contentGroupIds(earlier.document.id)
  await pause()
  if (groups) writer.contentGroups(pass.ledger.groupsCarried(groups))
}
