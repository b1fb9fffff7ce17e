import { z } from 'zod'
import { bytesSchema, countSchema, idSchema, pathSchema, wallMsSchema } from '../scalars'
import { type CompleteNote, keyIdSchema, schemeSchema } from './completeNote'

export const FINGERPRINT_CHECK_SCHEMA = 'stowage.fingerprintCheck/1'

/** The fingerprints of several surveys, every part of which was read and found whole. */
export const fingerprintCheckSchema = z.object({
  schema: z.literal(FINGERPRINT_CHECK_SCHEMA),
  surveys: z.array(
    z.object({
      id: idSchema,
      folder: pathSchema,
      createdWallMs: wallMsSchema,
      files: countSchema,
      bytes: bytesSchema,
      skipped: countSchema,
      paths: z.boolean(),
      rows: countSchema,
      /** The bytes of the tables. */
      tableBytes: bytesSchema,
    }),
  ),
  /** The ID of the key that all of them have; null: none has one. */
  key: keyIdSchema,
  /** Every way of cutting that a survey has, with the smallest share of those that have it. */
  schemes: z.array(schemeSchema.extend({ surveys: countSchema, sharesDiffer: z.boolean() })),
})
export type FingerprintCheck = z.infer<typeof fingerprintCheckSchema>

/** The schemes of several surveys: tables of different shares are compared at the smaller one. */
export function unitedSchemes(notes: readonly Pick<CompleteNote, 'schemes'>[]): FingerprintCheck['schemes'] {
  const united = new Map<string, FingerprintCheck['schemes'][number]>()
  for (const scheme of notes.flatMap(({ schemes }) => schemes)) {
    const known = united.get(scheme.name)
    united.set(scheme.name, {
      ...scheme,
      shift: Math.max(scheme.shift, known?.shift ?? 0),
      surveys: (known?.surveys ?? 0) + 1,
      sharesDiffer: known !== undefined && (known.sharesDiffer || known.shift !== scheme.shift),
    })
  }
  return [...united.values()]
}
