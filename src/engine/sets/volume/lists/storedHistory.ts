import type { PlanDocument } from '../../../../contract/dto/plan'
import type { Catalog } from '../../../catalog/catalog'
import { type History, historyIn } from './historyLines'

/**
 * The lines that the index of a plan of the catalog has of earlier plans; undefined for a plan that
 * adds to none.
 */
export function storedHistory(
  { id, addsTo, createdWallMs }: Pick<PlanDocument, 'id' | 'addsTo' | 'createdWallMs'>,
  catalog: Pick<Catalog, 'planHistory'>,
): History | undefined {
  if (!addsTo) return undefined
  const generation = addsTo.length + 1
  const itself = { generation, planId: id, setId: '', createdWallMs }
  return {
    generation,
    generations: [...addsTo, itself],
    lines: historyIn([...catalog.planHistory(id)].join('\n')),
  }
}
