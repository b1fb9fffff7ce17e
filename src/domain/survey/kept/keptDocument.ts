import { z } from 'zod'
import { bytesSchema, countSchema, idSchema, pathSchema, wallMsSchema } from '../../scalars'

export const KEPT_SCHEMA = 'stowage.kept/1'

const sumSchema = z.object({ files: countSchema, bytes: bytesSchema })

/** A folder with all that is below it. */
const keptFolderSchema = z.object({
  path: pathSchema,
  files: countSchema,
  bytes: bytesSchema,
  /** Its files that are on verified volumes, those by time only among them. */
  keptFiles: countSchema,
  keptBytes: bytesSchema,
  /** Files without SHA-256: a kept file has their name, size and modification time. */
  byTimeOnlyFiles: countSchema,
  byTimeOnlyBytes: bytesSchema,
  /** Every file below is kept, and nothing below could not be read. */
  whole: z.boolean(),
})
export type KeptFolder = z.infer<typeof keptFolderSchema>

/**
 * A folder with the same content as another one of the source: below both are the same names with
 * the same SHA-256.
 */
const folderCopySchema = z.object({
  path: pathSchema,
  /** The first of the equal folders in the order of the source. */
  copyOf: pathSchema,
  /** Names of files below it, further names of one file included, and the bytes of them all. */
  files: countSchema,
  bytes: bytesSchema,
})
export type FolderCopy = z.infer<typeof folderCopySchema>

const keptVolumeSchema = z.object({
  planId: idSchema,
  volume: countSchema.min(1),
  label: z.string(),
  /** Its last verification, which found it good. */
  checkedWallMs: wallMsSchema,
  /** Files of the source that are on it, whole or in part, with their whole size. */
  files: countSchema,
  bytes: bytesSchema,
})

/**
 * How much of a survey's source is on verified volumes of the catalog. Files with several names
 * count once.
 */
export const keptDocumentSchema = z.object({
  schema: z.literal(KEPT_SCHEMA),
  surveyId: idSchema,
  /** The folder that the figures are of; null for all sources. */
  folder: pathSchema.nullable(),
  totals: z.object({
    files: countSchema,
    bytes: bytesSchema,
    byDigest: sumSchema,
    /** By name, size and modification time only, where the survey has no SHA-256. */
    byTime: sumSchema,
    notKept: sumSchema,
  }),
  /** False where the catalog has no verified volume. */
  anyVerified: z.boolean(),
  /**
   * Folders with files, the largest first; none below a folder of which everything or nothing is
   * kept.
   */
  folders: z.array(keptFolderSchema),
  moreFolders: countSchema,
  /** The largest first, none below another copy. Absent with a reason. */
  copies: z.array(folderCopySchema).optional(),
  moreCopies: countSchema,
  copiesAbsent: z.string().optional(),
  /** Files with content and without SHA-256: folders that hold one are not compared. */
  withoutSha256: countSchema,
  /** The volumes that hold something of it, by plan (newest first) and number. */
  volumes: z.array(keptVolumeSchema),
})
export type KeptDocument = z.infer<typeof keptDocumentSchema>
