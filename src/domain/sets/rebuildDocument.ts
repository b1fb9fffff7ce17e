import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  sha256Schema,
  wallMsSchema,
} from '../scalars'

export const REBUILD_SCHEMA = 'stowage.rebuild/1'

/** The image of a lost disc, calculated from those of the others and from parity. */
export const rebuildDocumentSchema = z.object({
  schema: z.literal(REBUILD_SCHEMA),
  id: idSchema,
  /** The image that was made. */
  image: pathSchema,
  label: z.string(),
  /** Its number in its plan. */
  index: countSchema,
  bytes: bytesSchema,
  /** As the list on the parity disc has it. */
  sha256: sha256Schema,
  /** The labels of the discs that it was calculated from. */
  from: z.array(z.string()),
  startedWallMs: wallMsSchema,
  elapsedMs: durationMsSchema,
})
export type RebuildDocument = z.infer<typeof rebuildDocumentSchema>
