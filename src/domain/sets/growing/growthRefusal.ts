import { said } from '../../../primitives/said'
import { formOfPlan, type PackedForm } from '../packedForm'
import type { PlanDocument } from '../planDocument'

/** How the files of a plan are packed. */
export interface GrowingForm {
  /** Null for a recipe of another version. */
  readonly form: PackedForm | null
  readonly encryption: string
  readonly isJoined: boolean
}

/**
 * The reason why nothing can be added to a plan that is packed like that; null if there is none.
 */
export function growthRefusal({ form, encryption, isJoined }: GrowingForm): string | null {
  if (encryption !== 'none') return said`its files are encrypted`
  if (isJoined) return said`one archive is cut over all its volumes`
  if (form?.kind === 'repository') return said`its files are in a repository`
  if (form?.kind === 'macImage') return said`its files are in a disk image that a Mac makes`
  if (form === null) return said`this version does not know how its files are packed`
  return null
}

/** The same of a plan; null for plain files too. */
export function planGrowthRefusal(plan: Pick<PlanDocument, 'packing' | 'medium'>): string | null {
  if (!plan.packing) return null
  const { encryption, arrangement } = plan.packing
  return growthRefusal({ form: formOfPlan(plan), encryption, isJoined: arrangement === 'joined' })
}
