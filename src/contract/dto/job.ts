import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from '../../domain/scalars'

export const JOB_KINDS = [
  'survey',
  'walk',
  'look',
  'measure',
  'bands',
  'plan',
  'export',
  'build',
  'verify',
  'check',
  'write',
  'restore',
  'drill',
  'repair',
  'image',
  'option',
  'roms',
  'fleet',
] as const
const jobKindSchema = z.enum(JOB_KINDS)
export type JobKind = z.infer<typeof jobKindSchema>

/**
 * Why a disc is asked for: the next volume's turn (`next`), what is wrong with the one that is in
 * the drive, or that it must be taken out and put in again to be read back (`reload`).
 */
const DISC_REASONS = ['next', 'no-disc', 'not-blank', 'wrong-kind', 'too-small', 'spoiled', 'reload'] as const

/** The volume that the job is at. */
const waitingVolume = {
  label: z.string(),
  volume: countSchema.min(1),
  /** The volumes of the plan. */
  volumes: countSchema.min(1),
} as const

const waitingForDiscSchema = z.object({
  kind: z.literal('disc'),
  ...waitingVolume,
  drive: z.string(),
  reason: z.enum(DISC_REASONS),
  /** The fault of the disc in the drive, in one line; null when there is none. */
  problem: z.string().nullable(),
})
export type WaitingForDisc = z.infer<typeof waitingForDiscSchema>

/** The question about a file that is not as planned: is its volume built without it? */
const waitingForChoiceSchema = z.object({
  kind: z.literal('changed'),
  ...waitingVolume,
  /** The file. */
  path: pathSchema,
  /** The fault of it, in one line that names it. */
  problem: z.string(),
  /** How many further files of the volume are not as planned, and are asked about next. */
  more: countSchema,
})
export type WaitingForChoice = z.infer<typeof waitingForChoiceSchema>

const waitingForSchema = z.discriminatedUnion('kind', [waitingForDiscSchema, waitingForChoiceSchema])
export type WaitingFor = z.infer<typeof waitingForSchema>

/**
 * The answer of a person: `yes` for this file, `all` for every further one of the job too, `no` for
 * the volume.
 */
export const waitAnswerSchema = z.enum(['yes', 'all', 'no'])
export type WaitAnswer = z.infer<typeof waitAnswerSchema>

const jobPipeSchema = z.object({
  inBytesPerSecond: z.number().nonnegative(),
  outBytesPerSecond: z.number().nonnegative(),
  filledBytes: bytesSchema,
  bufferBytes: bytesSchema,
})
export type JobPipe = z.infer<typeof jobPipeSchema>

const jobWritingSchema = z.object({
  to: z.string(),
  /** True when the disc in the drive is lost if the job is ended now. */
  losesDisc: z.boolean(),
})
export type JobWriting = z.infer<typeof jobWritingSchema>

const volumeProgressSchema = z.object({
  index: countSchema,
  count: countSchema,
  share: z.number().min(0).max(1),
})

/** A disc that is being burned cannot wait: the burner would run out of bytes. */
const PAUSES_AFTER = ['disc'] as const
export type PausesAfter = (typeof PAUSES_AFTER)[number]

/**
 * Sent at most four times a second, and at each new phase. `etaMs` is null below 5 %, whenever the
 * total is not yet known, and while nothing proceeds for long.
 */
export const jobProgressSchema = z.object({
  jobId: idSchema,
  kind: jobKindSchema,
  /** `pausing`: it was asked to pause, and does so at the next place where it can. */
  state: z.enum(['running', 'pausing', 'paused']),
  /** True when it can be paused at present; some work has to be finished once it is started. */
  canPause: z.boolean().optional(),
  /**
   * The work that has to be finished before a pause begins; null or absent where it begins at once.
   */
  pausesAfter: z.enum(PAUSES_AFTER).nullable().optional(),
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
  /**
   * Milliseconds since anything proceeded, where that is unusually long: then the time left is not
   * known. Null or absent otherwise.
   */
  stillMs: durationMsSchema.nullable().optional(),
  /**
   * The share of the whole job that is done, later phases included: by bytes, each weighted by the
   * time that its kind of work takes. In whole hundredths, it never falls and is 1 only at the end;
   * null while it is not known.
   */
  share: z.number().min(0).max(1).nullable().optional(),
  /**
   * The volume that is worked on, where a job goes through several: `index` counts from 1 in the
   * order of the work, `share` is what is done of it, as in `share` above.
   */
  volume: volumeProgressSchema.nullable().optional(),
  /** The current path or the label of the current volume. */
  current: z.string().nullable(),
  /**
   * The action that the job waits for; `job.proceed` goes on when it is done. Null while it works.
   */
  waitingFor: waitingForSchema.nullable().optional(),
  /** The ring buffer between source and writer; null or absent while there is none. */
  pipe: jobPipeSchema.nullable().optional(),
  /** The state of a job that writes to a drive, folder or file. */
  writing: jobWritingSchema.nullable().optional(),
  /** Sentences on what the result will lack, known before it is made; absent without any. */
  cautions: z.array(z.string()).optional(),
})
export type JobProgress = z.infer<typeof jobProgressSchema>

/** A folder that a job has renamed to `path` to keep it, with its files and their bytes. */
const setAsideSchema = z.object({ path: pathSchema, files: countSchema, bytes: bytesSchema })
export type SetAside = z.infer<typeof setAsideSchema>

/**
 * How a job ended. `resultId` names what it made, or what a cancelled one kept: a survey, a plan or
 * a run in the catalog.
 */
export const jobEndSchema = z.object({
  jobId: idSchema,
  kind: jobKindSchema,
  outcome: z.enum(['done', 'cancelled', 'failed', 'interrupted']),
  resultId: idSchema.nullable(),
  error: wireErrorSchema.nullable(),
  elapsedMs: durationMsSchema,
  /** The plan folder that an export has replaced; absent where nothing was there. */
  setAside: setAsideSchema.optional(),
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
