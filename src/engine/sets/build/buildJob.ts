import type { PlanDocument, PlanVolume } from '../../../contract/dto/plan'
import type { RunRequest } from '../../../contract/dto/run'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import type { Catalog } from '../../catalog/catalog'
import { joinPath } from '../../files/fileSystem'
import { lstatAt } from '../../files/folderNames'
import type { PlaceNotes } from '../../files/placeNotes'
import type { Job, JobContext } from '../../jobs/jobContext'
import { requireTool } from '../../tools/externalTool'
import { xorriso } from '../../tools/xorriso'
import { forgetPacked, openFrozenPlan, removeWork } from '../pack/frozenPlan'
import { packedFolder } from '../pack/packedFolder'
import { chosenVolumes, openPlanFolder, type PlanFolder } from '../planFolder'
import { volumePlaces } from '../plannedVolume'
import { newRunId, RunRecord } from '../runRecord'
import { volumeProgress } from '../volumeProgress'
import { buildFolder } from './buildFolder'
import { buildImage } from './buildImage'
import { withBuildLease } from './buildLease'
import { requireAllOwn } from './requireOwn'

/**
 * Builds the volumes of an exported plan: images by xorriso, or folders by copying. The files of a packed plan are packed first,
 * and places settled then stay. Finished volumes stay whatever
 * happens to later ones; the run's document stands in the catalog and in `runs/` of the plan's folder.
 * One build of a plan runs at a time: a second one throws `refused` and leaves no record, as does one that would replace files
 * that Stowage did not make.
 * The run is kept whatever happens, with the first failure: `vanished`, `changed`, `exists`, `no-space`, `tool-missing`, `cancelled`, …
 */
export function buildJob(
  deps: { catalog: Pick<Catalog, 'saveRun' | 'planPacked'> & PlaceNotes },
  request: RunRequest,
): Job {
  const runId = newRunId('build')
  return {
    kind: 'build',
    title: `Build of ${request.directory}`,
    async run(context) {
      const startedMs = context.clock.monotonicMs()
      const planned = await openPlanFolder(request.directory)
      if (request.password !== null && !isEncrypted(planned.plan)) throw notEncrypted(request.directory)
      return withBuildLease(request.directory, 'build', async () => {
        const { force } = request
        if (force) await forgetBuilt(planned, request, context)
        const folder = await packedFolder(planned, {
          catalog: deps.catalog,
          password: request.password,
          context,
        })
        const { plan } = folder
        const volumes = chosenVolumes(plan, request.volumes)
        const isImage = plan.medium.kind === 'image'
        const tool = isImage ? await requireTool(xorriso) : null
        const sizeOf = ({ bytes, sectors }: PlanVolume): number => (isImage ? sectors * 2048 : bytes)
        const progress = volumeProgress(context, 'building', volumes, sizeOf)
        if (force) await requireAllOwn(folder, volumes, context.signal)
        const forecast = plan.packing && planned.plan.volumes
        const about = {
          id: runId,
          kind: 'build' as const,
          directory: request.directory,
          plan,
          forecast,
          startedMs,
        }
        const record = new RunRecord(about, volumes, context)
        const result = await record.carryOut(deps.catalog, async (volume, at) => {
          const options = { notes: deps.catalog, force, signal: context.signal, onBytes: progress(at) }
          return tool ? buildImage(folder, volume, tool, options) : buildFolder(folder, volume, options)
        })
        if (plan.packing && result === runId) await removePackedFiles(folder)
        return result
      })
    },
  }
}

/** What a packed plan was packed to is made anew; nothing foreign may be among what was built of it. */
async function forgetBuilt(
  planned: PlanFolder,
  { volumes, directory }: RunRequest,
  { signal }: JobContext,
): Promise<void> {
  const frozen = planned.plan.packing ? await openFrozenPlan(planned) : null
  if (!frozen) return
  const { plan } = frozen
  if (volumes.length > 0 && volumes.length < plan.volumes.length) {
    const message = `cannot build volumes of ${pathForDisplay(directory)} by force one at a time: packing anew may move files between them; build all`
    throw new AppError('refused', message, { path: directory })
  }
  await requireAllOwn(frozen, plan.volumes, signal)
  await forgetPacked(planned.directory)
}

/** Once every volume is there, what they were made from is not needed any more. */
async function removePackedFiles({ directory, plan, lists }: PlanFolder): Promise<void> {
  const place = plan.medium.kind === 'image' ? 'image' : 'folder'
  for (const { index } of plan.volumes) {
    const path = joinPath(directory, volumePlaces(index, plan.volumes.length, lists)[place])
    if (!lstatAt(path)) return
  }
  await removeWork(directory)
}

function isEncrypted({ packing }: PlanDocument): boolean {
  return packing !== undefined && packing.encryption !== 'none'
}

/** Who gives a password expects encryption: a plain build would disappoint that unseen. */
function notEncrypted(directory: string): AppError {
  const message = `cannot build ${pathForDisplay(directory)} with a password: its plan is not encrypted`
  return new AppError('refused', message, { path: directory })
}
