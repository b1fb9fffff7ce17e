import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from '../../scalars'

export const DRILL_SCHEMA = 'stowage.drill/1'

/** A restore of a random sample, which was compared and removed again. */
export const drillDocumentSchema = z.object({
  schema: z.literal(DRILL_SCHEMA),
  id: idSchema,
  startedWallMs: wallMsSchema,
  elapsedMs: durationMsSchema,
  /** `passed`: every file of the sample came back as it should be. */
  outcome: z.enum(['passed', 'failed', 'cancelled']),
  /** The same seed draws the same sample of the same volumes. */
  seed: countSchema,
  /**
   * The digests that files were compared with: of lists that the catalog proved, or, which is
   * weaker, of lists that only the volumes themselves have.
   */
  evidence: z.enum(['catalog', 'volumes']),
  /** Files of the sample, and their bytes. */
  files: countSchema,
  bytes: bytesSchema,
  /** Files that came back with their name, content, time and permissions. */
  right: countSchema,
  /** Files that did not, with the reason. */
  wrong: z.array(z.object({ path: pathSchema, label: z.string(), error: wireErrorSchema })),
  /** The volumes that the sample was restored from. */
  volumes: z.array(
    z.object({
      path: pathSchema,
      planId: idSchema.nullable(),
      volume: countSchema.min(1),
      label: z.string(),
      /** 0 for the image or folder in the folder of its plan; null where it is not known. */
      copy: countSchema.nullable(),
      place: z.string().nullable(),
      /** Files of the sample that were read from it. */
      files: countSchema,
    }),
  ),
  /** Bytes of the sample's volumes that the system's cache still had; null where it cannot tell. */
  cachedBytes: bytesSchema.nullable(),
  notes: z.array(z.string()),
})
export type DrillDocument = z.infer<typeof drillDocumentSchema>
