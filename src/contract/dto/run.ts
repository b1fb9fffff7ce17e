import { z } from 'zod'
import type { RunDocument, RunVolume } from '../../domain/sets/runDocument'
import { exactly } from '../exactly'
import { optionalPasswordSchema } from './password'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from './scalars'

export type * from '../../domain/sets/runDocument'

export const RUN_SCHEMA = 'stowage.run/1'

export const runRequestSchema = z.object({
  /** The folder that a plan was exported to. */
  directory: pathSchema,
  /** Volumes to work on, counted from 1; all when empty. */
  volumes: z.array(countSchema.min(1)).default([]),
  /** Build again what is already built. */
  force: z.boolean().default(false),
  /** Pack and build one volume after another, with the files that were planned for it. */
  stream: z.boolean().default(false),
  /** Of an encrypted plan: what its volumes are built with and opened by. */
  password: optionalPasswordSchema,
})
export type RunRequest = z.infer<typeof runRequestSchema>

const runVolumeSchema = exactly<RunVolume>()(
  z.object({
    index: countSchema,
    label: z.string(),
    state: z.enum(['pending', 'done', 'kept', 'failed', 'cancelled']),
    forecastSectors: countSchema,
    actualSectors: countSchema.nullable(),
    files: countSchema,
    bytes: bytesSchema,
    elapsedMs: durationMsSchema.nullable(),
    errors: z.array(wireErrorSchema),
  }),
)

export const runDocumentSchema = exactly<RunDocument>()(
  z.object({
    schema: z.literal(RUN_SCHEMA),
    id: idSchema,
    kind: z.enum(['build', 'verify']),
    planId: idSchema,
    directory: pathSchema,
    startedWallMs: wallMsSchema,
    elapsedMs: durationMsSchema,
    outcome: z.enum(['done', 'failed', 'cancelled']),
    volumes: z.array(runVolumeSchema),
    notes: z.array(z.string()).optional(),
  }),
)
