import type { PlanDocument, PlanListItem } from '../../../../src/contract/dto/plan'

/** A plan that was built, with all that it adds to, as a new one adds to it. */
export interface Earlier {
  readonly planId: string
  readonly createdWallMs: number
  /** The labels of all volumes of the archive so far. */
  readonly labels: readonly string[]
  /** Packed plans do not grow. */
  readonly isPacked: boolean
}

interface Growing {
  readonly earlier: Earlier | null
  readonly anew: boolean
  readonly packing: { readonly form: string | null } | null
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

export function earlierOf({ id, createdWallMs, addsTo = [], volumes, packing }: PlanDocument): Earlier {
  const labels = [...addsTo.flatMap((plan) => plan.volumes), ...volumes].map(({ label }) => label)
  return { planId: id, createdWallMs, labels, isPacked: packing !== undefined }
}

/** True where the next plan could add to the earlier one: plain files alone grow. */
export function canGrow({ earlier, packing }: Omit<Growing, 'anew'>): boolean {
  return earlier !== null && !earlier.isPacked && (packing === null || packing.form === 'plain')
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
