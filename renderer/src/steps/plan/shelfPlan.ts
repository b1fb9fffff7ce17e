import type { PlanDocument } from '../../../../src/contract/dto/plan'

/** The part of a plan, or of a draft, that a shelf of discs shows. */
export type ShelfPlan = Pick<PlanDocument, 'volumes' | 'medium' | 'packing' | 'placement'>
