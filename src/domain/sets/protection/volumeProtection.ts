import { z } from 'zod'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Medium } from '../../media/medium'
import { bytesSchema, countSchema } from '../../scalars'
import type { ImageBuilder } from '../imageBuilder'

/**
 * The recovery data that a person wants on each disc: a share of its data in percent, or as much as
 * is free on it.
 */
export const protectionSchema = z.union([z.literal('fill'), z.number().min(1).max(100)])
export type Protection = z.infer<typeof protectionSchema>

const rangeSchema = z.object({ sector: countSchema, bytes: bytesSchema })

/** The recovery data of a volume. */
export const volumeProtectionSchema = z.object({
  /** The length of a block, in all sets. */
  blockBytes: bytesSchema,
  /** PAR2 sets, to which the files are dealt by turns in the order of their sectors. */
  sets: z.array(
    z.object({
      /** Blocks of its files. */
      blocks: countSchema,
      recoveryBlocks: countSchema,
      /** Where its two files are on the image: the description, and that with the recovery blocks. */
      description: rangeSchema,
      recovery: rangeSchema,
    }),
  ),
  /** All its files. */
  bytes: bytesSchema,
  /**
   * The longest run of unreadable sectors, anywhere on the image, that can be repaired for certain.
   */
  scratchBytes: bytesSchema,
})
export type VolumeProtection = z.infer<typeof volumeProtectionSchema>

/**
 * Refuses recovery data where none can be made.
 * @throws AppError `refused`
 */
export function requireProtectable({ kind }: Pick<Medium, 'kind'>, builder: ImageBuilder): void {
  if (kind === 'folder')
    throw new AppError(
      'refused',
      said`cannot protect folders: recovery data is made for disc images; plan without --protect, or for discs`,
    )
  if (builder !== 'own')
    throw new AppError(
      'refused',
      said`cannot protect images by xorriso: recovery data is made by Stowage's own builder; plan with --builder own`,
    )
}

/** The name of the file that describes a set, counted from 1, in Stowage's own folder. */
export function descriptionName(set: number): string {
  return `recovery-${set}.par2`
}

/** That of the file with its recovery blocks; as long for any number of them. */
export function recoveryName(set: number, recoveryBlocks: number): string {
  return `recovery-${set}.vol0+${String(recoveryBlocks).padStart(5, '0')}.par2`
}
