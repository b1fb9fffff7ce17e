import { z } from 'zod'
import { countSchema, pathSchema } from '../../domain/scalars'
import { copyNumberSchema } from '../../domain/sets/copies/copy'
import { optionalPasswordSchema } from './password'

export { type DrillDocument, drillDocumentSchema } from '../../domain/sets/drill/drillDocument'

/** The sample where nothing else is asked for. */
export const DRILL_FILES = 20
export const DRILL_BYTES = 2_000_000_000

export const drillRequestSchema = z.object({
  /** Volumes of one set: folders of plans, images, mounted discs. */
  volumes: z.array(pathSchema).min(1),
  files: z.number().int().min(1).max(100_000).default(DRILL_FILES),
  bytes: z.number().int().min(1).default(DRILL_BYTES),
  /** Drawn if not given. */
  seed: countSchema.max(2 ** 32 - 1).optional(),
  /** Which copy the volumes are, where the catalog knows several of them. */
  copy: copyNumberSchema.nullable().default(null),
  password: optionalPasswordSchema,
})
export type DrillRequest = z.infer<typeof drillRequestSchema>
