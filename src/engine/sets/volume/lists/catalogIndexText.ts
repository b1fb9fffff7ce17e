import type { PlanDocument } from '../../../../contract/dto/plan'
import type { Catalog } from '../../../catalog/catalog'
import { indexTsv } from './indexTsv'
import { storedHistory } from './storedHistory'

/** The index of a plan by the catalog, without the sectors in its images. */
export function catalogIndexText(
  plan: Pick<PlanDocument, 'id' | 'volumes' | 'addsTo' | 'createdWallMs' | 'indexVersion'>,
  catalog: Pick<Catalog, 'planEntries' | 'planHistory'>,
): string {
  const volumes = plan.volumes.map(({ index, label }) => {
    return { index, label, entries: [...catalog.planEntries(plan.id, index)] }
  })
  const history = storedHistory(plan, catalog)
  return [...indexTsv(volumes, { history, version: plan.indexVersion })].join('')
}
