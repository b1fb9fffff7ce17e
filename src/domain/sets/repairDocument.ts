import { z } from 'zod'
import { bytesSchema, countSchema, durationMsSchema, idSchema, pathSchema, wallMsSchema } from '../scalars'

export const REPAIR_SCHEMA = 'stowage.repair/1'

/** An image made from a damaged volume; every file on it was read back and is right. */
export const repairDocumentSchema = z.object({
  schema: z.literal(REPAIR_SCHEMA),
  id: idSchema,
  /** The damaged image or disc, and the image made from it. */
  path: pathSchema,
  image: pathSchema,
  label: z.string(),
  /** Its number in its set. */
  index: countSchema,
  setId: z.string().nullable(),
  startedWallMs: wallMsSchema,
  elapsedMs: durationMsSchema,
  bytes: bytesSchema,
  /** All files on it, Stowage's own among them. */
  files: countSchema,
  /** Paths of files that recovery data gave back. */
  repaired: z.array(pathSchema),
  /**
   * Paths of damaged files that were made again: PAR2 files, and names of contents that are
   * undamaged under another name.
   */
  remade: z.array(pathSchema),
  /**
   * False where some of its bytes are not those that it was made with, so that parity does not fit
   * it: `notes` say why.
   */
  isAsMade: z.boolean(),
  notes: z.array(z.string()),
})
export type RepairDocument = z.infer<typeof repairDocumentSchema>
