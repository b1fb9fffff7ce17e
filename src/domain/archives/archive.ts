/**
 * The room `archives` says what a person keeps, under one name and over years.
 * How: the intent (sources and answers) is a document of its own; the record (sets of volumes) is
 * read off the plans, which name their archive or are adopted into one.
 * Not here: copies, checks and places of volumes (`sets/copies`), project files (`project`).
 */

import { z } from 'zod'
import { projectFormSchema } from '../project/projectForm'
import { pathSchema, wallMsSchema } from '../scalars'
import { projectIdSchema, projectTitleSchema } from '../survey/projectName'
import { rulesDocumentSchema } from '../survey/rules/rules'

/** Sources of one archive at most. */
const MOST_SOURCES = 1000

/** A source of an archive, by a name of its own and its usual place. */
export const archiveSourceSchema = z.object({ name: z.string().min(1).max(100), path: pathSchema })
export type ArchiveSource = z.infer<typeof archiveSourceSchema>

/** The intent of an archive: the sources and the answers, as its last plan had them. */
export const archiveIntentSchema = z.object({
  id: projectIdSchema,
  name: projectTitleSchema,
  createdWallMs: wallMsSchema,
  /** Empty where only volumes of it were ever seen. */
  sources: z.array(archiveSourceSchema).max(MOST_SOURCES),
  // DATs and their layout are those of the last survey.
  ...projectFormSchema.omit({ layout: true }).shape,
  rules: rulesDocumentSchema,
  /** The folder in which the folders of its plans are made; null until one is known. */
  folder: pathSchema.nullable(),
})
export type ArchiveIntent = z.infer<typeof archiveIntentSchema>
