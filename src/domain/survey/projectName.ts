import { z } from 'zod'

const ID = 'takes "pr-" and 12 hexadecimal digits'
const NAME = 'takes 1 to 200 characters'
export const projectIdSchema = z.string(ID).regex(/^pr-[0-9a-f]{12}$/, ID)
export const projectTitleSchema = z.string(NAME).min(1, NAME).max(200, NAME)

/** A project as its surveys and plans remember it. */
export const projectNameSchema = z.object({ id: projectIdSchema, name: projectTitleSchema })
export type ProjectName = z.infer<typeof projectNameSchema>
