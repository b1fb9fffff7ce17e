import type { PlanDocument } from '../../contract/dto/plan'
import type { Medium } from '../../domain/media/medium'
import { labelRanges } from '../../domain/sets/naming/labelRanges'
import { requireProtectable } from '../../domain/sets/protection/protectable'
import { requireSetProtection, type SetProtection } from '../../domain/sets/protection/setParity'
import type { Protection } from '../../domain/sets/protection/volumeProtection'
import type { PackedPlan } from '../../engine/sets/plan/packedPlan'
import { AppError } from '../../primitives/appError'
import { formatCounted } from '../../primitives/quantity'
import { formatSize } from '../shape/sizes'
import { shareOf } from './optionDemands'

interface Protected {
  readonly medium: Medium
  readonly packed: PackedPlan | null
}

/**
 * The recovery data of `--protect`; filled up without it, where there can be any.
 * @returns undefined for none
 * @throws AppError `usage`, `refused`
 */
export function protectionAsked(text: string | undefined, plan: Protected): Protection | undefined {
  const { medium, packed } = plan
  const isMadeOnMac = packed?.form.kind === 'macImage'
  if (text === undefined) return medium.kind === 'image' && !isMadeOnMac ? 'fill' : undefined
  if (text === 'none') return undefined
  requireProtectable(medium)
  if (isMadeOnMac)
    throw new AppError('refused', 'cannot protect an image that is made on a Mac; choose another option')
  if (text === 'fill') return 'fill'
  const percent = Math.round(1e4 * shareOf(text)) / 100
  if (percent >= 1 && percent <= 100) return percent
  throw new AppError('usage', '--protect takes a share from 1% to 100%, fill or none')
}

/**
 * The parity discs of `--protect-set`.
 * @returns undefined for none
 * @throws AppError `usage`, `refused`
 */
export function setProtectionAsked(
  text: string | undefined,
  {
    medium,
    packed,
    firstMedia = [],
  }: Pick<Protected, 'medium' | 'packed'> & { readonly firstMedia: readonly unknown[] | undefined },
): SetProtection | undefined {
  if (text === undefined) return undefined
  if (text !== '1' && text !== '2') throw new AppError('usage', '--protect-set takes 1 or 2')
  requireSetProtection({ mediumKind: medium.kind, isMixed: firstMedia.length > 0, isPacked: packed !== null })
  return text === '1' ? 1 : 2
}

/** `Parity: PHOTOS_P, PHOTOS_Q; …`; null for a plan without any. */
export function setProtectionText({ parity }: PlanDocument): string | null {
  if (parity === undefined) return null
  const labels = parity.map(({ label, sectors }) => `${label} (${formatSize(2048 * sectors)})`).join(' and ')
  const lost = parity.length === 1 ? 'any lost disc' : 'any two lost discs'
  return `Parity: ${labels}; ${lost} can be made again from the others.`
}

/**
 * `Recovery data: 1.9 GB; each of 6 discs survives a scratch of 94 MB.`, with the discs that have
 * none; null for a plan without any.
 */
export function protectionText({ protection, volumes, packing }: PlanDocument): string | null {
  if (protection === undefined) return null
  const kept = volumes.flatMap((volume) => volume.protection ?? [])
  const bare = volumes.filter((volume) => volume.protection === undefined).map(({ label }) => label)
  if (kept.length === 0)
    return packing
      ? 'Recovery data: decided when the discs are built.'
      : `Recovery data: none, too little is free on ${labelRanges(bare)}.`
  const bytes = kept.reduce((sum, one) => sum + one.bytes, 0)
  const scratch = formatSize(Math.min(...kept.map(({ scratchBytes }) => scratchBytes)))
  const discs = kept.length === 1 ? '1 disc' : `each of ${formatCounted(kept.length, 'disc')}`
  const others = bare.length === 0 ? '' : `; ${labelRanges(bare)} ${bare.length === 1 ? 'has' : 'have'} none`
  return `Recovery data: ${formatSize(bytes)}; ${discs} survives a scratch of ${scratch}${others}.`
}
