import type { Option } from '../../../../src/contract/dto/options'
import type { Medium, PlanDocument } from '../../../../src/contract/dto/plan'
import type { CopyKey } from '../../copy'
import { chosenMedium } from './ownSize'

/** How many discs of a plan may be lost: as many parity discs. */
export const PARITY_DISCS = [0, 1, 2] as const
export type ParityDiscs = (typeof PARITY_DISCS)[number]

/** The settings of a plan that decide on its parity discs. */
interface ParitySettings {
  readonly media: readonly Medium[]
  readonly mediumId: string
  readonly packing: { readonly form: Option['plan']['form'] } | null
  readonly parityDiscs: ParityDiscs
}

/** The reason why there can be no parity discs; null where there can. */
export function parityRefusal({
  media,
  mediumId,
  packing,
}: Omit<ParitySettings, 'parityDiscs'>): CopyKey | null {
  if (chosenMedium(media, mediumId)?.isImage !== true) return 'parity.folders'
  return packing === null || packing.form === 'plain' ? null : 'parity.packed'
}

/** The parity discs that the next plan asks for. */
export function parityAsked(settings: ParitySettings): ParityDiscs {
  return parityRefusal(settings) === null ? settings.parityDiscs : 0
}

/** The choice that a plan was made with; what is chosen stays where a plan could have none. */
export function parityChosen(
  { medium, packing, protectSet }: PlanDocument,
  chosen: ParityDiscs,
): ParityDiscs {
  return medium.kind !== 'image' || packing ? chosen : (protectSet ?? 0)
}
