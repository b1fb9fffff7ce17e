import type { PlanTimes } from '../../../contract/dto/plan'
import type { SurveyDocument } from '../../../contract/dto/survey'
import type { Medium } from '../../../domain/media/medium'
import { planTimes } from '../../../domain/sets/planTimes'
import { machinePace } from '../../options/machinePace'
import type { FactsCatalog } from '../../options/optionFacts'
import { forecastOn } from '../../options/optionForecast'
import type { PackedPlan } from './packedPlan'

/**
 * The times of a plan by the cost model of options; null for surveys that it knows too little of.
 * @param sizes of the volumes, in sectors
 */
export async function timesOfPlan(
  catalog: FactsCatalog,
  survey: SurveyDocument,
  { medium, packed, sizes }: { medium: Medium; packed: PackedPlan | null; sizes: readonly number[] },
): Promise<PlanTimes | null> {
  const pace = await machinePace()
  const on = { mediumId: medium.id, encryption: 'none' as const, pace }
  const stored = forecastOn(catalog, survey, medium.kind === 'image' ? 'iso' : 'plain', on)
  if (!stored) return null
  if (!packed) return planTimes(sizes, stored.estimate, null)
  const row = forecastOn(catalog, survey, packed.name, { ...on, encryption: packed.encryption })
  if (!row) return null
  // It is made in one go.
  if (packed.form.kind === 'macImage') return planTimes(sizes, row.estimate, null)
  const share = row.estimate.bytes.value / Math.max(1, stored.estimate.bytes.value)
  return planTimes(sizes, stored.estimate, { estimate: row.estimate, share })
}
