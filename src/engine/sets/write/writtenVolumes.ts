import type { PlanDocument } from '../../../contract/dto/plan'
import type { WriteTarget } from '../../../contract/dto/run'
import { eventsOfSet, type VolumeEvent } from '../../../domain/sets/volumeEvent'
import type { Catalog } from '../../catalog/catalog'
import { lstatAt, realPathAt } from '../../files/fileSystem'
import { knownRuns } from '../runs/knownRuns'
import { type PlanFolder, setIdOf, volumesWithParity } from '../volume/planned/planFolder'
import { placeIn } from '../volume/planned/plannedVolume'

/**
 * The volumes of a plan that are written already, each with the number of the event, by the runs in
 * the catalog and in the plan's folder: those of the same copy, on discs for a drive, in the same
 * folder for a folder. A volume that was built again since then, or recorded with another size or
 * set, is not written. What only the plan's folder has, from a run that was killed between the two,
 * is brought to the catalog.
 */
export async function writtenVolumes(
  { directory, plan }: PlanFolder,
  target: Pick<WriteTarget, 'kind' | 'path' | 'copy'>,
  catalog: Pick<Catalog, 'run' | 'runs' | 'saveRun' | 'events'>,
): Promise<Map<number, number>> {
  await knownRuns({ directory, plan }, catalog)
  const isAsked = ({ copy, facts }: VolumeEvent): boolean =>
    copy === (target.copy ?? 1) && isSamePlace(facts.target, target)
  const written = new Map<number, number>()
  for (const event of eventsOfSet(catalog.events(plan.id), setIdOf(plan) ?? null)) {
    if (event.kind === 'built') written.delete(event.volume)
    else if (event.kind === 'written' && isAsked(event) && hasSizeOf(event, plan))
      written.set(event.volume, event.number)
  }
  const isThere = (index: number): boolean => {
    if (target.kind !== 'folder') return true
    const label = volumesWithParity(plan).find((volume) => volume.index === index)?.label ?? ''
    return lstatAt(placeIn(target.path, label, plan.medium.kind)) !== null
  }
  return new Map([...written].filter(([index]) => isThere(index)))
}

function isSamePlace(
  written: VolumeEvent['facts']['target'],
  target: Pick<WriteTarget, 'kind' | 'path'>,
): boolean {
  if (target.kind !== 'folder') return written !== undefined && written.kind !== 'folder'
  if (written?.kind !== 'folder') return false
  return written.path === target.path || realPathAt(written.path) === (realPathAt(target.path) ?? '')
}

/** True where a volume had the size that it has now. */
function hasSizeOf({ volume, facts: { bytes } }: VolumeEvent, plan: PlanDocument): boolean {
  if (plan.medium.kind === 'image') {
    const now = volumesWithParity(plan).find(({ index }) => index === volume)
    return bytes === undefined || !now || bytes === now.sectors * 2048
  }
  const now = plan.volumes.find(({ index }) => index === volume)
  return bytes === undefined || !now || bytes === now.bytes
}
