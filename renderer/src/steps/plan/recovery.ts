import type { Option } from '../../../../src/contract/dto/options'
import {
  type Medium,
  type PlanDocument,
  type PlanVolume,
  type Protection,
  type ProtectionChoice,
  protectionOf,
} from '../../../../src/contract/dto/plan'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { chosenMedium } from './ownSize'

/** The settings of a plan that decide on its recovery data. */
interface Recoverable {
  readonly media: readonly Medium[]
  readonly mediumId: string
  readonly packing: { readonly form: Option['plan']['form'] } | null
  readonly protection: ProtectionChoice
}

/** True where recovery data can be made: on disc images that Stowage makes here. */
export function canProtect({ media, mediumId, packing }: Omit<Recoverable, 'protection'>): boolean {
  return packing?.form !== 'macImage' && chosenMedium(media, mediumId)?.isImage === true
}

/** The recovery data that the next plan asks for; undefined for none. */
export function protectionAsked(settings: Recoverable): Protection | undefined {
  return canProtect(settings) ? protectionOf(settings.protection) : undefined
}

/** The choice that a plan was made with; what is chosen stays where a plan could have none. */
export function protectionChosen(
  { medium, packing, protection }: PlanDocument,
  chosen: ProtectionChoice,
): ProtectionChoice {
  if (medium.kind !== 'image' || packing?.image) return chosen
  return protection ?? 'none'
}

/** The recovery data of a whole plan, as it is known before it is built. */
export interface PlanRecovery {
  readonly bytes: number
  /** Volumes that have some. */
  readonly volumes: number
  /** The longest scratch that each of them survives. */
  readonly scratchBytes: number
  /** Labels of those that have none. */
  readonly without: readonly string[]
}

export function recoveryOf({ volumes }: Pick<PlanDocument, 'volumes'>): PlanRecovery {
  const kept = volumes.flatMap(({ protection }) => protection ?? [])
  return {
    bytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
    volumes: kept.length,
    scratchBytes: kept.length === 0 ? 0 : Math.min(...kept.map(({ scratchBytes }) => scratchBytes)),
    without: volumes.filter(({ protection }) => protection === undefined).map(({ label }) => label),
  }
}

/** The recovery data of a disc, and the scratch that it survives, in words. */
export function recoverySizes(
  { bytes, scratchBytes }: NonNullable<PlanVolume['protection']>,
  units: Units,
): { readonly size: string; readonly scratch: string } {
  return { size: formatSize(bytes, units), scratch: formatSize(scratchBytes, units) }
}
