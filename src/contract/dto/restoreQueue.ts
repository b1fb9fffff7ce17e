import { z } from 'zod'
import { countSchema, idSchema, pathSchema } from '../../domain/scalars'
import { restoreRequestSchema } from './restore'

export * from '../../domain/sets/queue/queueDocument'

export const queueRequestSchema = restoreRequestSchema
  .pick({
    files: true,
    listed: true,
    chosen: true,
    asOf: true,
    password: true,
    opened: true,
    force: true,
    trust: true,
  })
  .extend({
    /** As those of a restore. Empty for sets that the catalog knows. */
    volumes: z.array(pathSchema).default([]),
    /** Plans of the catalog; empty for all of them, where no volumes are given. */
    planIds: z.array(idSchema).default([]),
    /** The folder that is restored into. A queue for one is kept until no volume of it is left. */
    to: pathSchema.optional(),
    /**
     * The volumes in `given` were given on an earlier day: those of which `to` lacks a file, by
     * size and time, count as not given.
     */
    resumes: z.boolean().default(false),
    /** Labels of volumes that were given before: what they have is restored. */
    given: z.array(z.string()).default([]),
    /** Copies that cannot be fetched, or were of no use. */
    without: z.array(z.object({ label: z.string(), copy: countSchema.nullable() })).default([]),
    /** The place that the last volume was fetched from: of as few places it is one. */
    near: z.string().nullable().default(null),
    /** How many files are listed that cannot be restored. */
    limit: z.number().int().min(1).max(1_000_000).default(10),
  })

export const identifyRequestSchema = z.object({
  /** The set that is open. */
  id: idSchema,
  path: pathSchema,
})
export type IdentifyRequest = z.infer<typeof identifyRequestSchema>

/** The volumes of what was given, by their labels; null for one that does not say it. */
export const identifiedSchema = z.array(z.object({ label: z.string().nullable(), isOfSet: z.boolean() }))
export type Identified = z.infer<typeof identifiedSchema>

export type QueueRequest = z.infer<typeof queueRequestSchema>
