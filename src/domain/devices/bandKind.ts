import { z } from 'zod'

/**
 * Containers that can be measured and swept, by Apple's names: sparse bundle, sparse image,
 * read-write image.
 */
export const BAND_KINDS = ['UDSB', 'UDSP', 'UDRW'] as const
export const bandKindSchema = z.enum(BAND_KINDS)
export type BandKind = z.infer<typeof bandKindSchema>

/** Bits of the AES key; null for plain. */
export const bandEncryptionSchema = z.union([z.literal(128), z.literal(256)]).nullable()
export type BandEncryption = z.infer<typeof bandEncryptionSchema>

/** A container that a measurement is made in. */
export const containerChoiceSchema = z.object({ kind: bandKindSchema, encryption: bandEncryptionSchema })
export type ContainerChoice = z.infer<typeof containerChoiceSchema>

/** A container that is timed, with the size of its bands; null where it has none. */
export interface ContainerFacts extends Readonly<ContainerChoice> {
  readonly bandBytes: number | null
}
