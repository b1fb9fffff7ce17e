import type { PlanDocument } from '../../../contract/dto/plan'
import type { RunDocument, WriteTarget } from '../../../contract/dto/run'
import { volumeStates } from '../../../domain/sets/volumeState'
import type { Catalog } from '../../catalog/catalog'
import { lstatAt } from '../../files/fileSystem'
import { isOfSet, knownRuns } from '../runs/knownRuns'
import type { PlanFolder } from '../volume/planFolder'
import { placeIn } from './writeFolder'

/**
 * When the volumes of a plan were written that are written already, by the runs in the catalog and
 * in the plan's folder: those of the same copy, on discs for a drive, in the same folder for a
 * folder. A volume that was built again since then, or recorded with another size or set, is not
 * written. What only the plan's folder has, from a run that was killed between the two, is brought
 * to the catalog.
 */
export async function writtenVolumes(
  { directory, plan }: PlanFolder,
  target: Pick<WriteTarget, 'kind' | 'path' | 'copy'>,
  catalog: Pick<Catalog, 'run' | 'runs' | 'saveRun'>,
): Promise<Map<number, number>> {
  const known = await knownRuns({ directory, plan }, catalog)
  const runs = known
    .filter((run) => run.kind !== 'write' || (isSamePlace(run.target, target) && isOfSet(run, plan)))
    .map((run) => (run.kind === 'write' ? withoutOtherSizes(run, plan) : run))
    .toSorted((one, other) => other.startedWallMs - one.startedWallMs)
  const states = volumeStates(
    plan.createdWallMs,
    plan.volumes.map(({ index }) => index),
    runs,
  )
  const isThere = (index: number): boolean => {
    if (target.kind !== 'folder') return true
    const label = plan.volumes.find((volume) => volume.index === index)?.label ?? ''
    return lstatAt(placeIn(target.path, label, plan.medium.kind)) !== null
  }
  return new Map(
    [...states].flatMap(([index, { writtenWallMs }]): [number, number][] =>
      writtenWallMs !== null && isThere(index) ? [[index, writtenWallMs]] : [],
    ),
  )
}

function isSamePlace(
  written: RunDocument['target'],
  target: Pick<WriteTarget, 'kind' | 'path' | 'copy'>,
): boolean {
  if ((written?.copy ?? 1) !== (target.copy ?? 1)) return false
  if (target.kind !== 'folder') return written?.kind === 'drive' || written?.kind === 'file'
  return written?.kind === 'folder' && written.path === target.path
}

/** A run without the volumes that had another size than they have now. */
function withoutOtherSizes(run: RunDocument, { volumes, medium }: PlanDocument): RunDocument {
  const isAsNow = ({ index, written }: RunDocument['volumes'][number]): boolean => {
    const now = volumes.find((volume) => volume.index === index)
    if (!written || !now) return true
    return written.bytes === (medium.kind === 'image' ? now.sectors * 2048 : now.bytes)
  }
  return { ...run, volumes: run.volumes.filter(isAsNow) }
}
