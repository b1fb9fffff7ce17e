import { z } from 'zod'
import { countSchema, idSchema, pathSchema } from '../../domain/scalars'
import { copyMediumSchema, copyNumberSchema, copyPlaceSchema } from '../../domain/sets/copies/copy'

export * from '../../domain/sets/copies/copy'
export {
  type CopyHealth,
  copyHealth,
  HEALTH_KINDS,
  isLeft,
  keepingCopies,
  volumeKey,
} from '../../domain/sets/copies/copyHealth'
export * from '../../domain/sets/copies/duePlace'
export * from '../../domain/sets/copies/healthCalendar'
export * from '../../domain/sets/copies/lostCopies'
export * from '../../domain/sets/copies/placeLoss'
export * from '../../domain/sets/copies/safeDocument'

/** A person's note on a copy of a volume. */
export const copyNoteRequestSchema = z.object({
  /**
   * The label of a volume, `PLAN:LABEL` where several sets have it, or the ID of a plan for all of
   * its volumes.
   */
  of: z.string().min(1).max(100),
  /** 0: the image or folder in the plan's folder. */
  copy: countSchema.max(99),
  kind: z.enum(['place', 'lost', 'found']),
  /** Given for `place` alone. */
  place: copyPlaceSchema.nullable().default(null),
  medium: copyMediumSchema.nullable().default(null),
})
export type CopyNoteRequest = z.infer<typeof copyNoteRequestSchema>

/** Asks where a copy of these volumes of a plan was written. */
export const writtenToRequestSchema = z.object({
  planId: idSchema,
  copy: copyNumberSchema,
  /** Counted from 1. */
  volumes: z.array(countSchema.min(1)),
})
export type WrittenToRequest = z.infer<typeof writtenToRequestSchema>

/** The folder or drive that a copy was written to last, as it can be reached now. */
export const writtenToSchema = z.object({
  kind: z.enum(['folder', 'drive']),
  path: pathSchema,
  /** One line; null where it can be reached. */
  problem: z.string().nullable(),
})
export type WrittenTo = z.infer<typeof writtenToSchema>

/**
 * How far two folders are apart. `one-disk`: the loss of that disk takes both, as far as the system
 * tells its disks apart. `apart`: nothing says that they are on one disk.
 */
export const apartSchema = z.enum(['one-folder', 'one-disk', 'apart'])
export type Apart = z.infer<typeof apartSchema>

export const safeRequestSchema = z.object({
  surveyId: idSchema,
  /** The good copies that each file must be on; null for what its plans say, never fewer than 2. */
  copies: copyNumberSchema.nullable().default(null),
  /** Counts only copies that were looked at, not those that cannot be reached. */
  lookedAt: z.boolean().default(false),
  /** How many paths and rows are listed. */
  limit: z.number().int().min(1).max(1_000_000).default(10),
})
