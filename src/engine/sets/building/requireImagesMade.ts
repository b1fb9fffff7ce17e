import type { PlanVolume } from '../../../contract/dto/plan'
import { makesImages } from '../../../domain/sets/ownImages'
import { said } from '../../../primitives/said'
import { cannot } from '../../files/fileSystem'
import { currentPlan } from '../volume/planned/currentPlan'
import { chosenVolumes, isBuilt, type PlanFolder } from '../volume/planned/planFolder'

/**
 * Refuses a build that would have to make images for a plan of an older version, which names
 * xorriso; images that are there are kept.
 * @throws AppError `refused`, `usage` naming a volume that the plan does not have
 */
export async function requireNoneToMake(
  planned: PlanFolder,
  { volumes, force }: { readonly volumes: readonly number[]; readonly force: boolean },
): Promise<void> {
  if (planned.plan.medium.kind !== 'image' || makesImages(planned.plan)) return
  const folder = await currentPlan(planned)
  const chosen = chosenVolumes(planned.plan, volumes)
  const toMake = force || !folder.isPacked ? chosen : chosen.filter((volume) => !isBuilt(folder, volume))
  requireImagesMade('build', folder, toMake)
}

/**
 * The same for volumes of an opened plan whose images would have to be made.
 * @throws AppError `refused`
 */
export function requireImagesMade(
  doing: 'build' | 'write',
  folder: PlanFolder,
  toMake: readonly PlanVolume[],
): void {
  const { plan, directory } = folder
  if (toMake.length === 0 || plan.medium.kind !== 'image' || makesImages(plan)) return
  const because = plan.volumes.some((volume) => isBuilt(folder, volume))
    ? said`Stowage no longer makes images by xorriso, for which this plan was made: what is built stays, and "plan --add-to" this plan puts the rest on new volumes`
    : said`Stowage no longer makes images by xorriso, for which this plan was made: plan its source again`
  throw cannot('refused', doing, directory, because)
}
