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

/**
 * The subject of a measurement in containers: one of them, or every kind, plain and encrypted with
 * this key.
 */
export const measuredInSchema = z.union([
  containerChoiceSchema,
  z.object({ kind: z.literal('all'), encryption: z.union([z.literal(128), z.literal(256)]) }),
])
export type MeasuredIn = z.infer<typeof measuredInSchema>

/** The containers that are measured, those of one kind together. */
export function containersOf(measured: MeasuredIn): ContainerChoice[] {
  const { kind, encryption } = measured
  if (kind !== 'all') return [{ kind, encryption }]
  return BAND_KINDS.flatMap((each) => [null, encryption].map((bits) => ({ kind: each, encryption: bits })))
}

/** A container that is timed, with the size of its bands; null where it has none. */
export interface ContainerFacts extends Readonly<ContainerChoice> {
  readonly bandBytes: number | null
}
