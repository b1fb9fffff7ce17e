import { z } from 'zod'
import { idSchema, pathSchema } from '../../domain/scalars'
import { restoreRequestSchema } from './restore'

export * from '../../domain/sets/queue/queueDocument'

export const queueRequestSchema = restoreRequestSchema
  .pick({ files: true, listed: true, chosen: true, asOf: true, password: true, opened: true })
  .extend({
    /** As those of a restore. Empty for sets that the catalog knows. */
    volumes: z.array(pathSchema).default([]),
    /** Plans of the catalog; empty for all of them, where no volumes are given. */
    planIds: z.array(idSchema).default([]),
    /** How many files are listed that cannot be had. */
    limit: z.number().int().min(1).max(1_000_000).default(10),
  })
export type QueueRequest = z.infer<typeof queueRequestSchema>
