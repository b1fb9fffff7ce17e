import { z } from 'zod'
import type { Medium } from '../../domain/media/medium'
import type {
  PlanDocument,
  PlanEntry,
  PlanList,
  PlannedImage,
  PlanPacking,
  PlanProblem,
  PlanTotals,
  PlanVolume,
  VolumeShare,
} from '../../domain/sets/planDocument'
import type { BurnTimes, PlanTimes, VolumeTimes } from '../../domain/sets/times/planTimes'
import type { VolumeState } from '../../domain/sets/volumeState'
import { exactly } from '../exactly'
import { optionEncryptionSchema } from './options'
import {
  bytesSchema,
  countSchema,
  estimateSchema,
  idSchema,
  mediumIdSchema,
  pathSchema,
  sha256Schema,
  wallMsSchema,
} from './scalars'

export type { Medium } from '../../domain/media/medium'
export type * from '../../domain/sets/planDocument'
export type * from '../../domain/sets/times/planTimes'
export type { VolumeState } from '../../domain/sets/volumeState'

export const PLAN_SCHEMA = 'stowage.plan/2'

export const mediumSchema = exactly<Medium>()(
  z.object({
    id: mediumIdSchema,
    name: z.string(),
    family: z.enum(['cd', 'dvd', 'bd', 'bdxl', 'custom', 'folder']),
    kind: z.enum(['image', 'folder']),
    sectorBytes: bytesSchema,
    capacitySectors: countSchema,
    capacityBytes: bytesSchema,
    source: z.string(),
    note: z.string(),
  }),
)

/** A permanent name of `domain/options/recipes/recipe.ts`. */
const recipeNameSchema = z.string().min(1).max(100)

export const planRequestSchema = z.object({
  surveyId: idSchema,
  mediumId: mediumIdSchema,
  /** Volume labels are `<labelPrefix>_01` and so on: A-Z, 0-9 and _ only, as ISO 9660 asks. Derived from the source when absent. */
  labelPrefix: z
    .string()
    .regex(/^[A-Z0-9_]{1,24}$/)
    .optional(),
  /** Whether the plan counts only once it is exported: until then it is in no list, and it goes with the process that made it. */
  forExport: z.boolean().optional(),
  /** The folder that it will be exported to, where that is known: how long making files takes is timed there. */
  directory: pathSchema.optional(),
  /** The permanent name of the recipe to pack the files with; without it they are stored as they are. */
  recipe: recipeNameSchema.optional(),
  /** Refused where the recipe cannot encrypt; the password is asked for when the plan is built. */
  encryption: optionEncryptionSchema.optional(),
  /** One archive cut over all volumes instead of one on each. */
  joined: z.boolean().optional(),
})
export type PlanRequest = z.infer<typeof planRequestSchema>

const volumeShareSchema = exactly<VolumeShare>()(
  z.object({ path: z.string(), bytes: bytesSchema, files: countSchema }),
)

const planVolumeSchema = exactly<PlanVolume>()(
  z.object({
    index: countSchema.min(1),
    // A plan's folder may come from anyone, and a volume is written to a folder under its label.
    label: z.string().regex(/^[A-Z0-9_]{1,32}$/),
    sectors: countSchema,
    capacitySectors: countSchema,
    files: countSchema,
    bytes: bytesSchema,
    reserveBytes: bytesSchema,
    shares: z.array(volumeShareSchema),
  }),
)

const planProblemSchema = exactly<PlanProblem>()(
  z.object({
    code: z.string(),
    message: z.string(),
    path: pathSchema.optional(),
    blocking: z.boolean(),
  }),
)

const planTotalsSchema = exactly<PlanTotals>()(
  z.object({
    files: countSchema,
    folders: countSchema,
    symlinks: countSchema,
    bytes: bytesSchema,
    volumes: countSchema,
    splitFiles: countSchema,
    lowerBoundVolumes: countSchema,
  }),
)

const planListSchema = exactly<PlanList>()(
  z.object({ path: z.string(), bytes: bytesSchema, sha256: sha256Schema }),
)

const plannedImageSchema = exactly<PlannedImage>()(
  z.object({ bytes: bytesSchema, bandBytes: bytesSchema.nullable() }),
)

const planPackingSchema = exactly<PlanPacking>()(
  z.object({
    recipe: recipeNameSchema,
    arrangement: z.enum(['independent', 'joined']),
    encryption: optionEncryptionSchema,
    bytes: estimateSchema,
    streamed: z.literal(true).optional(),
    image: plannedImageSchema.optional(),
  }),
)

const volumeTimesSchema = exactly<VolumeTimes>()(
  z.object({
    pack: estimateSchema.nullable(),
    build: estimateSchema,
    write: estimateSchema,
    verify: estimateSchema,
    restore: estimateSchema,
  }),
)

const burnTimesSchema = exactly<BurnTimes>()(
  z.object({
    from: z.enum(['files', 'images']),
    seconds: estimateSchema,
    bottleneck: z.enum(['source', 'writer', 'starvation']),
    bufferBytes: bytesSchema,
    disc: z.object({
      index: countSchema.min(1),
      seconds: z.number().nonnegative(),
      unbufferedSeconds: z.number().nonnegative(),
      smallFirstSeconds: z.number().nonnegative(),
      smallLastSeconds: z.number().nonnegative(),
    }),
  }),
)

const planTimesSchema = exactly<PlanTimes>()(
  z.object({
    total: volumeTimesSchema,
    volumes: z.array(volumeTimesSchema),
    burn: burnTimesSchema.optional(),
  }),
)

export const planDocumentSchema = exactly<PlanDocument>()(
  z.object({
    schema: z.enum(['stowage.plan/1', PLAN_SCHEMA]),
    id: idSchema,
    createdWallMs: wallMsSchema,
    surveyId: idSchema,
    roots: z.array(pathSchema),
    medium: mediumSchema,
    packing: planPackingSchema.optional(),
    equalFiles: z.literal('once').optional(),
    totals: planTotalsSchema,
    mastering: z.object({
      tool: z.string(),
      version: z.string(),
      options: z.array(z.string()),
      volumeDateWallMs: wallMsSchema,
    }),
    volumes: z.array(planVolumeSchema),
    times: planTimesSchema.optional(),
    lists: z.array(planListSchema).optional(),
    problems: z.array(planProblemSchema),
  }),
)

/**
 * When the source was last written to: nanoseconds since 1970, modulo 2^64 outside 1677 to 2262. Plans of older versions do not
 * have it.
 */
const mtimeNsSchema = z
  .string()
  .regex(/^-?\d{1,20}$/)
  .optional()

/** Permissions as `chmod` takes them. Plans of older versions do not have them. */
const modeSchema = z.number().int().min(0).max(0o7777).optional()

const accountSchema = z.number().int().min(0).max(0xffff_ffff)
const accountNameSchema = z.string().min(1).max(1024)

/** What an entry of a plan can say of owners and extended attributes; names of accounts and attributes are bytes, as paths are. */
const ownershipSchema = {
  owner: z
    .object({
      uid: accountSchema,
      gid: accountSchema,
      user: accountNameSchema.optional(),
      group: accountNameSchema.optional(),
    })
    .optional(),
  attributes: z
    .array(z.object({ name: accountNameSchema, value: z.string().regex(/^(?:[0-9a-f]{2})*$/) }))
    .optional(),
} as const

const fileFactsSchema = {
  ...ownershipSchema,
  mtimeNs: mtimeNsSchema,
  mode: modeSchema,
  linkOf: pathSchema.optional(),
  holes: z.literal(true).optional(),
  in: pathSchema.optional(),
  member: pathSchema.optional(),
  method: recipeNameSchema.optional(),
} as const

export const planEntrySchema = exactly<PlanEntry>()(
  z.discriminatedUnion('kind', [
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
      ...ownershipSchema,
      mtimeNs: mtimeNsSchema,
      mode: modeSchema,
      method: recipeNameSchema.optional(),
    }),
    z.object({
      kind: z.literal('symlink'),
      path: pathSchema,
      source: pathSchema,
      ...ownershipSchema,
      target: pathSchema,
      mtimeNs: mtimeNsSchema,
    }),
  ]),
)

export const planListItemSchema = z.object({
  id: idSchema,
  createdWallMs: wallMsSchema,
  surveyId: idSchema,
  roots: z.array(pathSchema),
  mediumId: mediumIdSchema,
  mediumName: z.string(),
  volumes: countSchema,
  /** Of the volumes, by the step that each has reached last; those whose last verification failed are `failed`. */
  built: countSchema,
  written: countSchema,
  verified: countSchema,
  failed: countSchema,
  files: countSchema,
  bytes: bytesSchema,
  /** Where it was last exported to, null if never. */
  directory: pathSchema.nullable(),
})
export type PlanListItem = z.infer<typeof planListItemSchema>

const volumeStateSchema = exactly<VolumeState>()(
  z.object({
    plannedWallMs: wallMsSchema,
    builtWallMs: wallMsSchema.nullable(),
    writtenWallMs: wallMsSchema.nullable(),
    verifiedWallMs: wallMsSchema.nullable(),
    failedWallMs: wallMsSchema.nullable(),
    checkByWallMs: wallMsSchema.nullable(),
  }),
)

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
    })
    .nullable(),
  surveyId: idSchema,
})
export type FoundFile = z.infer<typeof foundFileSchema>
