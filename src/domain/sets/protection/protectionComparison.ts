import { z } from 'zod'
import { mediumSchema } from '../../media/medium'
import { bytesSchema, countSchema, estimateSchema, idSchema } from '../../scalars'
import { protectionChoiceSchema } from './protectionChoice'
import type { VolumeProtection } from './volumeProtection'

export const PROTECTION_COMPARISON_SCHEMA = 'stowage.protectionComparison/1'

/** A way of protecting the discs of a plan: recovery data on each, parity discs, a second copy. */
const protectionLevelSchema = z.object({
  protection: protectionChoiceSchema,
  parityDiscs: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  copies: z.union([z.literal(1), z.literal(2)]),
})
export type ProtectionLevel = z.infer<typeof protectionLevelSchema>

/** The damage that discs survive for certain. */
const survivedSchema = z.object({
  /** Damaged sectors on each disc, wherever in its files; 0 where one has no recovery data. */
  sectors: countSchema,
  /** The longest run of unreadable sectors, anywhere on each disc. */
  scratchBytes: bytesSchema,
  /** Discs that may be lost altogether. */
  discs: countSchema,
})
export type Survived = z.infer<typeof survivedSchema>

const protectionRowSchema = protectionLevelSchema.extend({
  survives: survivedSchema,
  /** Discs that have no recovery data since too little is free on them. */
  unprotectedVolumes: countSchema,
  /** All discs, with parity and copies, and their bytes. Exact: laid out as they are built. */
  volumes: countSchema,
  bytes: bytesSchema,
  /** More than without any protection. */
  extraVolumes: countSchema,
  extraBytes: bytesSchema,
  /** CPU time of recovery data and parity, and the time of writing what is more. */
  cpuSeconds: estimateSchema,
  writeSeconds: estimateSchema,
})
export type ProtectionRow = z.infer<typeof protectionRowSchema>

/** The damage that each way of protecting the discs of a source survives, and its cost. */
export const protectionComparisonSchema = z.object({
  schema: z.literal(PROTECTION_COMPARISON_SCHEMA),
  surveyId: idSchema,
  medium: mediumSchema,
  /** The recovery data that parity discs and the second copy come on top of. */
  chosen: protectionChoiceSchema,
  rows: z.array(protectionRowSchema),
  /** Ways that are not possible, with the reason. */
  refused: z.array(protectionLevelSchema.extend({ message: z.string() })),
})
export type ProtectionComparison = z.infer<typeof protectionComparisonSchema>

/** The damage that the recovery data of all volumes survives. */
export function survivedOn(
  volumes: readonly { readonly protection?: VolumeProtection | undefined }[],
): Omit<Survived, 'discs'> {
  const each = volumes.map(({ protection }) => ({
    sectors: Math.min(...(protection?.sets.map(({ recoveryBlocks }) => recoveryBlocks) ?? [0])),
    scratchBytes: protection?.scratchBytes ?? 0,
  }))
  return {
    sectors: Math.min(...each.map(({ sectors }) => sectors)),
    scratchBytes: Math.min(...each.map(({ scratchBytes }) => scratchBytes)),
  }
}

/** The ways that are compared: parity discs and a second copy come on top of what is chosen. */
export function comparedLevels(chosen: ProtectionLevel['protection']): ProtectionLevel[] {
  const usual = ['none', 5, 10, 'fill'] as const
  const alone = usual.some((one) => one === chosen) ? usual : [...usual, chosen]
  return [
    ...alone.map((protection) => ({ protection, parityDiscs: 0 as const, copies: 1 as const })),
    { protection: chosen, parityDiscs: 1, copies: 1 },
    { protection: chosen, parityDiscs: 2, copies: 1 },
    { protection: chosen, parityDiscs: 0, copies: 2 },
  ]
}
