import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from './scalars'

export const RUN_SCHEMA = 'stowage.run/1'

export const runRequestSchema = z.object({
  /** The folder that a plan was exported to. */
  directory: pathSchema,
  /** Volumes to work on, counted from 1; all when empty. */
  volumes: z.array(countSchema.min(1)).default([]),
  /** Build again what is already built. */
  force: z.boolean().default(false),
})
export type RunRequest = z.infer<typeof runRequestSchema>

export const runVolumeSchema = z.object({
  index: countSchema,
  label: z.string(),
  state: z.enum(['pending', 'done', 'kept', 'failed', 'cancelled']),
  /** Forecast and actual, side by side; actual is null until there is one. */
  forecastSectors: countSchema,
  actualSectors: countSchema.nullable(),
  files: countSchema,
  bytes: bytesSchema,
  elapsedMs: durationMsSchema.nullable(),
  errors: z.array(wireErrorSchema),
})

export const runDocumentSchema = z.object({
  schema: z.literal(RUN_SCHEMA),
  id: idSchema,
  kind: z.enum(['build', 'verify']),
  planId: idSchema,
  directory: pathSchema,
  startedWallMs: wallMsSchema,
  elapsedMs: durationMsSchema,
  outcome: z.enum(['done', 'failed', 'cancelled']),
  volumes: z.array(runVolumeSchema),
  /** What the run could not check, in words. */
  notes: z.array(z.string()).optional(),
})
export type RunDocument = z.infer<typeof runDocumentSchema>
