import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from '../../domain/scalars'
import { damagedFoldersSchema } from '../../domain/sets/damagedFolders'
import { restoreChoiceSchema } from '../../domain/sets/restoreChoice'
import { optionalPasswordSchema } from './password'

export {
  type ChoiceMarks,
  choiceOf,
  folderOf,
  isChosen,
  marksOf,
} from '../../domain/sets/restoreChoice'

export const RESTORE_SCHEMA = 'stowage.restore/1'

export const restoreRequestSchema = z.object({
  /**
   * Volumes of one set in any order: folders of plans with what was built of them, images, mounted
   * or copied discs.
   */
  volumes: z.array(pathSchema).min(1),
  /**
   * The only volume is a folder that was restored to a disk with other names: its files get those
   * of its `RESTORED-NAMES.tsv` back.
   */
  originalNames: z.boolean().default(false),
  /** Paths of folders or files of the set, or patterns with `*` and `?`; everything when empty. */
  files: z.array(z.string().min(1).max(4096)).default([]),
  /** Folders and files of the set by their exact paths, each of which must be there. */
  listed: z.array(z.string().min(1).max(65_536)).optional(),
  /**
   * Folders and files of the set by their exact paths, in place of the others: nothing in them is a
   * pattern.
   */
  chosen: restoreChoiceSchema.optional(),
  /**
   * The day (`2026-05-31`), the minute (`2026-05-31T14:30`) or the number of a generation: an
   * archive that grows is restored as the source was then. The newest generation that the volumes
   * list, if not given.
   */
  asOf: z.string().min(1).max(64).optional(),
  /** The folder to restore into. It is made if it is not there. */
  to: pathSchema,
  /** Replace files that differ from those of the set. */
  force: z.boolean().default(false),
  /** Put setuid and setgid bits and capabilities of files back. */
  trust: z.boolean().default(false),
  /** The password of an encrypted set. */
  password: optionalPasswordSchema,
  /** A set that `open` has opened, whose password serves where none is given. */
  opened: idSchema.optional(),
})
export type RestoreRequest = z.infer<typeof restoreRequestSchema>

/** A file that was not restored, with the volume that holds it and the reason. */
const unrestoredSchema = z.object({
  path: pathSchema,
  label: z.string(),
  error: wireErrorSchema,
})
export type Unrestored = z.infer<typeof unrestoredSchema>

const neededVolumeSchema = z.object({
  index: countSchema.min(1),
  label: z.string(),
  /** The wanted files on it. */
  files: countSchema,
  bytes: bytesSchema,
})

export const restoreDocumentSchema = z.object({
  schema: z.literal(RESTORE_SCHEMA),
  id: idSchema,
  volumes: z.array(pathSchema),
  directory: pathSchema,
  startedWallMs: wallMsSchema,
  elapsedMs: durationMsSchema,
  /** `incomplete`: everything on the given volumes is restored, and more of them are needed. */
  outcome: z.enum(['done', 'incomplete', 'failed', 'cancelled']),
  /** The generation of an archive that grows whose files were wanted. */
  generation: countSchema.min(1).optional(),
  /** The newest generation that the given volumes list; absent where that is the one wanted. */
  newestGeneration: countSchema.min(1).optional(),
  /**
   * Given volumes that no list that can be read names: they may be of a newer generation. Absent
   * where there are none.
   */
  mayBeNewer: z.array(pathSchema).optional(),
  /** Wanted files, with split files counted once, and their bytes. */
  files: countSchema,
  bytes: bytesSchema,
  /**
   * Written and checked by SHA-256, and those that were there already with the right content; where
   * their volume is not given, with the right size and time.
   */
  restored: countSchema,
  restoredBytes: bytesSchema,
  kept: countSchema,
  folders: countSchema,
  symlinks: countSchema,
  /** On a given volume with other content than the index says, or not readable. */
  damaged: z.array(unrestoredSchema),
  /** Not on the volume that should hold them. */
  missing: z.array(unrestoredSchema),
  /**
   * Left out of a given volume while that was built, as it says itself: no copy of it has them.
   * Older versions did not know that.
   */
  skipped: z.array(unrestoredSchema).optional(),
  /**
   * Given volumes that cannot be read as such, and indexes that do not match the checksums. With an
   * index of another volume everything else is restored; without any only contents are.
   */
  damagedLists: z.array(z.object({ path: pathSchema, error: wireErrorSchema })),
  /** Given images with damaged folders, and how their files were found all the same. */
  damagedFolders: z.array(damagedFoldersSchema).optional(),
  /** In the target already with other content, and not replaced. */
  differing: z.array(unrestoredSchema),
  /** Restored files for which recovery data on their volumes was needed. */
  repaired: countSchema,
  /** Their paths; absent where there are none. */
  repairedFiles: z.array(pathSchema).optional(),
  volumesNeeded: z.array(neededVolumeSchema),
  /** The set has parity discs, by which a lost disc can be made again; absent where it has none. */
  hasParity: z.literal(true).optional(),
  /** The properties that the target could not hold, in words. */
  notes: z.array(z.string()),
  /**
   * Wanted files, folders and links whose names the target cannot hold: `RESTORED-NAMES.tsv` in it
   * lists them.
   */
  renamed: countSchema,
  /** Symbolic links that are not restored, as the target has none; the same list names them. */
  linksLeft: countSchema,
  /**
   * Restored files, folders and links that belong to others, and stay with who restores them: only
   * root can give files away.
   */
  ownersLeft: countSchema,
  /**
   * The properties of restored files, folders and links that the target refused: an owner (`owner`)
   * or the extended attribute of this name.
   */
  notPutBack: z.array(z.object({ path: pathSchema, fact: z.string(), error: wireErrorSchema })),
  /**
   * How many of these are `setuid`, `setgid` and `security.capability`, which are put back only
   * with `trust`.
   */
  untrusted: countSchema,
})
export type RestoreDocument = z.infer<typeof restoreDocumentSchema>
