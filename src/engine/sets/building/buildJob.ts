/**
 * The room `building` builds the volumes of a plan: images, or folders.
 * How: sources are compared with the plan before and after, a volume is written next to its place
 * and renamed into it, and files that changed are left out only where a person said so.
 * Not here: the bytes of an image (`mastering`), burning and copying elsewhere (`write`).
 */

import { rm } from 'node:fs/promises'
import type { PlanDocument, PlanVolume } from '../../../contract/dto/plan'
import type { RunRequest } from '../../../contract/dto/run'
import { fixesVolumes } from '../../../domain/sets/placement'
import { AppError, type AppErrorCode } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { attempt, fsPath } from '../../files/fileSystem'
import type { PlaceNotes } from '../../files/scratch'
import { checkSources } from '../../files/sourceCheck'
import type { Job, JobContext } from '../../jobs/jobContext'
import { entriesByVolume, packedFolder } from '../pack/packedFolder'
import { unique } from '../pack/packSet'
import { forgetPacked, removeWork } from '../pack/planArchives'
import { isOfIndependentArchives, VolumePacker } from '../pack/volumePacker'
import { parityVolumes } from '../parity/parityVolumes'
import { buildWork, packingWeight } from '../runs/buildWork'
import { newRunId, RunRecord } from '../runs/runRecord'
import { volumeProgress } from '../runs/volumeProgress'
import { withBuildLease } from '../volume/planned/buildLease'
import { currentPlan } from '../volume/planned/currentPlan'
import {
  builtPath,
  chosenParity,
  chosenVolumes,
  isBuilt,
  openPlanFolder,
  type PlanFolder,
  requireBuiltHere,
} from '../volume/planned/planFolder'
import { buildFolder } from './buildFolder'
import { buildImage } from './buildImage'
import { buildParity, isParityBuilt, parityWork } from './buildParity'
import { requireNoneToMake } from './requireImagesMade'
import { requireAllOwn } from './requireOwn'
import { requireSkippable, SkipChoice } from './skipChoice'

/**
 * Builds the volumes of an exported plan: images, or folders by copying. The files of a
 * packed plan are packed first; their places stay the same from then on. Finished volumes stay
 * whatever happens to later ones; the run's document is in the catalog and in `runs/` of the plan's
 * folder. One build of a plan runs at a time: a second one throws `refused` and leaves no record,
 * as does one that would replace files that Stowage did not make; with `waits` it waits for the
 * first, whose volumes it then keeps. The run is kept whatever happens, with the first failure:
 * `vanished`, `changed`, `exists`, `no-space`, `tool-missing`, `cancelled`, …
 */
export function buildJob(
  deps: { catalog: Pick<Catalog, 'saveRun' | 'planPacked' | 'ownPlaces'> & PlaceNotes },
  given: RunRequest,
  { waits }: { readonly waits: boolean } = { waits: false },
): Job {
  return {
    kind: 'build',
    title: `Build of ${given.directory}`,
    async run(context) {
      const runId = newRunId('build', context)
      const startedMs = context.clock.monotonicMs()
      const planned = await openPlanFolder(given.directory)
      // Files that a person placed do not move between volumes, as they may when all are packed first.
      const isPlaced = planned.plan.packing !== undefined && fixesVolumes(planned.plan.placement)
      const request = { ...given, stream: given.stream || isPlaced }
      requireBuiltHere('build', planned)
      requireSkippable('build', planned, request)
      await requireNoneToMake(planned, request)
      if (request.password !== null && !isEncrypted(planned.plan)) throw notEncrypted(request.directory)
      const waiting = waits ? context.signal : undefined
      return withBuildLease(request.directory, { doing: 'build', waiting }, async () => {
        const { force, password, stream } = request
        const about = { id: runId, kind: 'build' as const, directory: request.directory, startedMs }
        const packing = { catalog: deps.catalog, password, stream, context }
        let folder: PlanFolder
        let wasPacked = true
        try {
          if (force) await forgetBuilt(planned, request, context)
          wasPacked = (await currentPlan(planned)).isPacked
          folder = await packedFolder(planned, packing)
        } catch (thrown) {
          const failure = AppError.from(thrown)
          const { plan } = planned
          if (NOT_BEGUN.has(failure.code)) throw failure
          const volumes = plan.volumes.filter(({ index }) => isChosen(request, index))
          return new RunRecord({ ...about, plan }, volumes, context).endBefore(deps.catalog, failure)
        }
        const { plan } = folder
        const chosen = chosenVolumes(plan, request.volumes)
        const volumes = [...chosen, ...parityVolumes(plan, chosenParity(plan, request.volumes))]
        const isImage = plan.medium.kind === 'image'
        const packedBytes = ({ index }: PlanVolume): number =>
          plan.packing?.streamed ? (planned.plan.volumes[index - 1]?.bytes ?? 0) : 0
        const weight = packingWeight(planned.plan, planned.plan.totals.bytes)
        const isPackedBefore = plan.packing && !plan.packing.streamed && !wasPacked
        const progress = volumeProgress(
          context,
          isImage ? 'building' : 'copying',
          volumes,
          (volume, at) =>
            at < chosen.length
              ? [{ kind: 'packing', bytes: packedBytes(volume), weight }, ...buildWork(plan, volume)]
              : parityWork(plan, at === chosen.length),
          isPackedBefore ? { index: 2, count: 2 } : undefined,
        )
        if (force) await requireAllOwn(folder, chosen, context.signal)
        const forecast = plan.packing && planned.plan.volumes
        const packer = plan.packing ? new VolumePacker(planned, folder, packing) : null
        const packed = plan.packing?.streamed ? 'with each' : wasPacked ? 'not' : 'before'
        const times = { planned: planned.plan, packing: packed } as const
        const record = new RunRecord({ ...about, plan, forecast, ...times }, volumes, context)
        const choice = new SkipChoice(request.changed, plan.volumes.length, (what) => context.waitFor(what))
        const isParityMade = chosen.length < volumes.length && !force && isParityBuilt(folder)
        let parity: Promise<void> | null = null
        const result = await record.carryOut(deps.catalog, async (one, at) => {
          const onBytes = progress(at)
          if (at >= chosen.length) {
            const { signal } = context
            if (isParityMade && isParityBuilt(folder)) return { end: 'kept', sectors: one.sectors }
            parity ??= buildParity(folder, { notes: deps.catalog, signal, onBytes })
            await parity
            return { end: 'done', sectors: one.sectors }
          }
          if (force || !isBuilt(folder, one)) await packer?.ready(one.index, force, onBytes)
          const current = packer?.folder ?? folder
          const volume = current.plan.volumes.find(({ index }) => index === one.index) ?? one
          const options = {
            notes: deps.catalog,
            force,
            choice,
            signal: context.signal,
            onBytes: (done: number, files?: number) => onBytes(packedBytes(one) + done, files),
          }
          const work = await (isImage
            ? buildImage(current, volume, options)
            : buildFolder(current, volume, options))
          if (typeof work.end === 'string') await packer?.built(one.index)
          return { volume, ...work }
        })
        if (plan.packing && result === runId) await removePackedFiles(folder)
        return result
      })
    },
  }
}

/** Failures before anything is begun: they leave no record. */
const NOT_BEGUN: ReadonlySet<AppErrorCode> = new Set(['refused', 'wrong-password', 'usage'])

function isChosen({ volumes }: RunRequest, index: number): boolean {
  return volumes.length === 0 || volumes.includes(index)
}

/**
 * Forgets the archives of a packed plan, so that they are made again; what was built of it may hold
 * nothing foreign. Single volumes keep their places: only their own archives are made again.
 */
async function forgetBuilt(
  planned: PlanFolder,
  { volumes, directory, stream }: RunRequest,
  { signal }: JobContext,
): Promise<void> {
  const current = await currentPlan(planned)
  const { plan, isPacked } = current
  if (!plan.packing || !isPacked) return
  const isStreamed = plan.packing?.streamed === true
  if (chosenVolumes(plan, volumes).length < plan.volumes.length) {
    if (isStreamed || isOfIndependentArchives(current)) return
    const message = said`cannot build single volumes of ${pathForDisplay(directory)} again: packing may move files between them; build all volumes again (--force)`
    throw new AppError('refused', message, { path: directory })
  }
  await requireAllOwn(current, plan.volumes, signal)
  // Volumes of a streamed set and of one that is not differ in size: those of one kind are not replaced by the other's.
  if (isStreamed || stream) {
    const { failures } = await checkSources(unique((await entriesByVolume(planned, signal)).flat()), signal)
    if (failures[0]) throw failures[0]
    await removeBuilt(current)
  }
  await forgetPacked(planned.directory)
}

async function removeBuilt(folder: PlanFolder): Promise<void> {
  for (const { index } of folder.plan.volumes) {
    const path = builtPath(folder, index)
    await attempt('write to', path, rm(fsPath(path), { recursive: true, force: true }))
  }
}

/** Once every volume is there, what they were made from is not needed any more. */
async function removePackedFiles(folder: PlanFolder): Promise<void> {
  if (folder.plan.volumes.every((volume) => isBuilt(folder, volume))) await removeWork(folder.directory)
}

function isEncrypted({ packing }: PlanDocument): boolean {
  return packing !== undefined && packing.encryption !== 'none'
}

/** Who gives a password expects encryption: a plain build would disappoint that unseen. */
function notEncrypted(directory: string): AppError {
  const message = said`cannot build ${pathForDisplay(directory)} with a password: its plan is not encrypted`
  return new AppError('refused', message, { path: directory })
}
