import type { Option, OptionEncryption } from '../../../../src/contract/dto/options'
import {
  additionRefusal,
  type PlanDocument,
  type PlanListItem,
  planGrowthRefusal,
} from '../../../../src/contract/dto/plan'

/** A plan that was built, with all that it adds to, as a new one adds to it. */
export interface Earlier {
  readonly planId: string
  readonly createdWallMs: number
  /** The labels of all volumes of the archive so far. */
  readonly labels: readonly string[]
  readonly encryption: OptionEncryption
  /** False for a plan that nothing can be added to. */
  readonly grows: boolean
}

interface Growing {
  readonly earlier: Earlier | null
  readonly anew: boolean
  readonly packing: {
    readonly form: Option['plan']['form']
    readonly encryption: OptionEncryption
    readonly joined: boolean
  } | null
}

/** The newest plan of a project of which a volume was built or written. */
export function newestBuilt(plans: readonly PlanListItem[], projectId: string): PlanListItem | undefined {
  return plans
    .filter(({ project, built, onMedia }) => project?.id === projectId && built + onMedia > 0)
    .reduce<PlanListItem | undefined>(
      (newest, plan) => (newest && newest.createdWallMs >= plan.createdWallMs ? newest : plan),
      undefined,
    )
}

export function earlierOf(plan: PlanDocument): Earlier {
  const { id, createdWallMs, addsTo = [], volumes, packing } = plan
  const labels = [...addsTo.flatMap((earlier) => earlier.volumes), ...volumes].map(({ label }) => label)
  return {
    planId: id,
    createdWallMs,
    labels,
    encryption: packing?.encryption ?? 'none',
    grows: planGrowthRefusal(plan) === null,
  }
}

/** True where the next plan could add to the earlier one. */
export function canGrow({ earlier, packing }: Omit<Growing, 'anew'>): boolean {
  if (earlier === null || !earlier.grows) return false
  const { form, encryption = 'none', joined = false } = packing ?? {}
  // Of an option that is known by its name alone the engine says what is in the way.
  const kind = form ?? 'plain'
  return additionRefusal({ form: { kind }, encryption, isJoined: joined }, earlier) === null
}

/** The ID of the plan that the next one adds to; null where it holds everything. */
export function addedTo(state: Growing): string | null {
  return state.anew || !canGrow(state) ? null : (state.earlier?.planId ?? null)
}

/** The ID of the plan that a plan adds to; null for none. */
export function addedToBy(document: PlanDocument | null): string | null {
  return document?.addsTo?.[document.addsTo.length - 1]?.planId ?? null
}

/** True when a plan adds to what is chosen. The plan that is added to is as good as it is. */
export function isGrownSo(document: PlanDocument, state: Growing): boolean {
  return (
    state.earlier === null || state.earlier.planId === document.id || addedToBy(document) === addedTo(state)
  )
}

/** True when everything is planned, as the shown plan was made. */
export function isAnew(document: PlanDocument | null, earlier: Earlier | null, chosen: boolean): boolean {
  if (document === null || earlier === null) return chosen
  return document.id !== earlier.planId && addedToBy(document) === null
}
