import { ownFolders } from '../catalog/ownFolders'
import type { KeptResults } from '../jobs/keptResults'
import { exportJob } from '../sets/export/exportJob'
import { followPlan } from '../sets/export/setAside'
import { comparePlans } from '../sets/plan/comparePlans'
import { compareProtection } from '../sets/plan/compareProtection'
import { PlanDrafts } from '../sets/plan/planDraft'
import { planJob } from '../sets/plan/planJob'
import { runsOfFolder, runsOfPlan } from '../sets/runs/knownRuns'
import { openPlanFolder } from '../sets/volume/planned/planFolder'
import type { SourceWalk } from '../survey/walk/walkJob'
import type { CallsOf, EngineParts } from './engineParts'

/** Answers the calls on plans, and on drafts of them from walks. */
export function planCalls(
  { catalog, start }: EngineParts,
  walks: Pick<KeptResults<SourceWalk>, 'get'>,
): CallsOf<'plan'> {
  const drafts = new PlanDrafts(() => ownFolders(catalog))
  return {
    plan: {
      start: (request) => start(planJob({ catalog }, request)),
      compare: (request) => comparePlans(catalog, request),
      draft: (request) => drafts.draft(walks.get(request.walkId).document, request),
      compareProtection: (request) => compareProtection(catalog, request),
      get: ({ planId }) => catalog.plan(planId),
      list: () => catalog.plans(),
      folder: (request) => catalog.volumeFolder(request),
      search: (request) => catalog.searchPlan(request),
      async open({ directory }) {
        const { plan } = await openPlanFolder(directory)
        followPlan(catalog, directory)
        return plan
      },
      runs: async ({ directory }) => runsOfFolder(await openPlanFolder(directory), catalog),
      runsKnown: ({ planId }) => runsOfPlan(planId, catalog),
      labels: async (request) => (await import('../sets/labels/makeLabels')).makeLabels(request, catalog),
      export: (request) => start(exportJob({ catalog }, request)),
    },
  }
}
