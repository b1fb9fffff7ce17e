import { z } from 'zod'
import { bytesSchema, countSchema, pathSchema } from '../../domain/scalars'
import { copyNumberSchema, copyPlaceSchema } from '../../domain/sets/copies/copy'
import { changedPolicySchema } from '../../domain/sets/skippedFile'
import { optionalPasswordSchema } from './password'

export * from '../../domain/sets/drives/drive'
export * from '../../domain/sets/runDocument'
export { skippedWords } from '../../domain/sets/skippedFile'

export const runRequestSchema = z.object({
  /** The folder that a plan was exported to. */
  directory: pathSchema,
  /** Volumes to work on, counted from 1; all when empty. */
  volumes: z.array(countSchema.min(1)).default([]),
  /** Build again what is already built. */
  force: z.boolean().default(false),
  /** Pack and build one volume after another, with the files that were planned for it. */
  stream: z.boolean().default(false),
  /**
   * The treatment of a file that changed, vanished or cannot be read: its volume fails, a person is
   * asked to build it without the file, or that is done. Only where `canSkipChanged`.
   */
  changed: changedPolicySchema.default('fail'),
  /** The password that the volumes of an encrypted plan are built with and opened by. */
  password: optionalPasswordSchema,
})
export type RunRequest = z.infer<typeof runRequestSchema>

/** A device: `/dev/sr0`, or a drive letter such as `F:`. */
const deviceSchema = z
  .string()
  .max(1024)
  .regex(/^(\/dev\/[^\0]+|[A-Z]:)$/)

/**
 * Writes the volumes of a plan to media. Exactly one of `drive`, `file` and `folder` is given;
 * nothing is ever written to a drive that the person did not choose.
 */
export const writeRequestSchema = z.object({
  /** The folder that a plan was exported to. */
  directory: pathSchema,
  /**
   * Volumes to write, counted from 1; all when empty. What is written already is not written again.
   */
  volumes: z.array(countSchema.min(1)).default([]),
  /** The device of a burner; the person is asked for a disc for each volume. */
  drive: deviceSchema.nullable().default(null),
  /**
   * A file that stands in for the disc in a drive: a blank one is a file that is not there or
   * empty.
   */
  file: pathSchema.nullable().default(null),
  /** A folder or mounted disk: images or folders are copied there. */
  folder: pathSchema.nullable().default(null),
  /** The speed of a drive, in multiples of the medium's 1x; null: the drive chooses. */
  speed: z.number().positive().max(100).nullable().default(null),
  /** For drives and images: make each image while it is written, with none on the disk. */
  onTheFly: z.boolean().default(false),
  /** The program that burns; null for the first that is installed. */
  burner: z.enum(['xorriso', 'cdrskin', 'growisofs']).nullable().default(null),
  /**
   * The size of the ring buffer; null for 256 MiB, or an eighth of the memory where that is less.
   */
  bufferBytes: bytesSchema.min(65_536).nullable().default(null),
  /** Read everything back from the medium after writing. */
  verify: z.boolean().default(true),
  /** Build what is not built yet first. */
  build: z.boolean().default(true),
  /**
   * The same for volumes that are built first, as `build` has it. On the fly nobody is asked, and
   * `skip` reads every file before the disc is begun.
   */
  changed: changedPolicySchema.default('fail'),
  /** Write again what is written already, in place of that copy. */
  again: z.boolean().default(false),
  /** Which copy of the volumes it writes: one that is written already is kept, another is not. */
  copy: copyNumberSchema.default(1),
  /** Where the copy is kept, in the person's words. */
  place: copyPlaceSchema.nullable().default(null),
  /**
   * A folder that another copy of the same volumes, `nextCopy`, is written to by the next run. This
   * one is refused before it writes anything where that folder cannot hold it.
   */
  nextFolder: pathSchema.nullable().default(null),
  nextCopy: copyNumberSchema.default(2),
  /** End after so many volumes instead of asking for the next disc; null for all. */
  atMost: countSchema.min(1).nullable().default(null),
  /** The password of an encrypted plan that is to be built. */
  password: optionalPasswordSchema,
})
export type WriteRequest = z.infer<typeof writeRequestSchema>
