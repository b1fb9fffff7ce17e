import { z } from 'zod'
import { mediumSchema } from '../media/medium'
import { priceSchema } from '../media/price'
import { bytesSchema, countSchema, idSchema, pathSchema } from '../scalars'
import { planVolumeSchema } from './planDocument'

export const DRAFT_SCHEMA = 'stowage.draft/1'

/**
 * The volumes that a source would take as it is, from names and sizes alone. It is no plan: it has
 * no ID, is not in the catalog, and nothing is built from it. Sizes of volumes are those of the
 * cost model; a plan is sized to the sector.
 */
export const draftDocumentSchema = z.object({
  schema: z.literal(DRAFT_SCHEMA),
  /** The walk whose sources were listed. */
  walkId: idSchema,
  roots: z.array(pathSchema),
  medium: mediumSchema,
  totals: z.object({
    files: countSchema,
    bytes: bytesSchema,
    /** No plan has fewer volumes. */
    lowerBoundVolumes: countSchema,
    splitFiles: countSchema,
    brokenFolders: countSchema,
  }),
  /** The order in which volumes are filled. */
  filledBy: z.enum(['size', 'name', 'date']),
  volumes: z.array(planVolumeSchema),
  /** The prices that a person has noted for the medium; absent without any. */
  prices: z.array(priceSchema).min(1).optional(),
})
export type DraftDocument = z.infer<typeof draftDocumentSchema>
