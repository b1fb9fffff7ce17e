import { z } from 'zod'
import { projectFormSchema } from '../../domain/project/projectForm'
import { pathSchema } from '../../domain/scalars'
import { projectIdSchema } from '../../domain/survey/projectName'

export { PROJECT_ENDING, type Project } from '../../domain/project/project'
export * from '../../domain/project/projectForm'
export { areSameProjects } from '../../domain/project/sameProject'
export { sourceName } from '../../domain/project/sourceName'
export type { ProjectName } from '../../domain/survey/projectName'

/** One folder or file that the person handed over, by drop, dialog, command line or project. */
export const sourceSchema = z.object({ path: pathSchema, kind: z.enum(['folder', 'file']), name: z.string() })
export type Source = z.infer<typeof sourceSchema>

/** The project that the window has open. */
export const projectStateSchema = z.object({
  id: projectIdSchema,
  name: z.string(),
  /** Null for a new one that was not saved yet, and for an archive. */
  file: pathSchema.nullable(),
  /** It is an archive of the catalog, which keeps its sources and answers without a file. */
  isArchive: z.boolean(),
  /** There are changes that are not in the file. */
  isUnsaved: z.boolean(),
  /** Sources that are not there, by their names in the project. */
  missing: z.array(z.object({ name: z.string(), path: pathSchema })),
})
export type ProjectState = z.infer<typeof projectStateSchema>

/** A project that was opened, with all that the window takes from it. */
export const openedProjectSchema = z.object({
  project: projectStateSchema,
  sources: z.array(sourceSchema),
  /** DATs by which its surveys group files, also those that are not there. */
  dats: z.array(pathSchema),
  form: projectFormSchema,
})
export type OpenedProject = z.infer<typeof openedProjectSchema>

/** A project that was open before, on this computer. */
export const recentProjectSchema = z.object({
  /** Names it in other calls; its file, as text. */
  recent: z.string().min(1).max(65_536),
  name: z.string(),
  /** The reason why it cannot be opened; null where it can. */
  problem: z.string().nullable(),
})
export type RecentProject = z.infer<typeof recentProjectSchema>

/** The menu's entries about projects. */
export const projectActionSchema = z.enum(['new', 'open', 'save', 'saveAs'])
export type ProjectAction = z.infer<typeof projectActionSchema>
