import { z } from 'zod'
import { bytesSchema, countSchema } from '../../scalars'

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
      /** The places of its two files: the description, and that with the recovery blocks. */
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

/** The name of the file that describes a set, counted from 1, in Stowage's own folder. */
export function descriptionName(set: number): string {
  return `recovery-${set}.par2`
}

/** That of the file with its recovery blocks; as long for any number of them. */
export function recoveryName(set: number, recoveryBlocks: number): string {
  return `recovery-${set}.vol0+${String(recoveryBlocks).padStart(5, '0')}.par2`
}

/** The recovery blocks in a file of that name; null for other names. */
export function blocksNamed(name: string): number | null {
  const [, blocks] = /^recovery-\d+\.vol0\+(\d+)\.par2$/.exec(name) ?? []
  return blocks === undefined ? null : Number(blocks)
}
