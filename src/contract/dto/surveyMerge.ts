import { z } from 'zod'
import { bytesSchema, countSchema, idSchema, pathSchema, wallMsSchema } from '../../domain/scalars'
import { chunkedSchema, fixedBlockSchema } from './survey'

export const SURVEY_MERGE_SCHEMA = 'stowage.surveyMerge/1'

/**
 * The bytes that a survey adds to those before it, by one way of cutting; low and high are the 95 %
 * range.
 */
const addedSchema = z.object({
  /** A block size in bytes, or a chunker's permanent name. */
  cut: z.union([bytesSchema, z.string()]),
  addedBytes: bytesSchema,
  /** The bytes that it has in common with those before it. */
  sharedBytes: bytesSchema,
  exact: z.boolean(),
  low: bytesSchema,
  high: bytesSchema,
})

/** The union of several surveys' contents, as if all their files were in one place. */
export const surveyMergeSchema = z.object({
  schema: z.literal(SURVEY_MERGE_SCHEMA),
  surveys: z.array(
    z.object({
      id: idSchema,
      createdWallMs: wallMsSchema,
      roots: z.array(pathSchema),
      files: countSchema,
      bytes: bytesSchema,
      partial: z.boolean(),
      /** In the order given; the first adds all it has. */
      adds: z.array(addedSchema),
    }),
  ),
  totals: z.object({ files: countSchema, bytes: bytesSchema }),
  /** Bytes that keeping one of each group of identical files would save, over all surveys. */
  duplicateFiles: z.object({ bytes: bytesSchema, exact: z.boolean(), low: bytesSchema, high: bytesSchema }),
  fixedBlocks: z.array(fixedBlockSchema),
  chunked: z.array(chunkedSchema),
})
export type SurveyMerge = z.infer<typeof surveyMergeSchema>
