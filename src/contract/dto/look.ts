import { z } from 'zod'
import { idSchema } from '../../domain/scalars'

export * from '../../domain/look/besideSurvey'
export * from '../../domain/look/lookDocument'
export { smallestForecast } from '../../domain/survey/smallestForecast'

/** A look at the source of a walk: reads a small sample of its files. */
export const lookRequestSchema = z.object({ walkId: idSchema })
export type LookRequest = z.infer<typeof lookRequestSchema>
