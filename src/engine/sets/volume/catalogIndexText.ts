import type { PlanDocument } from '../../../contract/dto/plan'
import type { Catalog } from '../../catalog/catalog'
import { indexTsv } from './indexTsv'
import { storedHistory } from './storedHistory'

/** The index of a plan by the catalog, without the sectors in its images. */
export function catalogIndexText(
  plan: Pick<PlanDocument, 'id' | 'volumes' | 'addsTo' | 'createdWallMs'>,
  catalog: Pick<Catalog, 'planEntries' | 'planHistory'>,
): string {
  const volumes = plan.volumes.map(({ index, label }) => {
    return { index, label, entries: [...catalog.planEntries(plan.id, index)] }
  })
  return [...indexTsv(volumes, [], undefined, storedHistory(plan, catalog))].join('')
}
