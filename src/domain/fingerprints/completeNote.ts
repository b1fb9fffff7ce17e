import { z } from 'zod'
import { bytesSchema, countSchema, idSchema, wallMsSchema } from '../scalars'
import { MOST_SHIFT } from './schemes'

/** The version of the tables; a reader refuses any other. */
export const FINGERPRINT_FORMAT = 1
export const COMPLETE_NAME = '_COMPLETE.json'
/** The keys of Parquet's own metadata under which each part describes itself. */
export const FOOTER_KEY = 'stowage.fingerprints'

export const hexSchema = (digits: number): z.ZodString =>
  z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))
/** Null: hashes are as they are. Else 16 digits by which a key is known. */
export const keyIdSchema = hexSchema(16).nullable()
const shiftSchema = z.int().min(0).max(MOST_SHIFT)

export const schemeSchema = z.object({
  name: z.string().regex(/^[a-z0-9-]{1,40}$/),
  table: z.enum(['blocks', 'chunks']),
  nominalBytes: bytesSchema,
  /** The share kept is 2^-shift. */
  shift: shiftSchema,
})

export const partSchema = z.object({
  /** Below the survey's folder, with `/`. */
  name: z.string().regex(/^table=[a-z]+\/(?:scheme=[a-z0-9-]+\/)?part-\d+\.parquet$/),
  bytes: bytesSchema,
  rows: countSchema,
  sha256: hexSchema(64),
})

/** `_COMPLETE.json`, which is written last: the parts that belong together. */
export const completeNoteSchema = z.object({
  schema: z.literal('stowage.fingerprints/1'),
  format: z.literal(FINGERPRINT_FORMAT),
  survey: idSchema,
  createdWallMs: wallMsSchema,
  hash: z.literal('xxh3-128.high'),
  key: keyIdSchema,
  schemes: z.array(schemeSchema),
  /** The share 2^-shift of whole files that is kept; absent: all are. */
  contentsShift: shiftSchema.optional(),
  /** False: the table of files has neither paths nor times. */
  paths: z.boolean(),
  /**
   * The survey from whose fingerprints the rows of unchanged files are, and how many of its files
   * are unchanged or not; null: every file was read.
   */
  carried: z.object({ survey: idSchema, unchanged: countSchema, others: countSchema }).nullable(),
  totals: z.object({ files: countSchema, bytes: bytesSchema, skipped: countSchema }),
  parts: z.array(partSchema),
})
export type CompleteNote = z.infer<typeof completeNoteSchema>
export type FingerprintPart = z.infer<typeof partSchema>
