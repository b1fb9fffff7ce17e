import type { ArchiveDocument } from '../../../../src/contract/dto/archive'
import type { Option, OptionEncryption } from '../../../../src/contract/dto/options'
import type { PlanDocument } from '../../../../src/contract/dto/plan'

/** A plan that was built, with all that it adds to, as a new one adds to it. */
export interface Earlier {
  readonly planId: string
  readonly createdWallMs: number
  /** The labels of all volumes of the archive so far. */
  readonly labels: readonly string[]
  readonly encryption: OptionEncryption
  /** One archive over all volumes, which does not grow. */
  readonly joined: boolean
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

/** The ID of the plan that the next one of an archive or a project adds to; null for none. */
export function newestMade(archives: readonly ArchiveDocument[], id: string | undefined): string | null {
  return archives.find((archive) => archive.id === id)?.sets[0]?.newestMade ?? null
}

export function earlierOf({ id, createdWallMs, addsTo = [], volumes, packing }: PlanDocument): Earlier {
  const labels = [...addsTo.flatMap((plan) => plan.volumes), ...volumes].map(({ label }) => label)
  return {
    planId: id,
    createdWallMs,
    labels,
    encryption: packing?.encryption ?? 'none',
    joined: packing?.arrangement === 'joined',
  }
}

/**
 * True where the next plan could add to the earlier one, as far as it is known here: the engine
 * says what else is in the way.
 */
export function canGrow({ earlier, packing }: Omit<Growing, 'anew'>): boolean {
  if (earlier === null || earlier.joined || earlier.encryption !== (packing?.encryption ?? 'none'))
    return false
  const { form, joined } = packing ?? { form: 'plain', joined: false }
  return !joined && form !== 'repository' && form !== 'macImage'
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
