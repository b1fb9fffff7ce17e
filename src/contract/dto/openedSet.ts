import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  estimateSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from '../../domain/scalars'
import { restoreChoiceSchema } from '../../domain/sets/restoreChoice'
import { optionalPasswordSchema } from './password'
import { restoreRequestSchema } from './restore'

/** As those of a restore: volumes of one set, or the folder of its plan. */
export const openSetRequestSchema = z.object({
  volumes: z.array(pathSchema).min(1),
  password: optionalPasswordSchema,
  /** The set that is open, whose password serves where none is given. */
  opened: idSchema.optional(),
  /** The generation of an archive that grows, as a restore takes it. */
  asOf: restoreRequestSchema.shape.asOf,
})
export type OpenSetRequest = z.infer<typeof openSetRequestSchema>

const setVolumeSchema = z.object({
  index: countSchema.min(1),
  label: z.string(),
  /** It is among the volumes that were given. */
  atHand: z.boolean(),
})
export type SetVolume = z.infer<typeof setVolumeSchema>

/** A set that is open to choose from, by its own index. */
export const openedSetSchema = z.object({
  /** By which it is asked for its folders, as long as it is open. */
  id: idSchema,
  /** SHA-256 of the index on its volumes. */
  setId: z.string(),
  /** Null where the volumes do not say which plan they are of. */
  planId: idSchema.nullable(),
  /** The states of an archive that grows, oldest first, and the one that is open. */
  generations: z.array(z.object({ generation: countSchema.min(1), createdWallMs: wallMsSchema })).optional(),
  generation: countSchema.min(1).optional(),
  isEncrypted: z.boolean(),
  files: countSchema,
  folders: countSchema,
  bytes: bytesSchema,
  volumes: z.array(setVolumeSchema),
  /** Given volumes that cannot be opened, and lists that are damaged: another one is used. */
  damaged: z.array(z.object({ path: pathSchema, error: wireErrorSchema })),
})
export type OpenedSet = z.infer<typeof openedSetSchema>

const setRowSchema = z.object({
  /** In the set, without a slash at its start. */
  path: z.string(),
  kind: z.enum(['folder', 'file', 'symlink']),
  /** Rows of the folder itself; 0 for what is none. */
  entries: countSchema,
  /** Files in a folder and below. */
  files: countSchema,
  bytes: bytesSchema,
  /** Numbers of the first volumes that it is on, and how many there are. */
  volumes: z.array(countSchema),
  volumeCount: countSchema,
})
export type SetRow = z.infer<typeof setRowSchema>

const pageSchema = z.object({
  limit: z.number().int().min(1).max(10_000).default(1000),
})

export const setFolderRequestSchema = pageSchema.extend({
  id: idSchema,
  /** Its path in the set; empty for the top. */
  folder: z.string().max(65_536),
  offset: countSchema.max(2 ** 32 - 1).default(0),
})
export type SetFolderRequest = z.infer<typeof setFolderRequestSchema>

export const setSearchRequestSchema = pageSchema.extend({
  id: idSchema,
  pattern: z.string().min(1).max(4096),
})
export type SetSearchRequest = z.infer<typeof setSearchRequestSchema>

/** A page of rows; `total` counts those of all pages. */
export const setRowsSchema = z.object({ total: countSchema, rows: z.array(setRowSchema) })
export type SetRows = z.infer<typeof setRowsSchema>

export const setNeedsRequestSchema = z.object({ id: idSchema, chosen: restoreChoiceSchema })

/** The discs, bytes and time that restoring a choice takes. */
export const setNeedsSchema = z.object({
  /** Chosen themselves, not only for what is in them. */
  folders: countSchema,
  files: countSchema,
  /** Symbolic links. */
  links: countSchema,
  bytes: bytesSchema,
  /** In the order of their numbers. */
  volumes: z.array(setVolumeSchema),
  /** Seconds by the plan's forecast; null where no plan of the set is known. */
  seconds: estimateSchema.nullable(),
})
export type SetNeeds = z.infer<typeof setNeedsSchema>
