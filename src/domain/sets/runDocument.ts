import { z } from 'zod'
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
} from '../scalars'
import { fileSystemSchema } from './copies/fileSystemIdentity'
import { damagedFoldersSchema } from './damagedFolders'
import { skippedFileSchema } from './skippedFile'
import { recoveryBlocksSchema, verdictSchema } from './verdict'

export const RUN_SCHEMA = 'stowage.run/1'

/**
 * Statistics of the ring buffer between source and writer. A stall is a wait of more than 10 ms.
 */
const writePipeSchema = z.object({
  bufferBytes: bytesSchema,
  bytes: bytesSchema,
  seconds: z.number().nonnegative(),
  /** From the first write until the input ended. */
  leastFilledBytes: bytesSchema,
  mostFilledBytes: bytesSchema,
  /** The source waited because the buffer was full. */
  inputWaitedMs: durationMsSchema,
  inputStalls: countSchema,
  /** The writer waited because the buffer was empty: the medium starved. */
  outputWaitedMs: durationMsSchema,
  outputStalls: countSchema,
  locked: z.boolean(),
})
export type WritePipe = z.infer<typeof writePipeSchema>

/** How a volume's bytes got to its medium. */
const volumeWriteSchema = z.object({
  /** The digest of everything that was written: the image, or `SHA256SUMS` of a folder. */
  sha256: sha256Schema,
  bytes: bytesSchema,
  /** When it was written, and read back where it was. */
  endedWallMs: wallMsSchema,
  writeMs: durationMsSchema,
  /**
   * True when it was read back from the medium, by direct reads where the system can, and matched.
   */
  verified: z.boolean(),
  verifyMs: durationMsSchema.nullable(),
  /** Null where no ring buffer lay between source and writer. */
  pipe: writePipeSchema.nullable(),
})
export type VolumeWrite = z.infer<typeof volumeWriteSchema>

/** Where a `write` run writes to, and how. */
const writeTargetSchema = z.object({
  /** `file`: a file that stands in for the discs. `folder`: images or folders are copied there. */
  kind: z.enum(['drive', 'file', 'folder']),
  path: z.string(),
  /** The program that burns; null where Stowage copies itself. */
  tool: z.string().nullable(),
  /** As multiples of the medium's 1x; null for the drive's own choice. */
  speed: z.number().positive().nullable(),
  onTheFly: z.boolean(),
  /** Which copy of the volumes it writes; 1 in older runs. */
  copy: countSchema.min(1).optional(),
  /** Where the copy is kept, in the person's words. */
  place: z.string().optional(),
})
export type WriteTarget = z.infer<typeof writeTargetSchema>

const runVolumeSchema = z.object({
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
  /** Files that were left out of it while it was built; absent where there are none. */
  skipped: z.array(skippedFileSchema).optional(),
  /** Only of a `verify` run, and there of an image with damaged folders. */
  damagedFolders: damagedFoldersSchema.optional(),
  /** Only of a `verify` run that read the volume to its end; absent in older ones. */
  verdict: verdictSchema.optional(),
  /** The same; absent where the volume has no recovery data. */
  recovery: recoveryBlocksSchema.optional(),
  /** Only of a `write` run, and there of a volume that was written. */
  written: volumeWriteSchema.optional(),
  /** The same of one that an earlier run wrote, and this one read back. */
  readBack: z.literal(true).optional(),
})
export type RunVolume = z.infer<typeof runVolumeSchema>

/** Forecast vs. actual of one step of a run, over the volumes that it was carried out for. */
const stepTimeSchema = z.object({
  /** Where each volume is packed and built in one go, `build` is both. */
  step: z.enum(['pack', 'build', 'write', 'verify']),
  /** By the plan, in seconds. */
  forecast: estimateSchema,
  actualSeconds: z.number().nonnegative(),
  volumes: countSchema,
})
export type StepTime = z.infer<typeof stepTimeSchema>

export const runDocumentSchema = z.object({
  schema: z.literal(RUN_SCHEMA),
  id: idSchema,
  kind: z.enum(['build', 'verify', 'write']),
  planId: idSchema,
  directory: pathSchema,
  /**
   * SHA-256 of the index that all volumes carry; unknown in older runs and before a plan is packed.
   */
  setId: sha256Schema.optional(),
  /** The file system that it wrote to or read from; absent in older runs. */
  fileSystem: fileSystemSchema.optional(),
  startedWallMs: wallMsSchema,
  elapsedMs: durationMsSchema,
  /**
   * `interrupted`: a `build` or `write` run is saved after every volume, as one that ended there
   * until its real end is saved.
   */
  outcome: z.enum(['done', 'failed', 'cancelled', 'interrupted']),
  volumes: z.array(runVolumeSchema),
  /** The times of plans that have times, and of runs since they are kept. */
  times: z.array(stepTimeSchema).optional(),
  /** Only of a `write` run. */
  target: writeTargetSchema.optional(),
  /** The programs that read the volumes of a `verify` run, with their versions. */
  readers: z.array(z.string()).optional(),
  /** The checks that the run could not make, in words. */
  notes: z.array(z.string()).optional(),
})
export type RunDocument = z.infer<typeof runDocumentSchema>
