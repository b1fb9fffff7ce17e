import { z } from 'zod'
import { countSchema, wallMsSchema } from '../../scalars'

/** The copies at one place that fall due for verification in one month. */
export const duePlaceSchema = z.object({
  /** When the first of them is due; null for those that are due now. */
  dueWallMs: wallMsSchema.nullable(),
  place: z.string().nullable(),
  copies: countSchema,
  /** The labels of their volumes, each once, in order. */
  labels: z.array(z.string()),
})
export type DuePlace = z.infer<typeof duePlaceSchema>
