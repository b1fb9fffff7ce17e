import { z } from 'zod'
import { bytesSchema, countSchema, estimateSchema, idSchema, pathSchema, wallMsSchema } from '../../scalars'
import { COPY_STATES } from '../copies/copy'

export const QUEUE_SCHEMA = 'stowage.restoreQueue/1'

/** `unknown`: the catalog knows the volume by its plan alone, and no copy of it. */
const OFFER_STATES = [...COPY_STATES, 'unknown'] as const
export type OfferState = (typeof OFFER_STATES)[number]

/** A volume to be given to a restore, and the copy of it that is to be fetched. */
const queuedVolumeSchema = z.object({
  planId: idSchema.nullable(),
  index: countSchema.min(1),
  label: z.string(),
  /** 0: the image or folder in the plan's folder; null where no copy is known. */
  copy: countSchema.nullable(),
  /** Null where nobody has noted it. */
  place: z.string().nullable(),
  state: z.enum(OFFER_STATES),
  /** The image or folder, where it is there now. */
  path: pathSchema.nullable(),
  /** The places of its other copies that can be fetched in its stead. */
  others: z.array(z.object({ copy: countSchema, place: z.string().nullable(), state: z.enum(OFFER_STATES) })),
  /** The files that need it; one in parts counts on each of its volumes. */
  files: countSchema,
  /** A file in parts counts with an equal share on each. */
  bytes: bytesSchema,
  /** Null where the plan's times are not known. */
  seconds: estimateSchema.nullable(),
})
export type QueuedVolume = z.infer<typeof queuedVolumeSchema>

/** A file that is on no volume of which a copy is left. */
const lostFileSchema = z.object({
  path: z.string(),
  bytes: bytesSchema,
  /** The labels of the volumes that held it. */
  labels: z.array(z.string()),
})
export type LostFile = z.infer<typeof lostFileSchema>

export const restoreQueueSchema = z.object({
  schema: z.literal(QUEUE_SCHEMA),
  atWallMs: wallMsSchema,
  /** Wanted files that can be had, and their bytes. */
  files: countSchema,
  bytes: bytesSchema,
  /** In the order in which they are to be given, each once. */
  volumes: z.array(queuedVolumeSchema),
  /** Places to fetch them from; volumes that are there now need none. */
  places: countSchema,
  /** Fewer than so many volumes do not have all these files. */
  fewest: countSchema,
  /** True where the volumes are as few as that. */
  isFewest: z.boolean(),
  /** Null where the times of any volume are not known. */
  seconds: estimateSchema.nullable(),
  lostFiles: countSchema,
  lostBytes: bytesSchema,
  /** The first of them. */
  lost: z.array(lostFileSchema),
  /**
   * Given volumes that no list that can be read names: they may be of a newer generation. Absent
   * where there are none.
   */
  mayBeNewer: z.array(pathSchema).optional(),
})
export type RestoreQueue = z.infer<typeof restoreQueueSchema>
