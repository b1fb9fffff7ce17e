import { z } from 'zod'
import { countSchema, pathSchema } from '../../domain/scalars'
import { copyNumberSchema } from '../../domain/sets/copies/copy'
import { CASE_KINDS } from '../../domain/sets/labels/cases'
import { SETTINGS } from '../../domain/settings/settings'
import { LANGUAGES } from '../../primitives/languages'

export { CASE_KINDS, type CaseKind } from '../../domain/sets/labels/cases'
export { type LabelsDocument, labelsDocumentSchema } from '../../domain/sets/labelsDocument'

/** At most this many volumes can be named. */
export const MOST_VOLUMES = 100_000

/** Asks for the labels of a plan's discs. */
export const labelsRequestSchema = z.object({
  /** The folder of the plan. */
  directory: pathSchema,
  out: pathSchema,
  /** All if none is named. */
  volumes: z.array(countSchema.min(1)).max(MOST_VOLUMES).default([]),
  copy: copyNumberSchema.optional(),
  paper: SETTINGS.paper.schema.default(SETTINGS.paper.fallback),
  /** The case that the medium is sold in if not given. */
  case: z.enum(CASE_KINDS).optional(),
  /** A font for letters that Stowage's own do not have. */
  font: pathSchema.optional(),
  /** The language of the plan if not given. */
  language: z.enum(LANGUAGES).optional(),
  /** Replaces files of the same names. */
  force: z.boolean().default(false),
})
export type LabelsRequest = z.infer<typeof labelsRequestSchema>
