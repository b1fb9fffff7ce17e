import type { ByDats, Compression, Solid, SurveyDocument } from '../../contract/dto/survey'
import { roughSolids } from '../../domain/forecast/roughForecast'
import { changeOf } from '../../domain/survey/carriedFigures'
import { GROUPINGS } from '../../domain/survey/surveyDocument'
import {
  hasForecasts,
  type SurveyForecasts,
  type SurveyParts,
  surveyDocument,
} from '../../domain/survey/surveyParts'
import type { Catalog, FileGrouping, SurveyWriter } from '../catalog/catalog'
import { ExclusiveCpu } from '../forecast/exclusiveCpu'
import { ForecastWork, type OnWork, SOLID_KINDS } from '../forecast/forecastWork'
import { LANES } from '../forecast/secondPhaseBudget'
import { SharedCores } from '../forecast/sharedCores'
import type { SolidFile } from '../forecast/solid/solidFiles'
import { forecastSolids } from '../forecast/solid/solidPhase'
import type { JobContext } from '../jobs/jobContext'
import { type Pause, pausing, slowly } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import type { Earlier } from './earlierSurvey'
import { carriedCombined, forecastAnew, forecastJoined } from './forecastPhase'
import { dedupTotals, readFigures } from './surveyFigures'
import type { SurveyPass } from './surveyPass'

/** Where forecasts come from and where they go. */
interface ForecastSetting {
  readonly pass: SurveyPass
  /** The parts of the survey as the catalog has it. */
  readonly parts: SurveyParts
  readonly earlier: Earlier | null
  readonly catalog: Catalog
  readonly writer: SurveyWriter
  /**
   * The groups that DATs make, by the ids of entries; `kept` for those of the earlier survey, null
   * for none.
   */
  readonly datGroups: ByDats<ReadonlyMap<number, number>> | 'kept' | null
  /** Takes forecasts that are ready before others. */
  onSome(forecasts: SurveyForecasts): void
  /** Takes figures that are assumed until then. */
  onRough(forecasts: SurveyForecasts): void
}

/**
 * Forecasts the sizes that codecs and solid archives reach on a stored survey. When every file was
 * read, from the pass; else from the earlier survey as far as it still applies, and from samples of
 * the files that were read now.
 * @returns the last of them
 * @throws AppError `cancelled`, `tool-failed`
 */
export async function surveyForecasts(
  setting: ForecastSetting,
  context: JobContext,
): Promise<SurveyForecasts> {
  const { pass, parts, writer, datGroups, onSome, onRough } = setting
  const document = surveyDocument(parts)
  const { samples } = parts.about
  // Trusted files are not in the pass's samples and anchors; without them the earlier survey does not count.
  const earlier = document.trusted ? setting.earlier : null
  const pause = pausing(() => throwIfAborted(context.signal))
  if (earlier) await carryOrder(document, { ...setting, earlier }, pause)
  if (!hasForecasts(samples) || document.trusted?.forecasts === 'same') return {}
  const level = samples
  const { roots } = document
  const files = earlier ? null : (pass.solidFiles()?.files ?? null)
  const work = new ForecastWork(level, files !== null)
  let solid = document.solid
  const live = (compression: Compression[]): void =>
    context.live({ surveyId: document.id, ...readFigures(document), compression, solid })
  const sources = {
    pass: pass.native,
    figures: pass.figures,
    roots,
    level,
    // How often the blocks of files that were not read occur is not known.
    dedup: earlier ? null : dedupTotals(document, pass.figures),
    phases: earlier ? 2 : 3,
    work,
  }
  const change = earlier && changeOf(earlier.document, pass.ledger.counts())
  let compression: Compression[] = []
  const onPartial = (partial: Compression[]): void => {
    compression = partial
    // One archive of everything is known of an earlier survey, or tried meanwhile.
    onRough({ compression, solid: solid.length > 0 ? solid : roughSolidsOf(document, compression) })
    live(compression)
  }
  if (earlier && change) {
    const codecs = pass.resampled
      ? await forecastAnew(sources, pass.resampled, context, onPartial)
      : await forecastJoined(sources, earlier.document, change, context, onPartial)
    return { ...codecs, combined: carriedCombined(earlier.document, change) }
  }
  if (!files) return forecastAnew(sources, pass.resampled, context, onPartial)
  const progress = new SolidProgress(work, context)
  const cores = new SharedCores(LANES, () => context.clock.monotonicMs())
  const cpu = new ExclusiveCpu(2)
  const [codecs, solids] = await sideBySide(context.signal, [
    (signal) =>
      cpu.party(async (alone) => {
        const own = { ...context, signal }
        const found = await forecastAnew({ ...sources, cores, alone }, pass.resampled, own, onPartial)
        compression = found.compression
        onSome(found)
        if (solid.length === 0) onRough({ solid: roughSolidsOf(document, compression) })
        progress.show()
        return found
      }),
    (signal) =>
      cpu.party(async (alone) => {
        const anchors = pass.native.takeAnchors()
        try {
          const found = await forecastSolids(anchors, files, roots, {
            level,
            signal,
            cores,
            alone,
            datGroups: datGroups === 'kept' ? null : datGroups,
            onWork: (...more) => progress.add(...more),
            onSolid: (some) => {
              solid = some
              onSome({ solid })
              live(compression)
            },
          })
          work.end(SOLID_KINDS)
          return found
        } finally {
          anchors.then(
            (taken) => taken.close(),
            () => undefined,
          )
        }
      }),
  ])
  const { contentOrder, pathOrder, contentGroups, packed, ...last } = solids
  writer.contentOrder(await idsOf(contentOrder, pause))
  await pause()
  writer.fileGroups('groups', { ids: await idsOf(pathOrder, pause), groups: contentGroups.groups })
  for (const { by, files: packedFiles, bytes } of packed) {
    writer.packedFiles(by, { ids: await idsOf(packedFiles, pause), bytes })
  }
  return { ...codecs, ...last }
}

/**
 * Runs two pieces of work at the same time. When one fails the other is stopped, and both have
 * ended before it throws.
 */
async function sideBySide<A, B>(
  signal: AbortSignal,
  [one, other]: readonly [(signal: AbortSignal) => Promise<A>, (signal: AbortSignal) => Promise<B>],
): Promise<[A, B]> {
  const end = new AbortController()
  const either = AbortSignal.any([signal, end.signal])
  const works = [one(either), other(either)] as const
  try {
    return await Promise.all(works)
  } catch (thrown) {
    end.abort()
    await Promise.allSettled(works)
    throw thrown
  }
}

/**
 * The last phase as the person sees it: shown once codecs are done, whose progress is shown until
 * then.
 */
class SolidProgress {
  readonly #work: ForecastWork
  readonly #context: JobContext
  #isShown = false

  constructor(work: ForecastWork, context: JobContext) {
    this.#work = work
    this.#context = context
  }

  add(...more: Parameters<OnWork>): void {
    this.#work.add(...more)
    if (this.#isShown) this.show()
  }

  show(): void {
    this.#isShown = true
    this.#context.progress({
      phase: { index: 3, count: 3, name: 'comparing' },
      filesDone: 0,
      filesTotal: null,
      bytesDone: 0,
      bytesTotal: null,
      current: null,
      work: this.#work.rows(),
    })
  }
}

function roughSolidsOf(
  { totals, duplicateFiles }: SurveyDocument,
  compression: readonly Compression[],
): Solid[] {
  const { bytes } = totals
  return roughSolids(compression, bytes, bytes > 0 ? 1 - duplicateFiles.bytes / bytes : 1)
}

/** The IDs of the files' entries in the catalog. */
async function idsOf(files: readonly SolidFile[], pause: Pause): Promise<Uint32Array> {
  const ids = new Uint32Array(files.length)
  await slowly(files, pause, (file, at) => {
    ids[at] = file.id
  })
  return ids
}

/**
 * The earlier survey's order and groups of files for the entries of this one: those that are still
 * there as they were, then those that were read now. Nothing where its forecasts of solid archives
 * no longer say anything.
 */
async function carryOrder(
  document: SurveyDocument,
  { pass, earlier, catalog, writer, datGroups }: ForecastSetting & { earlier: Earlier },
  pause: Pause,
): Promise<void> {
  const carryGroups = async (by: FileGrouping): Promise<void> => {
    const groups = catalog.fileGroupIds(earlier.document.id, by)
    await pause()
    if (groups) writer.fileGroups(by, pass.ledger.groupsCarried(groups))
  }
  if (datGroups === 'kept') {
    await carryGroups('dat')
    await carryGroups('sets')
  }
  if (document.solid.length === 0) return
  const ids = catalog.contentOrderIds(earlier.document.id)
  await pause()
  if (ids) writer.contentOrder(pass.ledger.orderCarried(ids))
  await pause()
  await carryGroups('groups')
  for (const by of GROUPINGS) {
    await pause()
    const packed = catalog.packedFiles(earlier.document.id, by)
    if (packed) writer.packedFiles(by, pass.ledger.packedCarried(packed))
  }
}
