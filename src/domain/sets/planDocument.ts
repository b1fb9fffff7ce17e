/**
 * The room `sets` has the rules of plans and of their volumes, and the documents about them.
 * How: `packing` divides files among volumes, `naming` and `labels` name these, `protection` and
 * `growing` add to them, `times` and `queue` forecast.
 * Not here: reading or writing anything (`src/engine/sets`).
 */

import { z } from 'zod'
import { LANGUAGES } from '../../primitives/languages'
import { mediumSchema } from '../media/medium'
import { priceSchema } from '../media/price'
import { optionEncryptionSchema } from '../options/optionsDocument'
import {
  bytesSchema,
  countSchema,
  estimateSchema,
  idSchema,
  mediumIdSchema,
  pathSchema,
  sha256Schema,
  wallMsSchema,
} from '../scalars'
import { projectNameSchema } from '../survey/projectName'
import { excludedSchema, rulesDocumentSchema } from '../survey/rules/rules'
import { copyNumberSchema } from './copies/copy'
import { growthSchema } from './growing/growth'
import { ownershipShape } from './ownership'
import { FILLED_BY, placementSchema, VOLUME_LABEL } from './placement'
import { parityDiscSchema, setProtectionSchema } from './protection/setParity'
import { protectionSchema, volumeProtectionSchema } from './protection/volumeProtection'

export const PLAN_SCHEMA = 'stowage.plan/2'

/** The version of the index on the volumes of new plans (docs/methods/index-format.md). */
export const INDEX_VERSION = 2

/** A permanent name of `domain/options/recipes/recipe.ts`. */
export const recipeNameSchema = z.string().min(1).max(1000)

/**
 * A folder's share of a volume, for the gauges: of the first folders in which the plan's files
 * differ. The last one may stand for the rest with an empty path. Older versions counted by the
 * folders at the root.
 */
const volumeShareSchema = z.object({ path: z.string(), bytes: bytesSchema, files: countSchema })
export type VolumeShare = z.infer<typeof volumeShareSchema>

export const planVolumeSchema = z.object({
  index: countSchema.min(1),
  // A plan's folder may come from anyone, and a volume is written to a folder under its label.
  label: z.string().regex(VOLUME_LABEL),
  /** Sectors of the finished image, as the mastering tool reports them. */
  sectors: countSchema,
  capacitySectors: countSchema,
  /** The medium of this volume where it is one of the first media. */
  mediumId: mediumIdSchema.optional(),
  /** Files of the source on this volume (a part of a split file counts as one) and their bytes. */
  files: countSchema,
  bytes: bytesSchema,
  reserveBytes: bytesSchema,
  shares: z.array(volumeShareSchema),
  /** Absent on volumes without recovery data, and where archives are not made yet. */
  protection: volumeProtectionSchema.optional(),
})
export type PlanVolume = z.infer<typeof planVolumeSchema>

/**
 * Something a person should know before accepting the plan. `blocking` ones must be gone before it
 * can be exported.
 */
const planProblemSchema = z.object({
  code: z.string(),
  message: z.string(),
  path: pathSchema.optional(),
  /** Why another system shows this name otherwise, without the name, the system and the cure. */
  reason: z.string().optional(),
  /** The names that this one stands for without listing them. */
  names: countSchema.optional(),
  blocking: z.boolean(),
})
export type PlanProblem = z.infer<typeof planProblemSchema>

/** Figures of a whole plan. */
const planTotalsSchema = z.object({
  /** Names of files in the source, further names of the same file included. */
  files: countSchema,
  folders: countSchema,
  symlinks: countSchema,
  /** Bytes of the source: a file with several names counts once. */
  bytes: bytesSchema,
  volumes: countSchema,
  splitFiles: countSchema,
  /** No plan for this source can have fewer volumes. */
  lowerBoundVolumes: countSchema,
  /**
   * Volumes that the same source takes without pins, kept folders and an order; absent where the
   * plan has none of them.
   */
  fewestVolumes: countSchema.optional(),
})
export type PlanTotals = z.infer<typeof planTotalsSchema>

const planListSchema = z.object({ path: z.string(), bytes: bytesSchema, sha256: sha256Schema })
export type PlanList = z.infer<typeof planListSchema>

/** A disk image that is to be made on a Mac. */
const plannedImageSchema = z.object({
  /** The size of the disk in it: the most that it may hold, with its file system. */
  bytes: bytesSchema,
  /** The band size of a sparse bundle; null for kinds without bands. */
  bandBytes: bytesSchema.nullable(),
})
export type PlannedImage = z.infer<typeof plannedImageSchema>

/**
 * How the files of a plan are packed. Its volumes then say what is forecast; building makes the
 * archives and decides their places.
 */
const planPackingSchema = z.object({
  /** The permanent name of the recipe, such as `7z-solid-64m-path`. */
  recipe: recipeNameSchema,
  /**
   * `independent`: each volume can be restored alone. `joined`: one archive is cut over all of
   * them.
   */
  arrangement: z.enum(['independent', 'joined']),
  encryption: optionEncryptionSchema,
  /** Bytes of all archives together. The volumes are planned for the upper end. */
  bytes: estimateSchema,
  /**
   * The folder on the volumes that all containers are in: of many containers in a plan that adds to
   * others; absent for all else.
   */
  folder: pathSchema.optional(),
  /** SHA-256 of the DATs by which files are grouped; absent for other recipes. */
  dats: z.array(sha256Schema).optional(),
  /**
   * Only of what was packed volume by volume: its index was written before, so it has no sizes and
   * digests of archives.
   */
  streamed: z.literal(true).optional(),
  /**
   * The disk in a disk image whose file system only macOS writes: `build-on-mac.sh` makes it.
   * Absent for all else.
   */
  image: plannedImageSchema.optional(),
})
export type PlanPacking = z.infer<typeof planPackingSchema>

/** The times of the steps from a plan to restored files, in seconds. */
const volumeTimesSchema = z.object({
  /** Making archives; null where files are stored as they are. */
  pack: estimateSchema.nullable(),
  /** Making the image or the folder, with its check. */
  build: estimateSchema,
  /** Writing it to the medium. */
  write: estimateSchema,
  verify: estimateSchema,
  restore: estimateSchema,
})
export type VolumeTimes = z.infer<typeof volumeTimesSchema>

/**
 * Discs that are written as their images are made, without an image on a disk; of packed plans,
 * from their images.
 */
const burnTimesSchema = z.object({
  from: z.enum(['files', 'images']),
  /** All discs, with what changing and closing them takes. */
  seconds: estimateSchema,
  bottleneck: z.enum(['source', 'writer', 'starvation']),
  /** The smallest power of two that reaches 99 % of the possible rate on every disc. */
  bufferBytes: bytesSchema,
  /**
   * The disc that needs it most, without what it takes apart from its bytes: with that buffer, with
   * a pipe of 64 KiB, …
   */
  disc: z.object({
    index: countSchema.min(1),
    seconds: z.number().nonnegative(),
    unbufferedSeconds: z.number().nonnegative(),
    /** … with its small files first, and last. */
    smallFirstSeconds: z.number().nonnegative(),
    smallLastSeconds: z.number().nonnegative(),
  }),
})
export type BurnTimes = z.infer<typeof burnTimesSchema>

/** The times of a plan as a whole, and of its volumes in their order; parity discs come last. */
const planTimesSchema = z.object({
  total: volumeTimesSchema,
  volumes: z.array(volumeTimesSchema),
  /** Only for optical media. */
  burn: burnTimesSchema.optional(),
})
export type PlanTimes = z.infer<typeof planTimesSchema>

/** An earlier plan of an archive that grows, whose volumes hold what those of a new one do not. */
const earlierPlanSchema = z.object({
  /** Counted from 1. */
  generation: countSchema.min(1),
  planId: idSchema,
  /** SHA-256 of the index on its volumes. */
  setId: sha256Schema,
  createdWallMs: wallMsSchema,
  volumes: z.array(z.object({ index: countSchema.min(1), label: z.string().regex(VOLUME_LABEL) })),
})
export type EarlierPlan = z.infer<typeof earlierPlanSchema>

/** A plan's own figures; the entry lists next to it say which entry is on which volume. */
export const planDocumentSchema = z.object({
  schema: z.enum(['stowage.plan/1', PLAN_SCHEMA]),
  id: idSchema,
  createdWallMs: wallMsSchema,
  surveyId: idSchema,
  roots: z.array(pathSchema),
  /** Absent where no project file was used. */
  project: projectNameSchema.optional(),
  medium: mediumSchema,
  /** Media of the first volumes, with how many of each there are; absent where all are alike. */
  firstMedia: z.array(z.object({ medium: mediumSchema, volumes: countSchema.min(1) })).optional(),
  /** Absent where files are stored as they are. */
  packing: planPackingSchema.optional(),
  /**
   * Files with the same content are stored once on a volume: as hard links in a folder, in one
   * place of an image.
   */
  equalFiles: z.literal('once').optional(),
  /** The copies that a person wants of each volume; absent where none were named. */
  copies: copyNumberSchema.optional(),
  /** The prices that a person had noted for its media; absent without any, and in older plans. */
  prices: z.array(priceSchema).min(1).optional(),
  /** The language of the texts on its volumes, before English; English where it is absent. */
  language: z.enum(LANGUAGES).optional(),
  /**
   * The earlier plans of the archive, oldest first, of which this one holds nothing again, and how
   * the source differs from what the last of them has; absent where a plan holds everything.
   */
  addsTo: z.array(earlierPlanSchema).min(1).optional(),
  growth: growthSchema.optional(),
  /** The person's constraints on the volumes; absent without any, and in older plans. */
  placement: placementSchema.optional(),
  /**
   * The order in which its volumes were filled where the person chose none; absent where they did,
   * for a single volume, for files that are not stored as they are, and in older plans.
   */
  filledBy: z.enum(FILLED_BY).optional(),
  /**
   * ROM sets by DATs, each a parent with its clones, which share a volume where that takes no
   * further one; absent for a survey without groups by DATs, for files that are not stored as they
   * are, and in older plans.
   */
  romSets: z
    .object({
      /** SHA-256 of the DATs of the survey. */
      dats: z.array(sha256Schema),
      parents: countSchema,
      files: countSchema,
      /** Exact: those on several volumes, and those of them that no volume can hold. */
      divided: countSchema,
      larger: countSchema,
    })
    .optional(),
  /** The recovery data that each volume is to get; absent for none, and in older plans. */
  protection: protectionSchema.optional(),
  /** The memory for making it that was asked for; absent for half of the building machine's. */
  protectionMemoryBytes: bytesSchema.optional(),
  /** How many discs may be lost, by parity across them; absent for none, and in older plans. */
  protectSet: setProtectionSchema.optional(),
  /**
   * Lists on its volumes that older versions did not write: `image`, for discs with recovery data
   * or parity, has all that their images follow from and no other list has.
   */
  discLists: z.array(z.enum(['image'])).optional(),
  /** The version of the index on its volumes; absent for the first, which did not name it. */
  indexVersion: z.literal(INDEX_VERSION, 'is of a newer Stowage').optional(),
  /** The rules of the survey. Older versions had none. */
  rules: rulesDocumentSchema.optional(),
  /** The sums of what they left out, which is on no volume; absent where that is nothing. */
  excluded: excludedSchema
    .pick({ files: true, bytes: true, folders: true, counted: true, rules: true })
    .optional(),
  totals: planTotalsSchema,
  mastering: z.object({
    tool: z.string(),
    version: z.string(),
    options: z.array(z.string()),
    /** Volume dates in the images, so that a volume can be rebuilt identically. */
    volumeDateWallMs: wallMsSchema,
  }),
  volumes: z.array(planVolumeSchema),
  /** The discs with the parity of the volumes' images, numbered after them; absent without any. */
  parity: z.array(parityDiscSchema).min(1).max(2).optional(),
  /** Older versions did not forecast them. */
  times: planTimesSchema.optional(),
  /**
   * The files of an exported plan but `plan.json`, by their paths below its folder: `index.tsv` and
   * all below `volumes` list what is on its volumes. Older versions listed only these, or none; in
   * the catalog there are none.
   */
  lists: z.array(planListSchema).optional(),
  problems: z.array(planProblemSchema),
})
export type PlanDocument = z.infer<typeof planDocumentSchema>

/**
 * When the source was last written to, in nanoseconds since 1970. Older versions wrote it modulo
 * 2^64, or not at all.
 */
const mtimeNsSchema = z
  .string()
  .regex(/^-?\d{1,20}$/)
  .optional()

/**
 * When the source was made, in nanoseconds since 1970; absent where its file system does not keep
 * it, and in plans of older versions. Disc images have it.
 */
const createdNsSchema = z
  .string()
  .regex(/^-?\d{1,20}$/)
  .optional()

/** Permissions as `chmod` takes them. Plans of older versions do not have them. */
const modeSchema = z.number().int().min(0).max(0o7777).optional()

/**
 * Metadata of a file of the source, which restoring puts back, and what belongs to a packed set:
 * archives and the files in them.
 */
const fileFactsSchema = {
  ...ownershipShape,
  mtimeNs: mtimeNsSchema,
  createdNs: createdNsSchema,
  mode: modeSchema,
  /** The path of the first name, for a further name of a file. */
  linkOf: pathSchema.optional(),
  /** The file occupied less than its size: it had holes, or its file system compressed it. */
  holes: z.literal(true).optional(),
  /** The path of the container on the volumes that holds this file. */
  in: pathSchema.optional(),
  /** Its name in the container where that is not its path. */
  member: pathSchema.optional(),
  /** The permanent name of the recipe of a container, or of a part of one. */
  method: recipeNameSchema.optional(),
} as const

/**
 * One line of a volume's entry list (`volumes/NN/entries.jsonl`).
 * `path` is relative to the root of the volume; `source` is the absolute path it is taken from.
 */
export const planEntrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    path: pathSchema,
    source: pathSchema,
    bytes: bytesSchema,
    sha256: sha256Schema,
    ...fileFactsSchema,
  }),
  z.object({
    kind: z.literal('part'),
    path: pathSchema,
    source: pathSchema,
    bytes: bytesSchema,
    sha256: sha256Schema,
    ...fileFactsSchema,
    /**
     * Where this part lies in the whole file, which part it is, and what the whole is once
     * rejoined.
     */
    offset: bytesSchema,
    part: countSchema.min(1),
    parts: countSchema.min(2),
    wholePath: pathSchema,
    wholeBytes: bytesSchema,
    wholeSha256: sha256Schema,
  }),
  z.object({
    kind: z.literal('folder'),
    path: pathSchema,
    source: pathSchema,
    ...ownershipShape,
    mtimeNs: mtimeNsSchema,
    createdNs: createdNsSchema,
    mode: modeSchema,
    /** The permanent name of the recipe of a repository. */
    method: recipeNameSchema.optional(),
  }),
  z.object({
    kind: z.literal('symlink'),
    path: pathSchema,
    source: pathSchema,
    ...ownershipShape,
    target: pathSchema,
    mtimeNs: mtimeNsSchema,
  }),
])
export type PlanEntry = z.infer<typeof planEntrySchema>
