import type { SetAside } from '../../../contract/dto/job'
import { ownFolderName } from '../../../domain/sets/naming/volumePaths'
import { makesImages } from '../../../domain/sets/ownImages'
import { AppError } from '../../../primitives/appError'
import type { Language } from '../../../primitives/languages'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import type { PlaceNotes } from '../../files/scratch'
import type { Job, JobContext } from '../../jobs/jobContext'
import { topNames } from '../../survey/sourceEntries'
import { storedHistory } from '../volume/lists/storedHistory'
import { plannedVolumes } from '../volume/planned/plannedVolume'
import { exportPlan } from './exportPlan'
import { exportProgress } from './exportProgress'
import { followPlan } from './setAside'

interface ExportJobRequest {
  readonly planId: string
  /** Absolute. */
  readonly directory: string
  readonly force: boolean
  /** The language of the report; that of the plan if not given. */
  readonly language?: Language | undefined
}

type PlanCatalog = Pick<
  Catalog,
  'plan' | 'planEntries' | 'planHistory' | 'planExported' | 'withdrawPlan' | 'ownPlaces'
> &
  PlaceNotes

/**
 * Exports a plan of the catalog as a folder complete in itself, and notes where. Gives the plan's
 * id. A plan that was never exported is hidden in the catalog until the export has succeeded. A
 * plan whose folder it replaces is found in the folder that was set aside. The job throws `refused`
 * for a plan with blocking problems, `exists`, `no-space`, `not-found`, `cancelled`, …
 */
export function exportJob({ catalog }: { catalog: PlanCatalog }, request: ExportJobRequest): Job {
  return {
    kind: 'export',
    title: `Export to ${pathForDisplay(request.directory)}`,
    async run(context) {
      // First, as a process that is killed meanwhile could not do so later.
      catalog.withdrawPlan(request.planId)
      const setAside = await exportTo(catalog, request, context)
      return setAside ? { made: request.planId, setAside } : request.planId
    },
  }
}

async function exportTo(
  catalog: PlanCatalog,
  { planId, directory, force, language }: ExportJobRequest,
  context: JobContext,
): Promise<SetAside | null> {
  const plan = catalog.plan(planId)
  const blocking = plan.problems.find((problem) => problem.blocking)
  if (blocking) throw new AppError('refused', said`cannot export plan ${planId}: ${blocking.message}`)
  if (plan.medium.kind === 'image' && !makesImages(plan))
    throw new AppError(
      'refused',
      said`cannot export plan ${planId}: Stowage no longer makes images by xorriso, for which it was made; plan its source again`,
    )
  const progress = exportProgress(context, plan, directory)
  const entries = new Map(plan.volumes.map(({ index }) => [index, [...catalog.planEntries(planId, index)]]))
  const payloadName = ownFolderName(topNames([...entries.values()].flat()))
  const volumes = plannedVolumes(plan.volumes, payloadName, (index) => entries.get(index) ?? [])
  const setAside = await exportPlan(catalog, {
    plan,
    history: storedHistory(plan, catalog),
    language: language ?? plan.language ?? 'en',
    volumes,
    directory,
    force,
    wallMs: context.clock.wallMs(),
    signal: context.signal,
    onWritten: progress,
    onKept: (aside) => followPlan(catalog, aside),
  })
  catalog.planExported(planId, directory)
  return setAside
}
