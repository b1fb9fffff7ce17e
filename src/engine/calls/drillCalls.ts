import type { DrillRequest } from '../../contract/dto/drill'
import { wipe } from '../../primitives/secretBytes'
import { wipingJob } from '../jobs/wipingJob'
import { drillJob } from '../sets/drill/drillJob'
import { drillPreview } from '../sets/drill/drillPreview'
import type { OpenedSets } from '../sets/restore/openedSets'
import type { CallsOf, EngineParts } from './engineParts'

/** Answers the calls on restore drills. Passwords of requests are overwritten. */
export function drillCalls(
  { catalog, clock, start, giveMemoryBack }: EngineParts,
  openedSets: OpenedSets,
): CallsOf<'drill'> {
  const withPassword = (given: DrillRequest): DrillRequest => ({
    ...given,
    password: given.password ?? openedSets.passwordOf(given.opened),
  })
  return {
    drill: {
      async preview(given) {
        const request = withPassword(given)
        try {
          return await drillPreview({ notes: catalog, catalog, nowWallMs: clock.wallMs() }, request)
        } finally {
          wipe(request)
          giveMemoryBack()
        }
      },
      start(given) {
        const request = withPassword(given)
        return start(wipingJob(request, drillJob({ notes: catalog, catalog }, request)))
      },
      get: ({ drillId }) => catalog.drill(drillId),
      list: () => catalog.drills(),
    },
  }
}
