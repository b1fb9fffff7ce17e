import { z } from 'zod'
import { MOST_SHIFT } from '../../domain/fingerprints/schemes'
import { bytesSchema, countSchema, idSchema, pathSchema, wallMsSchema } from '../../domain/scalars'
import { MOST_THREADS } from '../../domain/settings/settings'
import { projectNameSchema } from '../../domain/survey/projectName'
import { ROM_LAYOUTS } from '../../domain/survey/romLayout'
import { rulesSchema } from '../../domain/survey/rules/rules'
import { samplesSchema, surveyDocumentSchema } from '../../domain/survey/surveyDocument'

export { FILE_CLASSES, type FileClass } from '../../domain/survey/fileClass'
export type { ContentsSum, YearBytes } from '../../domain/survey/folderContents'
export * from '../../domain/survey/kept/keptDocument'
export * from '../../domain/survey/rules/presets'
export * from '../../domain/survey/rules/rules'
export { type SmallestForecast, smallestForecast, smallestOf } from '../../domain/survey/smallestForecast'
export * from '../../domain/survey/sourceWalk'
export * from '../../domain/survey/surveyDocument'
export { costlyTinyFiles } from '../../domain/survey/tinyFiles'
export {
  isNotWorthCompressing,
  shownCompression,
  typesNotWorthCompressing,
} from '../../domain/survey/typeCompression'

/** Folders and files that a person hands over for one survey. */
export const MOST_SOURCES = 1000

/** DATs of one survey or one comparison. */
export const MOST_DATS = 1000

/** The bounds of requested block sizes; each takes one more hashing of every byte. */
const LEAST_BLOCK_BYTES = 512
const MOST_BLOCK_BYTES = 16 * 1024 * 1024
const MOST_BLOCK_SIZES = 8

export const surveyRequestSchema = z.object({
  /** Absolute paths of folders and files, in the person's order. */
  paths: z.array(pathSchema).min(1).max(MOST_SOURCES),
  /** The rules for leaving out; ignore files count by default. */
  rules: rulesSchema.optional(),
  /** The project that the survey is made for; it and its plans remember it. */
  project: projectNameSchema.optional(),
  /** SHA-256 of every file in the same read, for manifests. */
  sha256: z.boolean().default(false),
  /**
   * Further block sizes, such as 2352 for raw CD images; what the survey has anyway costs nothing.
   */
  blockSizes: z
    .array(
      bytesSchema
        .min(LEAST_BLOCK_BYTES, 'a block has at least 512 bytes')
        .max(MOST_BLOCK_BYTES, 'a block has at most 16 MiB'),
    )
    .max(MOST_BLOCK_SIZES, `at most ${MOST_BLOCK_SIZES} block sizes per survey`)
    .optional(),
  /**
   * How much is spent on forecasting codecs, during and after the pass: `none` and `quick` forecast
   * no codecs, and `quick` leaves out chunks and anchors too (blocks, digests and duplicates only).
   */
  samples: samplesSchema.default('normal'),
  /** Memory for the block tables in bytes; past it figures become estimates with a range. */
  maxMemoryBytes: bytesSchema.min(16 * 1024 * 1024).default(512 * 1024 * 1024),
  /** Threads that read; absent: as many as turn out to pay on the device. */
  threads: z.int().min(1).max(MOST_THREADS).optional(),
  /**
   * Read every file, also those that an earlier survey of the same roots knows and that have not
   * changed since.
   */
  full: z.boolean().optional(),
  /**
   * DATs in XML or ClrMamePro's text, or zips of them: the survey groups files by them, each parent
   * with its clones.
   */
  dats: z.array(pathSchema).min(1).max(MOST_DATS).optional(),
  /** How ROM sets are laid out; absent: as each DAT asks for, else split. */
  layout: z.enum(ROM_LAYOUTS).optional(),
  /**
   * The survey has to know the order of its files for a solid archive: where an earlier one's does
   * not do, every file is read.
   */
  order: z.boolean().optional(),
  /**
   * The folder in which fingerprints of the contents are left, for comparison with any number of
   * other sources; then every file is read, unless `fingerprintsSince` is given.
   */
  fingerprints: pathSchema.optional(),
  /** At least this share of each way of cutting, 2^-shift; absent: by size. */
  fingerprintShift: z.int().min(0).max(MOST_SHIFT).optional(),
  /** A file whose bytes are the key of every hash and digest in fingerprints. */
  fingerprintKey: pathSchema.optional(),
  /**
   * A folder with fingerprints of the earlier survey on which this one builds: rows of its
   * unchanged files are taken from there, and these are not read.
   */
  fingerprintsSince: pathSchema.optional(),
  /** False: fingerprints have neither paths nor times of files. */
  fingerprintPaths: z.boolean().optional(),
  /**
   * A look at the source comes first, from the same listing, where the survey would take at least
   * so many seconds; not where it builds on an earlier one. Absent: none.
   */
  lookFromSeconds: z.number().nonnegative().optional(),
})
export type { RomLayout } from '../../domain/survey/romLayout'
export type SurveyRequest = z.infer<typeof surveyRequestSchema>

/** A look at the sources by names and sizes, with what rules leave out. */
export const walkRequestSchema = surveyRequestSchema.pick({ paths: true, rules: true }).extend({
  /** True: every path that was left out is listed, not the first 1,000. */
  everyPath: z.boolean().default(false),
  /** True: it draws what a look at the sources reads, which takes some CPU time a file. */
  look: z.boolean().default(false),
})
export type WalkRequest = z.infer<typeof walkRequestSchema>

/**
 * Sent while a survey runs, at most once a second: the same figures for what has been read so far.
 */
export const surveyLiveSchema = z.object({
  jobId: idSchema,
  /** In the catalog, once everything is read: options may be asked of it, and sharpen with it. */
  surveyId: idSchema.optional(),
  /** The look that came first, once its estimates are there: options may be asked of it. */
  lookId: idSchema.optional(),
  ...surveyDocumentSchema.pick({ totals: true, fixedBlocks: true, types: true, sizeHistogram: true }).shape,
  // With `duplicateFiles`, once everything is read, all figures but the forecasts are final; those sharpen.
  ...surveyDocumentSchema
    .pick({ duplicateFiles: true, chunked: true, compression: true, solid: true })
    .partial().shape,
})
export type SurveyLive = z.infer<typeof surveyLiveSchema>

/** Files of a survey without SHA-256, which a plan of it reads. */
export const missingSha256Schema = z.object({
  /** Files with content; one with several names counts once. */
  files: countSchema,
  /** Their data: no more of a file than it occupies, so that holes do not count. */
  bytes: bytesSchema,
})
export type MissingSha256 = z.infer<typeof missingSha256Schema>

export const surveyListItemSchema = z.object({
  id: idSchema,
  createdWallMs: wallMsSchema,
  roots: z.array(pathSchema),
  files: countSchema,
  bytes: bytesSchema,
  skipped: countSchema,
  sha256: z.boolean(),
  partial: z.boolean(),
  interrupted: z.boolean().optional(),
})
export type SurveyListItem = z.infer<typeof surveyListItemSchema>
