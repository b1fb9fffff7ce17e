import { z } from 'zod'
import { countSchema, idSchema, pathSchema, wallMsSchema } from '../../domain/scalars'
import { restoreChoiceSchema } from '../../domain/sets/restoreChoice'
import { queueRequestSchema } from './restoreQueue'

/** A restore that asks for its discs one after another, and has not read them all. */
export const askedRestoreSchema = queueRequestSchema
  .pick({ volumes: true, asOf: true, given: true, without: true, near: true, force: true, trust: true })
  .extend({
    id: idSchema,
    askedWallMs: wallMsSchema,
    chosen: restoreChoiceSchema,
    to: pathSchema,
    /** The discs of the whole queue, with those that are read. */
    discs: countSchema,
    next: z.object({ label: z.string(), place: z.string().nullable() }),
  })
export type AskedRestore = z.infer<typeof askedRestoreSchema>
