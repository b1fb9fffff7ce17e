import { z } from 'zod'
import type { Drive } from '../../domain/sets/drives/drive'
import type {
  RunDocument,
  RunVolume,
  StepTime,
  VolumeWrite,
  WritePipe,
  WriteTarget,
} from '../../domain/sets/runDocument'
import { exactly } from '../exactly'
import { optionalPasswordSchema } from './password'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  estimateSchema,
  idSchema,
  pathSchema,
  sha256Schema,
  wallMsSchema,
  wireErrorSchema,
} from './scalars'

export type * from '../../domain/sets/drives/drive'
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

/** A device: `/dev/sr0`, or a drive letter such as `F:`. */
const deviceSchema = z
  .string()
  .max(1024)
  .regex(/^(\/dev\/[^\0]+|[A-Z]:)$/)

/**
 * Writes the volumes of a plan to media. Exactly one of `drive`, `file` and `folder` is given; nothing is ever written to a drive
 * that the person did not choose.
 */
export const writeRequestSchema = z.object({
  /** The folder that a plan was exported to. */
  directory: pathSchema,
  /** Volumes to write, counted from 1; all when empty. What is written already is not written again. */
  volumes: z.array(countSchema.min(1)).default([]),
  /** The device of a burner; the person is asked for a disc for each volume. */
  drive: deviceSchema.nullable().default(null),
  /** A file that stands in for the disc in a drive: a blank one is a file that is not there or empty. */
  file: pathSchema.nullable().default(null),
  /** A folder or mounted disk: images or folders are copied there. */
  folder: pathSchema.nullable().default(null),
  /** Of drives: multiples of the medium's 1x; null for what the drive chooses. */
  speed: z.number().positive().max(100).nullable().default(null),
  /** Of drives and images: make each image while it is written, with none on the disk. */
  onTheFly: z.boolean().default(false),
  /** The program that burns; null for the first that is installed. */
  burner: z.enum(['xorriso', 'cdrskin', 'growisofs']).nullable().default(null),
  /** Of the ring buffer; null for 256 MiB, or an eighth of the memory where that is less. */
  bufferBytes: bytesSchema.min(65_536).nullable().default(null),
  /** Read everything back from the medium after writing. */
  verify: z.boolean().default(true),
  /** Build what is not built yet first. */
  build: z.boolean().default(true),
  /** Write again what is written already: a further copy. */
  again: z.boolean().default(false),
  /** End after so many volumes instead of asking for the next disc; null for all. */
  atMost: countSchema.min(1).nullable().default(null),
  /** Of an encrypted plan that is to be built. */
  password: optionalPasswordSchema,
})
export type WriteRequest = z.infer<typeof writeRequestSchema>

export const driveSchema = exactly<Drive>()(
  z.object({
    device: z.string(),
    vendor: z.string().nullable(),
    model: z.string().nullable(),
    medium: z
      .object({
        kind: z.enum([
          'cd-rom',
          'cd-r',
          'cd-rw',
          'dvd-rom',
          'dvd-r',
          'dvd-r-dl',
          'dvd-rw',
          'dvd-ram',
          'dvd+r',
          'dvd+r-dl',
          'dvd+rw',
          'dvd+rw-dl',
          'bd-rom',
          'bd-r',
          'bd-re',
          'file',
          'unknown',
        ]),
        name: z.string(),
        blank: z.boolean(),
        rewritable: z.boolean(),
        capacitySectors: countSchema.nullable(),
        usedSectors: countSchema.nullable(),
        speeds: z.array(z.number().positive()),
      })
      .nullable(),
    problem: z.string().nullable(),
  }),
)

const writePipeSchema = exactly<WritePipe>()(
  z.object({
    bufferBytes: bytesSchema,
    bytes: bytesSchema,
    seconds: z.number().nonnegative(),
    leastFilledBytes: bytesSchema,
    mostFilledBytes: bytesSchema,
    inputWaitedMs: durationMsSchema,
    inputStalls: countSchema,
    outputWaitedMs: durationMsSchema,
    outputStalls: countSchema,
    locked: z.boolean(),
  }),
)

const volumeWriteSchema = exactly<VolumeWrite>()(
  z.object({
    sha256: sha256Schema,
    bytes: bytesSchema,
    endedWallMs: wallMsSchema,
    writeMs: durationMsSchema,
    verified: z.boolean(),
    verifyMs: durationMsSchema.nullable(),
    pipe: writePipeSchema.nullable(),
  }),
)

const writeTargetSchema = exactly<WriteTarget>()(
  z.object({
    kind: z.enum(['drive', 'file', 'folder']),
    path: z.string(),
    tool: z.string().nullable(),
    speed: z.number().positive().nullable(),
    onTheFly: z.boolean(),
  }),
)

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
    written: volumeWriteSchema.optional(),
  }),
)

const stepTimeSchema = exactly<StepTime>()(
  z.object({
    step: z.enum(['pack', 'build', 'write', 'verify']),
    forecast: estimateSchema,
    actualSeconds: z.number().nonnegative(),
    volumes: countSchema,
  }),
)

export const runDocumentSchema = exactly<RunDocument>()(
  z.object({
    schema: z.literal(RUN_SCHEMA),
    id: idSchema,
    kind: z.enum(['build', 'verify', 'write']),
    planId: idSchema,
    directory: pathSchema,
    setId: sha256Schema.optional(),
    startedWallMs: wallMsSchema,
    elapsedMs: durationMsSchema,
    outcome: z.enum(['done', 'failed', 'cancelled', 'interrupted']),
    volumes: z.array(runVolumeSchema),
    times: z.array(stepTimeSchema).optional(),
    target: writeTargetSchema.optional(),
    notes: z.array(z.string()).optional(),
  }),
)
