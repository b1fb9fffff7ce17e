import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from '../scalars'
import { fileSystemSchema } from './copies/fileSystemIdentity'
import { damagedFoldersSchema } from './damagedFolders'
import { skippedFileSchema } from './skippedFile'
import { recoveryBlocksSchema, verdictSchema } from './verdict'

export const CHECK_SCHEMA = 'stowage.check/1'

/** At most a century. */
export const monthsSchema = countSchema.min(1).max(1200)

/**
 * How a volume was read: by direct reads; buffered, with the cache emptied before; or perhaps from
 * the cache.
 */
export const readingWaySchema = z.enum(['uncached', 'dropped', 'cached'])
export type ReadingWay = z.infer<typeof readingWaySchema>

/** Bytes of a file, or of an image or a disc, that could not be read. */
const byteRangeSchema = z.object({ offset: bytesSchema, bytes: bytesSchema })

const damagedFileSchema = z.object({
  /** On the volume; of a file in an archive, its path in the set. */
  path: pathSchema,
  /**
   * `unreadable`: sectors cannot be read. `cut`: the image or file ends before. `differs`: by
   * SHA-256 or size.
   */
  kind: z.enum(['unreadable', 'cut', 'differs', 'missing']),
  /** One line without the path. */
  because: z.string(),
  /** In the file. */
  unreadable: z.array(byteRangeSchema),
  /**
   * The same on the image or disc, in sectors of 2,048 bytes; null in a folder, which does not know
   * them.
   */
  sectors: z.array(z.object({ first: countSchema, count: countSchema })).nullable(),
  /**
   * Only in a folder, of a file that differs: `changed` was written to since, `corrupted` has the
   * size and time with which it was written.
   */
  cause: z.enum(['changed', 'corrupted']).optional(),
  /** Absent in checks of older versions. */
  verdict: verdictSchema.optional(),
  /** Present for recovery data and second copies of lists, without which all files are right. */
  protects: z.literal(true).optional(),
})
export type DamagedFile = z.infer<typeof damagedFileSchema>

/** The result of checking one volume. */
const checkedVolumeSchema = z.object({
  /** Where it was. */
  path: pathSchema,
  /**
   * `image`: or a disc in its drive. Mounted and copied discs are folders. Absent in checks of
   * older versions.
   */
  kind: z.enum(['image', 'folder']).optional(),
  /** SHA-256 of the index of its set; null where neither index nor checksums could be read. */
  setId: z.string().nullable(),
  /** The ID of the plan that made it, as on the volume. */
  planId: idSchema.nullable(),
  index: countSchema.nullable(),
  /** Which copy of the volume it is: 0 in a plan's folder; absent where it was not identified. */
  copy: countSchema.optional(),
  /**
   * By which facts of the catalog its lists were proved: the ID of its set, or the digests of its
   * files; `none`: they contradict them. Absent where the catalog knows neither.
   */
  against: z.enum(['set', 'entries', 'none']).optional(),
  /** The file system that it was read from; absent where the system does not tell it. */
  fileSystem: fileSystemSchema.optional(),
  label: z.string(),
  /** `unchecked`: it could not be opened as a volume, for the reason in `error`. */
  state: z.enum(['good', 'damaged', 'unchecked', 'cancelled']),
  /**
   * The worst of its files, folders and recovery data. Absent where it was not checked to the end,
   * and in checks of older versions.
   */
  verdict: verdictSchema.optional(),
  /** Blocks of all its recovery data; absent where it has none. */
  recovery: recoveryBlocksSchema.optional(),
  /** The least that was obtained for any of its bytes, with how; null where nothing was read. */
  reading: z.object({ way: readingWaySchema, because: z.string() }).nullable(),
  /**
   * The files read and compared on the volume, and their bytes without those that share content.
   */
  files: countSchema,
  bytes: bytesSchema,
  /** Files in archives that were unpacked and compared too. */
  contents: countSchema,
  elapsedMs: durationMsSchema,
  damaged: z.array(damagedFileSchema),
  /** Files that were left out of it while it was built; absent where there are none. */
  skipped: z.array(skippedFileSchema).optional(),
  /** Only of an image with damaged folders: how its files were found. */
  damagedFolders: damagedFoldersSchema.optional(),
  error: wireErrorSchema.nullable(),
  /** When it should be checked again; null unless it is good and known by its set. */
  checkByWallMs: wallMsSchema.nullable(),
  notes: z.array(z.string()),
})
export type CheckedVolume = z.infer<typeof checkedVolumeSchema>

export const checkDocumentSchema = z.object({
  schema: z.literal(CHECK_SCHEMA),
  id: idSchema,
  startedWallMs: wallMsSchema,
  elapsedMs: durationMsSchema,
  outcome: z.enum(['done', 'failed', 'cancelled']),
  volumes: z.array(checkedVolumeSchema),
  /** Volumes of the same sets that were not given. */
  notGiven: z.array(z.object({ setId: z.string(), index: countSchema, label: z.string() })),
})
export type CheckDocument = z.infer<typeof checkDocumentSchema>

/** One verification of one volume, as the catalog keeps it. */
const volumeCheckSchema = z.object({
  /** The run or check that it was part of. */
  id: idSchema,
  /**
   * SHA-256 of the index of the set; null for verifications of older versions, which know only the
   * plan.
   */
  setId: z.string().nullable(),
  /**
   * The plan that made the volume, whether this catalog has it or not; null where it is not known.
   */
  planId: idSchema.nullable(),
  volume: countSchema,
  /** 0: the image or folder in the plan's folder. */
  copy: countSchema,
  label: z.string(),
  checkedWallMs: wallMsSchema,
  result: z.enum(['good', 'damaged']),
  /**
   * `plan`: against the plan's folder. `volume`: the volume alone, by its own index and checksums.
   */
  by: z.enum(['plan', 'volume']),
  reading: readingWaySchema.nullable(),
  files: countSchema,
  damaged: countSchema,
  /** After how many months it should be checked again. */
  everyMonths: monthsSchema,
})
export type VolumeCheck = z.infer<typeof volumeCheckSchema>

/** A volume with its last check, or none. */
export const volumeDueSchema = z.object({
  setId: z.string().nullable(),
  planId: idSchema.nullable(),
  volume: countSchema,
  /** A further copy has rows of its own; the built one and copy 1 share theirs. */
  copy: countSchema,
  label: z.string(),
  /** When it was made, where the catalog knows that. */
  madeWallMs: wallMsSchema.nullable(),
  last: volumeCheckSchema.nullable(),
  /** When it should be checked: long ago where it was never checked or is damaged. */
  checkByWallMs: wallMsSchema,
})
export type VolumeDue = z.infer<typeof volumeDueSchema>
