import type { MediumKind } from '../../media/medium'
import type { PlanDocument } from '../planDocument'

/** The lists that the discs of a new plan have besides those that all plans have. */
export function discLists(plan: {
  readonly medium: { readonly kind: MediumKind }
  readonly protection: PlanDocument['protection']
  readonly protectSet: PlanDocument['protectSet']
}): Pick<PlanDocument, 'discLists'> {
  const isKept = plan.protection !== undefined || plan.protectSet !== undefined
  return plan.medium.kind === 'image' && isKept ? { discLists: ['image'] } : {}
}
