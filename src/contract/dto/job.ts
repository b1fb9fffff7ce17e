import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  wallMsSchema,
  wireErrorSchema,
} from './scalars'

const JOB_KINDS = [
  'survey',
  'measure',
  'bands',
  'plan',
  'export',
  'build',
  'verify',
  'restore',
  'image',
  'option',
] as const
const jobKindSchema = z.enum(JOB_KINDS)
export type JobKind = z.infer<typeof jobKindSchema>

/** Sent at most ten times a second. `etaMs` is null below 5 % and whenever the total is not yet known. */
export const jobProgressSchema = z.object({
  jobId: idSchema,
  kind: jobKindSchema,
  state: z.enum(['running', 'paused']),
  /** Whether it can be paused at present; what has been started of some work has to be finished. */
  canPause: z.boolean().optional(),
  /** `index` counts from 1. The name is a copy key, for example `reading`. */
  phase: z.object({ index: countSchema, count: countSchema, name: z.string() }),
  filesDone: countSchema,
  filesTotal: countSchema.nullable(),
  bytesDone: bytesSchema,
  bytesTotal: bytesSchema.nullable(),
  /** Bytes per second over the recent seconds, null until there is one. */
  bytesPerSecond: z.number().nonnegative().nullable(),
  elapsedMs: durationMsSchema,
  /** For all that is left, later phases included. */
  etaMs: durationMsSchema.nullable(),
  /** The share of the whole job that is done, by time, later phases included; null while it is not known. */
  share: z.number().min(0).max(1).nullable().optional(),
  /** What is being worked on now: a path or a volume's label. */
  current: z.string().nullable(),
})
export type JobProgress = z.infer<typeof jobProgressSchema>

/** How a job ended. `resultId` names what it made, or what a cancelled one kept: a survey, a plan or a run in the catalog. */
export const jobEndSchema = z.object({
  jobId: idSchema,
  kind: jobKindSchema,
  outcome: z.enum(['done', 'cancelled', 'failed', 'interrupted']),
  resultId: idSchema.nullable(),
  error: wireErrorSchema.nullable(),
  elapsedMs: durationMsSchema,
})
export type JobEnd = z.infer<typeof jobEndSchema>

export const jobStartedSchema = z.object({ jobId: idSchema })

/** A job that the engine knows of, for a window that opens while work runs. */
export const jobInfoSchema = z.object({
  jobId: idSchema,
  kind: jobKindSchema,
  startedWallMs: wallMsSchema,
  title: z.string(),
})
export type JobInfo = z.infer<typeof jobInfoSchema>
