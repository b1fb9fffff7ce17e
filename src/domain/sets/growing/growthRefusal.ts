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
export function growthRefusal({ form, isJoined }: Omit<GrowingForm, 'encryption'>): string | null {
  if (isJoined) return said`one archive is cut over all its volumes`
  if (form?.kind === 'repository') return said`its files are in a repository`
  if (form?.kind === 'macImage') return said`its files are in a disk image that a Mac makes`
  if (form === null) return said`this version does not know how its files are packed`
  return null
}

/**
 * The reason why files that are packed like that cannot be added to a plan; null if there is none.
 * @param added null for files as they are
 */
export function additionRefusal(
  added: GrowingForm | null,
  earlier: Pick<GrowingForm, 'encryption'>,
): string | null {
  // The index of an encrypted plan names everything, and its password is that of the whole archive.
  if ((added?.encryption ?? 'none') !== earlier.encryption)
    return earlier.encryption === 'none'
      ? said`the earlier files are not encrypted`
      : said`the earlier files are encrypted`
  return added && growthRefusal(added)
}

/** The reason why nothing can be added to a plan; null for plain files too. */
export function planGrowthRefusal(plan: Pick<PlanDocument, 'packing' | 'medium'>): string | null {
  if (!plan.packing) return null
  return growthRefusal({ form: formOfPlan(plan), isJoined: plan.packing.arrangement === 'joined' })
}
