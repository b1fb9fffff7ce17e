import { wipingJob } from '../jobs/wipingJob'
import { drillJob } from '../sets/drill/drillJob'
import type { CallsOf, EngineParts } from './engineParts'

/** Answers the calls on restore drills. Passwords of requests are overwritten. */
export function drillCalls({ catalog, start }: EngineParts): CallsOf<'drill'> {
  return {
    drill: {
      start: (request) => start(wipingJob(request, drillJob({ notes: catalog, catalog }, request))),
      get: ({ drillId }) => catalog.drill(drillId),
      list: () => catalog.drills(),
    },
  }
}
