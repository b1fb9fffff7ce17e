/**
 * The room `look` estimates from names, sizes and a small sample what a survey would find.
 * How: units are drawn while names are listed (`unitDraw`), files of equal size are compared
 * (`sizeClasses`, `identicalFiles`), and the document says of each figure where it is from.
 * Not here: reading (`src/engine/look`), codecs' estimates (`statistics`, `forecast`).
 */

import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  estimateSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
} from '../scalars'
import { excludedSchema, rulesDocumentSchema } from '../survey/rules/rules'
import { skippedSchema, surveyDocumentSchema } from '../survey/surveyDocument'

const LOOK_SCHEMA = 'stowage.look/1'

/** Why no more was read: nothing was left, the limit of bytes or of time, or a person ended it. */
const lookEndSchema = z.enum(['all', 'bytes', 'time', 'cancelled'])
export type LookEnd = z.infer<typeof lookEndSchema>

/** The sample that was read, of the bytes of the source. */
const lookSampleSchema = z.object({
  /** Units of up to 256 KiB, and their bytes. */
  units: countSchema,
  bytes: bytesSchema,
  /** All that was read for the look: units with the bytes before them, and compared files. */
  readBytes: bytesSchema,
  /** Units that could not be read as they were listed: changed, removed or not readable. */
  unreadable: countSchema,
  end: lookEndSchema,
})

/**
 * Files of equal size, of which some were compared: length, and up to 64 KiB at the beginning, in
 * the middle and at the end. Bytes that storing identical files once would save; `most` if all
 * files of equal size were identical, which is exact.
 */
const lookIdenticalSchema = z.object({
  saved: estimateSchema,
  most: bytesSchema,
  /** Files that have the size of another one, and the sizes that they have. */
  files: countSchema,
  sizes: countSchema,
  comparedFiles: countSchema,
  comparedSizes: countSchema,
})
export type LookIdentical = z.infer<typeof lookIdenticalSchema>

/** The kinds of savings that no sample tells. */
export const ONLY_SURVEY = ['blocks', 'chunks', 'solid'] as const

/**
 * A preliminary estimate of a source, as `stowage look --json` prints it: never a survey. Counts
 * and sizes come from names and are exact for what the walk met; forecasts are modelled from the
 * sample. Sizes in bytes, times in milliseconds.
 */
export const lookDocumentSchema = z.object({
  schema: z.literal(LOOK_SCHEMA),
  /** That of the walk. */
  id: idSchema,
  createdWallMs: wallMsSchema,
  roots: z.array(pathSchema),
  rules: rulesDocumentSchema,
  excluded: excludedSchema.nullable(),
  ...surveyDocumentSchema.pick({ totals: true, types: true, sizeHistogram: true }).shape,
  /** Each file by itself and in records, as in a survey. Empty until something was read. */
  compression: surveyDocumentSchema.shape.compression,
  /** Null until files were compared. */
  identical: lookIdenticalSchema.nullable(),
  sample: lookSampleSchema,
  onlySurvey: z.array(z.enum(ONLY_SURVEY)),
  /** How long a survey of the source would take. */
  surveySeconds: estimateSchema,
  skipped: z.array(skippedSchema),
  timing: z.object({ walkMs: durationMsSchema, lookMs: durationMsSchema }),
})
export type LookDocument = z.infer<typeof lookDocumentSchema>
