import { setImmediate } from 'node:timers/promises'
import type { PlanComparisonRequest } from '../../../contract/dto/plan'
import { resolveMedium } from '../../../domain/media/resolveMedium'
import { labelPrefix } from '../../../domain/sets/naming/volumeLabels'
import { lastComponent } from '../../../domain/sets/naming/volumePaths'
import { packingAlternative } from '../../../domain/sets/packing/packingAlternative'
import { packVolumes } from '../../../domain/sets/packing/packVolumes'
import { FILL_BY } from '../../../domain/sets/placement'
import { PLAN_COMPARISON_SCHEMA, type PlanComparison } from '../../../domain/sets/planComparison'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { mediaCatalogue } from '../../media/mediaCatalogue'
import { modifiedMs, sourceEntries } from '../../survey/sourceEntries'
import { laterTimes } from './laterTimes'
import { plainPacking } from './layoutVolumes'
import { placedSource, requirePlaceable } from './placedSource'
import { PlanLines } from './planLines'
import { sourceOwnership } from './sourceOwnership'

/**
 * Packs a survey's files as they are in every order, by the cost model: a plan is sized exactly,
 * and seldom takes a volume more. Reads no contents and writes nothing.
 * @throws AppError `not-found`, `refused` for a survey that was stopped early and for constraints
 *   that no order can keep, `cannot-fit`, `nothing-to-do`
 */
export async function comparePlans(
  catalog: Pick<Catalog, 'survey' | 'surveyEntries'>,
  request: PlanComparisonRequest,
): Promise<PlanComparison> {
  const { signal } = new AbortController()
  const medium = resolveMedium(mediaCatalogue, request.mediumId)
  const { order: _, labels: __, ...wishes } = request.placement ?? {}
  requirePlaceable(wishes, { medium, packed: null, recipe: '' })
  const survey = catalog.survey(request.surveyId)
  if (survey.partial)
    throw new AppError('refused', said`cannot plan from survey ${survey.id}: it was stopped early`)
  let source = sourceEntries(survey.roots, catalog.surveyEntries(survey.id))
  const { byEntry: ownership, created } = await sourceOwnership(source, signal)
  source = { ...source, ownership, created, laterTimes: await laterTimes(source, signal) }
  const options = plainPacking({
    source,
    medium,
    lines: new PlanLines(source),
    labelPrefix: request.labelPrefix ?? labelPrefix(lastComponent(survey.roots[0] ?? '')),
    placement: wishes,
    protection: request.protection,
  })
  const dateOf = (index: number): number => modifiedMs(source, index)
  const alternatives: PlanComparison['alternatives'] = []
  const refused: PlanComparison['refused'] = []
  let lowerBoundVolumes = 0
  let failure: AppError | null = null
  for (const order of FILL_BY) {
    // Others ask the engine too.
    await setImmediate()
    const { placing } = placedSource({ ...wishes, order }, source)
    try {
      const packing = packVolumes(source.items, { ...options, ...(placing && { placement: placing }) })
      lowerBoundVolumes = packing.lowerBoundVolumes
      alternatives.push(packingAlternative(order, packing, source.items, options, dateOf))
    } catch (thrown) {
      const error = AppError.from(thrown)
      if (error.code !== 'refused' && error.code !== 'cannot-fit') throw thrown
      failure ??= error
      refused.push({ order, message: error.message })
    }
  }
  if (failure !== null && alternatives.length === 0) throw failure
  if (alternatives.every(({ volumes }) => volumes === 0))
    throw new AppError('nothing-to-do', said`the source has no files to plan`)
  return {
    schema: PLAN_COMPARISON_SCHEMA,
    surveyId: survey.id,
    medium,
    ...(Object.keys(wishes).length === 0 ? {} : { placement: wishes }),
    lowerBoundVolumes,
    alternatives,
    refused,
  }
}
