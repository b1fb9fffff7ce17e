import type { ImageBuilder } from '../imageBuilder'
import type { PlanDocument } from '../planDocument'

/** The lists that the discs of a new plan have besides those that all plans have. */
export function discLists(plan: {
  /** Null for volumes that are folders. */
  readonly builder: ImageBuilder | null
  readonly protection: PlanDocument['protection']
  readonly protectSet: PlanDocument['protectSet']
}): Pick<PlanDocument, 'discLists'> {
  const isKept = plan.protection !== undefined || plan.protectSet !== undefined
  return plan.builder === 'own' && isKept ? { discLists: ['image'] } : {}
}
