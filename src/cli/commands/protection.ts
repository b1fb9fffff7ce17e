import type { PlanDocument } from '../../contract/dto/plan'
import type { Medium } from '../../domain/media/medium'
import { type ImageBuilder, USUAL_BUILDER } from '../../domain/sets/imageBuilder'
import { requireProtectable } from '../../domain/sets/protection/protectable'
import type { Protection } from '../../domain/sets/protection/volumeProtection'
import type { PackedPlan } from '../../engine/sets/plan/packedPlan'
import { AppError } from '../../primitives/appError'
import { formatCounted } from '../../primitives/quantity'
import { formatSize } from '../shape/sizes'
import { shareOf } from './optionDemands'

interface Protected {
  readonly medium: Medium
  readonly builder: ImageBuilder | undefined
  readonly packed: PackedPlan | null
}

/**
 * The recovery data of `--protect`; filled up without it, where there can be any.
 * @returns undefined for none
 * @throws AppError `usage`, `refused`
 */
export function protectionAsked(text: string | undefined, plan: Protected): Protection | undefined {
  const { medium, builder = USUAL_BUILDER, packed } = plan
  const isMadeOnMac = packed?.form.kind === 'macImage'
  if (text === undefined)
    return medium.kind === 'image' && builder === 'own' && !isMadeOnMac ? 'fill' : undefined
  if (text === 'none') return undefined
  requireProtectable(medium, builder)
  if (isMadeOnMac)
    throw new AppError('refused', 'cannot protect an image that is made on a Mac; choose another option')
  if (text === 'fill') return 'fill'
  const percent = Math.round(1e4 * shareOf(text)) / 100
  if (percent >= 1 && percent <= 100) return percent
  throw new AppError('usage', '--protect takes a share from 1% to 100%, fill or none')
}

/** `Recovery data: 1.9 GB on 2 discs; …`; null for a plan without any. */
export function protectionText({ protection, volumes, packing }: PlanDocument): string | null {
  if (protection === undefined) return null
  const kept = volumes.flatMap((volume) => volume.protection ?? [])
  if (kept.length === 0)
    return packing ? 'Recovery data: settled when the discs are built.' : 'Recovery data: none.'
  const bytes = kept.reduce((sum, one) => sum + one.bytes, 0)
  const scratch = Math.min(...kept.map(({ scratchBytes }) => scratchBytes))
  const on = `${formatSize(bytes)} on ${formatCounted(kept.length, 'disc')}`
  return `Recovery data: ${on}; a scratch of up to ${formatSize(scratch)} anywhere on one can be repaired.`
}
