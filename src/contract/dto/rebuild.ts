import { z } from 'zod'
import { countSchema, pathSchema } from '../../domain/scalars'

export * from '../../domain/sets/rebuildDocument'

export const rebuildRequestSchema = z.object({
  /** Images and devices of the other discs and parity discs; plan folders stand for theirs. */
  volumes: z.array(pathSchema).min(1).max(10_000),
  /** The number of the lost disc; the one that is missing if not given. */
  lost: countSchema.min(1).nullable().default(null),
  /** The image to make. */
  image: pathSchema,
  /** Replace what is there. */
  force: z.boolean().default(false),
})
export type RebuildRequest = z.infer<typeof rebuildRequestSchema>
