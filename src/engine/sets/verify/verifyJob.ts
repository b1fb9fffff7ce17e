import type { RunRequest } from '../../../contract/dto/run'
import type { Catalog } from '../../catalog/catalog'
import type { PlaceNotes } from '../../files/placeNotes'
import { withToolDirectory } from '../../files/toolDirectory'
import type { Job } from '../../jobs/jobContext'
import { requireTool } from '../../tools/externalTool'
import { sevenZip } from '../../tools/sevenZip'
import { openVolume } from '../openVolume'
import { requirePacked } from '../pack/packedFolder'
import { chosenVolumes, openPlanFolder } from '../planFolder'
import { newRunId, RunRecord } from '../runRecord'
import { volumeProgress } from '../volumeProgress'
import { expectedTree } from './expectedTree'
import { payloadFiles } from './payloadFiles'
import { SplitWholes } from './splitWholes'
import { verifyFolder } from './verifyFolder'
import { verifyImage } from './verifyImage'

/**
 * Reads every volume of a plan back and compares names, kinds, sizes, link targets and SHA-256 of everything on it with
 * the plan: images through 7-Zip, folders directly. Split files are also proved as a whole when all their parts are
 * among the volumes. Nothing is written but the run's document.
 * The run is kept whatever happens, with the first failure: `verification-failed`, `not-found`, `tool-missing`, `cancelled`, …
 */
export function verifyJob(
  deps: { catalog: Pick<Catalog, 'saveRun'> & PlaceNotes },
  request: RunRequest,
): Job {
  const runId = newRunId('verify')
  return {
    kind: 'verify',
    title: `Verification of ${request.directory}`,
    async run(context) {
      const { signal } = context
      const folder = await requirePacked(await openPlanFolder(request.directory))
      const volumes = chosenVolumes(folder.plan, request.volumes)
      const tool = folder.plan.medium.kind === 'image' ? await requireTool(sevenZip) : null
      const progress = volumeProgress(context, 'verifying', volumes, ({ bytes }) => bytes)
      const about = { id: runId, kind: 'verify' as const, directory: request.directory, plan: folder.plan }
      const wholes = new SplitWholes()
      return new RunRecord(about, volumes, context).carryOut(deps.catalog, async (planned, at) => {
        const volume = await openVolume(folder, planned, signal)
        const expected = expectedTree(volume, await payloadFiles(folder.directory, volume))
        const options = { directory: folder.directory, signal, onBytes: progress(at) }
        const check = tool
          ? await withToolDirectory(folder.directory, (cwd) =>
              verifyImage(volume, tool, expected, { ...options, cwd }),
            )
          : await verifyFolder(volume, expected, options)
        wholes.add(volume, check.places)
        const isLast = at === volumes.length - 1
        const failures = isLast ? [...check.failures, ...(await wholes.failures(signal))] : check.failures
        return { end: failures.length === 0 ? 'done' : failures, sectors: check.sectors }
      })
    },
  }
}
