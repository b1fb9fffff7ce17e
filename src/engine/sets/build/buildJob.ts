import type { PlanVolume } from '../../../contract/dto/plan'
import type { RunRequest } from '../../../contract/dto/run'
import type { Catalog } from '../../catalog/catalog'
import type { PlaceNotes } from '../../files/placeNotes'
import type { Job } from '../../jobs/jobContext'
import { requireTool } from '../../tools/externalTool'
import { xorriso } from '../../tools/xorriso'
import { chosenVolumes, openPlanFolder } from '../planFolder'
import { newRunId, RunRecord } from '../runRecord'
import { volumeProgress } from '../volumeProgress'
import { buildFolder } from './buildFolder'
import { buildImage } from './buildImage'
import { withBuildLease } from './buildLease'
import { requireAllOwn } from './requireOwn'

/**
 * Builds the volumes of an exported plan: images by xorriso, or folders by copying. Finished volumes stay whatever
 * happens to later ones; the run's document stands in the catalog and in `runs/` of the plan's folder.
 * One build of a plan runs at a time: a second one throws `refused` and leaves no record, as does one that would replace files
 * that Stowage did not make.
 * The run is kept whatever happens, with the first failure: `vanished`, `changed`, `exists`, `no-space`, `tool-missing`, `cancelled`, …
 */
export function buildJob(deps: { catalog: Pick<Catalog, 'saveRun'> & PlaceNotes }, request: RunRequest): Job {
  const runId = newRunId('build')
  return {
    kind: 'build',
    title: `Build of ${request.directory}`,
    async run(context) {
      const folder = await openPlanFolder(request.directory)
      const volumes = chosenVolumes(folder.plan, request.volumes)
      const isImage = folder.plan.medium.kind === 'image'
      const tool = isImage ? await requireTool(xorriso) : null
      const sizeOf = ({ bytes, sectors }: PlanVolume): number => (isImage ? sectors * 2048 : bytes)
      const progress = volumeProgress(context, 'building', volumes, sizeOf)
      const about = { id: runId, kind: 'build' as const, directory: request.directory, plan: folder.plan }
      return withBuildLease(request.directory, 'build', async () => {
        const { force } = request
        if (force) await requireAllOwn(folder, volumes, context.signal)
        return new RunRecord(about, volumes, context).carryOut(deps.catalog, async (volume, at) => {
          const options = { notes: deps.catalog, force, signal: context.signal, onBytes: progress(at) }
          return tool ? buildImage(folder, volume, tool, options) : buildFolder(folder, volume, options)
        })
      })
    },
  }
}
