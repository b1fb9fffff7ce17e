import { z } from 'zod'
import { countSchema, pathSchema } from '../scalars'

export const LABELS_SCHEMA = 'stowage.labels/1'

/** The labels that were made of a plan. */
export const labelsDocumentSchema = z.object({
  schema: z.literal(LABELS_SCHEMA),
  planId: z.string(),
  directory: pathSchema,
  /** The one PDF with all of them. */
  pdf: pathSchema,
  /** A drawing for each face and sheet. */
  drawings: z.array(pathSchema),
  volumes: countSchema,
  /** Texts with letters that the fonts of the PDF do not have. */
  substituted: z.array(z.string()),
})
export type LabelsDocument = z.infer<typeof labelsDocumentSchema>
