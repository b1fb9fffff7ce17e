import { z } from 'zod'
import { archiveIntentSchema, archiveSourceSchema } from '../../domain/archives/archive'
import { bytesSchema, countSchema, idSchema, pathSchema } from '../../domain/scalars'
import { placementSchema } from '../../domain/sets/placement'
import { projectIdSchema, projectNameSchema, projectTitleSchema } from '../../domain/survey/projectName'
import { ROM_LAYOUTS } from '../../domain/survey/romLayout'
import { planListItemSchema, planRequestSchema } from './plan'

export { namedArchives } from '../../domain/archives/namedArchives'
export { projectOfIntent } from '../../domain/archives/projectOfIntent'

/** Plans that add to one another: one complete run of volumes, which may have grown. */
const archiveSetSchema = z.object({
  /** The ID of its first plan. */
  id: idSchema,
  mediumId: z.string(),
  mediumName: z.string(),
  /** The permanent name of the recipe; null where files are stored as they are. */
  option: z.string().nullable(),
  encryption: planRequestSchema.shape.encryption.unwrap(),
  /** The plan that the next one adds to: the newest of which a volume was made; null for none. */
  newestMade: idSchema.nullable(),
  /** Oldest first. */
  plans: z.array(planListItemSchema).min(1),
})
export type ArchiveSet = z.infer<typeof archiveSetSchema>

/** A source where this computer has it. */
const placedSourceSchema = archiveSourceSchema.extend({ isThere: z.boolean() })

/** An archive as it is listed: its intent, and the record that the catalog has of it. */
export const archiveDocumentSchema = archiveIntentSchema.extend({
  /** True where nobody stored it: it is known by its plans, with the answers of the last. */
  isDerived: z.boolean(),
  sources: z.array(placedSourceSchema),
  /** The one that was added to last first, those of which nothing was made last. */
  sets: z.array(archiveSetSchema),
})
export type ArchiveDocument = z.infer<typeof archiveDocumentSchema>

export const ARCHIVES_SCHEMA = 'stowage.archives/1'

/** Every archive, and the sets of no archive: those added to last come first. */
export const archivesDocumentSchema = z.object({
  schema: z.literal(ARCHIVES_SCHEMA),
  archives: z.array(archiveDocumentSchema),
  sets: z.array(archiveSetSchema),
})
export type ArchivesDocument = z.infer<typeof archivesDocumentSchema>

/** Makes an archive of a plan's set, brings its answers up to date, or adopts the set into one. */
export const keepArchiveRequestSchema = z.object({
  planId: idSchema,
  /** That of the plan's project, or a new one, if not given. */
  archiveId: projectIdSchema.optional(),
  /** The name of a new archive; that of the project or the first source if not given. */
  name: projectTitleSchema.optional(),
})
export type KeepArchiveRequest = z.infer<typeof keepArchiveRequestSchema>

/** The plan that the next one of an archive adds to. */
export const archiveAdditionSchema = z.object({
  archive: projectNameSchema,
  /** The newest plan of which a volume was made. */
  planId: idSchema,
  encryption: archiveIntentSchema.shape.encryption,
  /** The reason why nothing can be added to it, in words: everything is planned anew then. */
  anew: z.string().nullable(),
  /** The labels of the newest plan's volumes, which stay as they are. */
  labels: z.array(z.string()),
  /** The plan that adds to the same volumes and was not built yet; null for none. */
  unbuilt: z.object({ planId: idSchema, directory: pathSchema.nullable() }).nullable(),
  /** The other sets, with what was added since to the one that the plan adds to. */
  behind: z.array(
    z.object({ setId: idSchema, mediumName: z.string(), plans: countSchema, bytes: bytesSchema }),
  ),
  /** The constraints on volumes that every plan of the archive keeps: order, labels, reserve. */
  placement: placementSchema.nullable(),
  /** The DATs by which that plan puts files together, where they were then; absent without any. */
  dats: z.array(pathSchema).min(1).optional(),
  /** How it lays out their ROM sets; absent: as each asks for. */
  layout: z.enum(ROM_LAYOUTS).optional(),
  /** A folder for the plan, which does not exist yet; null where the archive has no folder. */
  directory: pathSchema.nullable(),
})
export type ArchiveAddition = z.infer<typeof archiveAdditionSchema>
