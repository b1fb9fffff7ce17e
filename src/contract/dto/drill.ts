import { z } from 'zod'
import { bytesSchema, countSchema, estimateSchema, idSchema, pathSchema } from '../../domain/scalars'
import { copyNumberSchema } from '../../domain/sets/copies/copy'
import { drillDocumentSchema } from '../../domain/sets/drill/drillDocument'
import { optionalPasswordSchema } from './password'

export { type DrillDocument, drillDocumentSchema } from '../../domain/sets/drill/drillDocument'
export { lastTried } from '../../domain/sets/drill/lastTried'

/** The sample where nothing else is asked for. */
export const DRILL_FILES = 20
export const DRILL_BYTES = 2_000_000_000

export const drillRequestSchema = z.object({
  /** Volumes of one set: folders of plans, images, mounted discs. */
  volumes: z.array(pathSchema).min(1),
  files: z.number().int().min(1).max(100_000).default(DRILL_FILES),
  bytes: z.number().int().min(1).default(DRILL_BYTES),
  /** Drawn if not given. */
  seed: countSchema.max(2 ** 32 - 1).optional(),
  /** Which copy the volumes are, where the catalog knows several of them. */
  copy: copyNumberSchema.nullable().default(null),
  password: optionalPasswordSchema,
  /** A set that `restore.open` has opened, whose password serves where none is given. */
  opened: idSchema.optional(),
})
export type DrillRequest = z.infer<typeof drillRequestSchema>

/** The sample that a drill with this seed restores, and what that takes. */
export const drillPreviewSchema = z.object({
  ...drillDocumentSchema.pick({ seed: true, evidence: true, files: true, bytes: true, volumes: true }).shape,
  /** Archives that are unpacked whole for files in them, and the bytes of all files in these. */
  unpacked: z.object({ archives: countSchema, bytes: bytesSchema }),
  /** Needed in the temporary folder: the sample, and all that is unpacked with it. */
  spaceBytes: bytesSchema,
  /** Null where the file system does not report it. */
  freeBytes: bytesSchema.nullable(),
  /** Seconds by the plan's forecast; null where no plan of the set is known. */
  seconds: estimateSchema.nullable(),
})
export type DrillPreview = z.infer<typeof drillPreviewSchema>
