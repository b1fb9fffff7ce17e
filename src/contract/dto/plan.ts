import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  idSchema,
  mediumIdSchema,
  pathSchema,
  sha256Schema,
  wallMsSchema,
} from './scalars'

export const PLAN_SCHEMA = 'stowage.plan/1'

/** One medium of the catalogue, as the window lists it. */
export const mediumSchema = z.object({
  id: mediumIdSchema,
  name: z.string(),
  family: z.enum(['cd', 'dvd', 'bd', 'bdxl', 'custom', 'folder']),
  /** An image per volume, or a folder of plain files per volume. */
  kind: z.enum(['image', 'folder']),
  sectorBytes: bytesSchema,
  capacitySectors: countSchema,
  capacityBytes: bytesSchema,
  /** Where the capacity comes from. */
  source: z.string(),
  note: z.string(),
})
export type Medium = z.infer<typeof mediumSchema>

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
})
export type PlanRequest = z.infer<typeof planRequestSchema>

/** A top folder's share of a volume, for the gauges; the last one may stand for the rest with an empty path. */
export const volumeShareSchema = z.object({ path: z.string(), bytes: bytesSchema, files: countSchema })

export const planVolumeSchema = z.object({
  index: countSchema.min(1),
  label: z.string(),
  /** Sectors of the finished image, as the mastering tool reports them. */
  sectors: countSchema,
  capacitySectors: countSchema,
  /** Files of the source on this volume (a part of a split file counts as one) and their bytes. */
  files: countSchema,
  bytes: bytesSchema,
  reserveBytes: bytesSchema,
  shares: z.array(volumeShareSchema),
})
export type PlanVolume = z.infer<typeof planVolumeSchema>

/** Something a person should know before accepting the plan. `blocking` ones must be gone before it can be exported. */
export const planProblemSchema = z.object({
  code: z.string(),
  message: z.string(),
  path: pathSchema.optional(),
  blocking: z.boolean(),
})

export const planDocumentSchema = z.object({
  schema: z.literal(PLAN_SCHEMA),
  id: idSchema,
  createdWallMs: wallMsSchema,
  surveyId: idSchema,
  roots: z.array(pathSchema),
  medium: mediumSchema,
  totals: z.object({
    files: countSchema,
    folders: countSchema,
    symlinks: countSchema,
    bytes: bytesSchema,
    volumes: countSchema,
    splitFiles: countSchema,
    /** No plan for this source can have fewer volumes. */
    lowerBoundVolumes: countSchema,
  }),
  mastering: z.object({
    tool: z.string(),
    version: z.string(),
    options: z.array(z.string()),
    /** Volume dates in the images, so that a volume can be rebuilt identically. */
    volumeDateWallMs: wallMsSchema,
  }),
  volumes: z.array(planVolumeSchema),
  /**
   * The files of an exported plan but `plan.json`, by their paths below its folder: `index.tsv` and all below `volumes` say what
   * is on its volumes. Older versions listed only these, or none; in the catalog there are none.
   */
  lists: z.array(z.object({ path: z.string(), bytes: bytesSchema, sha256: sha256Schema })).optional(),
  problems: z.array(planProblemSchema),
})
export type PlanList = NonNullable<PlanDocument['lists']>[number]
/** A plan's own figures; which entry stands on which volume is in the entry lists beside it. */
export type PlanDocument = z.infer<typeof planDocumentSchema>

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

/** What a file of the source is, beside its content; restoring puts it back. */
const fileFactsSchema = {
  mtimeNs: mtimeNsSchema,
  mode: modeSchema,
  /** Of a further name of a file: the path of its first name. */
  linkOf: pathSchema.optional(),
  /** The file occupied less than its size: it had holes, or its file system compressed it. */
  holes: z.literal(true).optional(),
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
    /** Where this part lies in the whole file, which part it is, and what the whole is once rejoined. */
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
    mtimeNs: mtimeNsSchema,
    mode: modeSchema,
  }),
  z.object({
    kind: z.literal('symlink'),
    path: pathSchema,
    source: pathSchema,
    target: pathSchema,
    mtimeNs: mtimeNsSchema,
  }),
])
export type PlanEntry = z.infer<typeof planEntrySchema>

export const planListItemSchema = z.object({
  id: idSchema,
  createdWallMs: wallMsSchema,
  surveyId: idSchema,
  roots: z.array(pathSchema),
  mediumId: mediumIdSchema,
  mediumName: z.string(),
  volumes: countSchema,
  files: countSchema,
  bytes: bytesSchema,
  /** Where it was last exported to, null if never. */
  directory: pathSchema.nullable(),
})
export type PlanListItem = z.infer<typeof planListItemSchema>

export const foundFileSchema = z.object({
  path: pathSchema,
  bytes: bytesSchema,
  /** Null when the file is surveyed but on no volume yet. */
  volume: z.object({ planId: idSchema, index: countSchema, label: z.string() }).nullable(),
  surveyId: idSchema,
})
export type FoundFile = z.infer<typeof foundFileSchema>
