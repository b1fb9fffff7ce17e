import { z } from 'zod'
import { MEDIUM_KINDS } from '../../domain/media/medium'
import { priceSchema } from '../../domain/media/price'
import { optionEncryptionSchema } from '../../domain/options/optionsDocument'
import {
  bytesSchema,
  countSchema,
  idSchema,
  LABEL_PREFIX,
  mediumIdSchema,
  pathSchema,
  wallMsSchema,
} from '../../domain/scalars'
import { copyNumberSchema } from '../../domain/sets/copies/copy'
import { placementSchema } from '../../domain/sets/placement'
import { recipeNameSchema } from '../../domain/sets/planDocument'
import { setProtectionSchema } from '../../domain/sets/protection/setParity'
import { protectionSchema } from '../../domain/sets/protection/volumeProtection'
import { runDocumentSchema } from '../../domain/sets/runDocument'
import { SKIP_CAUSES } from '../../domain/sets/skippedFile'
import { volumeStateSchema } from '../../domain/sets/volumeState'
import { projectNameSchema, projectTitleSchema } from '../../domain/survey/projectName'
import { LANGUAGES } from '../../primitives/languages'

export { type Medium, mediumSchema } from '../../domain/media/medium'
export * from '../../domain/sets/draftDocument'
export { mediaOf } from '../../domain/sets/mixedMedia'
export { labelRanges } from '../../domain/sets/naming/labelRanges'
export * from '../../domain/sets/naming/readerNameCodes'
export * from '../../domain/sets/ownImages'
export { UDF_ENTRIES } from '../../domain/sets/packing/udfEntries'
export * from '../../domain/sets/placement'
export * from '../../domain/sets/planComparison'
export * from '../../domain/sets/planDocument'
export * from '../../domain/sets/protection/protectionChoice'
export * from '../../domain/sets/protection/protectionComparison'
export type { ParityDisc } from '../../domain/sets/protection/setParity'
export type { Protection } from '../../domain/sets/protection/volumeProtection'
export type { VolumeState } from '../../domain/sets/volumeState'

export const planRequestSchema = z.object({
  surveyId: idSchema,
  /** The archive that it is of; that of its survey if not given. */
  project: projectNameSchema.optional(),
  /** The name of a new archive that it begins, where neither is given. */
  beginsArchive: projectTitleSchema.optional(),
  mediumId: mediumIdSchema,
  /** Media that are filled before, each of so many volumes. */
  firstMedia: z
    .array(z.object({ mediumId: mediumIdSchema, volumes: countSchema.min(1).max(9999) }))
    .max(20)
    .optional(),
  /** The volumes that there are of all media together; any number of the last one if not given. */
  mostVolumes: countSchema.min(1).optional(),
  /**
   * Volume labels are `<labelPrefix>_01` and so on: A-Z, 0-9 and _ only, as ISO 9660 asks. Derived
   * from the source when absent.
   */
  labelPrefix: z.string().regex(LABEL_PREFIX).optional(),
  /**
   * True: the plan counts only once it is exported. Until then it is in no list, and it goes with
   * the process that made it.
   */
  forExport: z.boolean().optional(),
  /**
   * The permanent name of the recipe to pack the files with; without it they are stored as they
   * are.
   */
  recipe: recipeNameSchema.optional(),
  /** Refused where the recipe cannot encrypt; the password is asked for when the plan is built. */
  encryption: optionEncryptionSchema.optional(),
  /** One archive cut over all volumes instead of one on each. */
  joined: z.boolean().optional(),
  /** The language of what the volumes tell a person; English if not given. */
  language: z.enum(LANGUAGES).optional(),
  /**
   * A plan of this archive that was built before: the new one holds only what is on no kept volume
   * of it and of those that it adds to. By its ID in the catalog, or by its folder.
   */
  addTo: idSchema.optional(),
  addToFolder: pathSchema.optional(),
  /**
   * Where no content is new, but files were moved, renamed or deleted: one volume with the index
   * alone instead of a refusal.
   */
  recordNames: z.boolean().optional(),
  /** The person's constraints on the volumes. Refused where they cannot be carried out. */
  placement: placementSchema.optional(),
  /** Recovery data on each disc; none if not given. Refused where none can be made. */
  protection: protectionSchema.optional(),
  /** Memory for recovery data while a disc is made; half of this machine's if not given. */
  protectionMemoryBytes: bytesSchema.optional(),
  /** Parity across discs: how many may be lost. Refused where none can be made. */
  protectSet: setProtectionSchema.optional(),
  /** The copies that are wanted of each volume. */
  copies: copyNumberSchema.optional(),
  /** The prices that the person has noted, of any media. */
  prices: z.array(priceSchema).max(200).optional(),
})
export type PlanRequest = z.infer<typeof planRequestSchema>

/** Asks for the plans of files as they are that differ by the order of filling the volumes. */
export const planComparisonRequestSchema = planRequestSchema.pick({
  surveyId: true,
  mediumId: true,
  labelPrefix: true,
  placement: true,
  protection: true,
})
export type PlanComparisonRequest = z.infer<typeof planComparisonRequestSchema>

/** Asks for a draft of the volumes of a walk's sources, before they are surveyed. */
export const draftRequestSchema = planRequestSchema
  .pick({ mediumId: true, labelPrefix: true, prices: true })
  .extend({ walkId: idSchema })
export type DraftRequest = z.infer<typeof draftRequestSchema>

/** Asks for what each level of protection survives and costs, for plain files on discs. */
export const protectionComparisonRequestSchema = planComparisonRequestSchema.extend({
  /** Recovery data on each disc, which parity discs and a second copy come on top of. */
  protection: protectionSchema.optional(),
})
export type ProtectionComparisonRequest = z.infer<typeof protectionComparisonRequestSchema>

/** A page of what lies in one folder of one volume of a plan. */
export const volumeFolderRequestSchema = z.object({
  planId: idSchema,
  volume: countSchema.min(1),
  /** Its path on the volume; empty for the root. */
  folder: z.string().max(65_536),
  offset: countSchema.max(2 ** 32 - 1).default(0),
  limit: z.number().int().min(1).max(10_000).default(1000),
})
export type VolumeFolderRequest = z.infer<typeof volumeFolderRequestSchema>

export const volumeFolderSchema = z.object({
  /** All rows of the folder. */
  total: countSchema,
  /** Folders first, each by name. */
  rows: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['folder', 'file', 'symlink', 'part']),
      /** Files in a folder and below; a part counts as one. */
      files: countSchema,
      /** Bytes on this volume; further names of a file take none. */
      bytes: bytesSchema,
      /** Which of how many parts it is, of a file that is split over volumes. */
      part: countSchema.optional(),
      parts: countSchema.optional(),
    }),
  ),
})
export type VolumeFolder = z.infer<typeof volumeFolderSchema>
export type VolumeFolderRow = VolumeFolder['rows'][number]

/** A search for the volumes of a plan that hold matching files or folders. */
export const planSearchRequestSchema = z.object({
  planId: idSchema,
  /** As `catalog.find` takes it. */
  pattern: z.string().min(1).max(4096),
  limit: z.number().int().min(1).max(10_000).default(200),
})
export type PlanSearchRequest = z.infer<typeof planSearchRequestSchema>

export const planSearchSchema = z.object({
  /** Matching entries of all volumes, those beyond the limit included. */
  total: countSchema,
  /**
   * By path, then by volume. A folder that matches represents everything in it; on each volume that
   * holds a part of it, it is an entry.
   */
  found: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(['folder', 'file', 'symlink', 'part']),
      volume: countSchema.min(1),
      /** As in a folder of a volume. */
      files: countSchema,
      bytes: bytesSchema,
    }),
  ),
  /** Every volume that holds a match, in their order, with the sums of its matches. */
  volumes: z.array(z.object({ index: countSchema.min(1), files: countSchema, bytes: bytesSchema })),
})
export type PlanSearch = z.infer<typeof planSearchSchema>
export type PlanSearchRow = PlanSearch['found'][number]

export const planListItemSchema = z.object({
  id: idSchema,
  createdWallMs: wallMsSchema,
  surveyId: idSchema,
  roots: z.array(pathSchema),
  mediumId: mediumIdSchema,
  mediumName: z.string(),
  /** The kind of its volumes. */
  mediumKind: z.enum(MEDIUM_KINDS),
  volumes: countSchema,
  /** Volumes that were built, whatever was done with them since. */
  built: countSchema,
  /**
   * How many volumes have reached each step last; those whose last verification failed are
   * `failed`.
   */
  written: countSchema,
  verified: countSchema,
  failed: countSchema,
  files: countSchema,
  bytes: bytesSchema,
  /** Where it was last exported to, null if never. */
  directory: pathSchema.nullable(),
  /** True when that folder exists. */
  directoryExists: z.boolean(),
  /** The labels of its first and its last volume. */
  firstLabel: z.string(),
  lastLabel: z.string(),
  /** The project that it was made for. */
  project: projectNameSchema.nullable(),
  /** Volumes that were written to a medium since they were built. */
  onMedia: countSchema,
  /** Volumes whose last check found them good, and that were not written unread since. */
  good: countSchema,
  /** When the last of those was checked. */
  verifiedWallMs: wallMsSchema.nullable(),
  /** When the first of its volumes should be checked again. */
  checkByWallMs: wallMsSchema.nullable(),
  /** Its newest run; `interrupted` also while it still goes on. */
  lastRun: z
    .object({
      kind: runDocumentSchema.shape.kind,
      outcome: runDocumentSchema.shape.outcome,
      startedWallMs: wallMsSchema,
      volumes: countSchema,
      /** Volumes that it made, kept or found good. */
      done: countSchema,
      failed: countSchema,
    })
    .nullable(),
})
export type PlanListItem = z.infer<typeof planListItemSchema>

export const foundFileSchema = z.object({
  path: pathSchema,
  bytes: bytesSchema,
  /** Null when the file is surveyed but on no volume yet. */
  volume: z
    .object({
      planId: idSchema,
      index: countSchema,
      label: z.string(),
      state: volumeStateSchema,
      /** The labels of all volumes that are needed to restore it, where one is not enough. */
      needs: z.array(z.string()).optional(),
      /** Why the file was left out of it when it was built; absent where it is there. */
      leftOut: z.enum(SKIP_CAUSES).optional(),
    })
    .nullable(),
  surveyId: idSchema,
})
export type FoundFile = z.infer<typeof foundFileSchema>
