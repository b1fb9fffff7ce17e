import type { PlanVolume } from '../../../contract/dto/plan'
import { AppError } from '../../../primitives/appError'
import { fileFailure, joinPath } from '../../files/fileSystem'
import { lstatAt } from '../../files/folderNames'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { foreignInBuilt, notOfPlan } from '../export/foreignParts'
import type { PlanFolder } from '../planFolder'
import { volumePlaces } from '../plannedVolume'

/**
 * Refuses to replace a volume's image or folder that holds anything Stowage did not make for it. Nothing there is fine.
 * @throws AppError `refused` naming the first such thing, `cancelled`, `io`, …
 */
export async function requireOwn(
  { directory, plan, lists }: PlanFolder,
  { index }: PlanVolume,
  signal: AbortSignal,
): Promise<void> {
  const pause = pausing(() => throwIfAborted(signal))
  const path = volumePlaces(index, plan.volumes.length)[plan.medium.kind === 'image' ? 'image' : 'folder']
  const foreign: string[] = []
  try {
    if (lstatAt(joinPath(directory, path)) === null) return
    for (const _ of foreignInBuilt({ directory, plan, place: lists }, path, foreign)) await pause()
  } catch (thrown) {
    throw fileFailure(thrown, 'read', joinPath(directory, path))
  }
  const [first, ...others] = foreign
  if (first !== undefined) throw notOfPlan('build', directory, first, others.length)
}

/**
 * The same for several volumes, before any of them is built. What else hinders one, a damaged list say, is left to its own build.
 * @throws AppError `refused`, `cancelled`
 */
export async function requireAllOwn(
  folder: PlanFolder,
  volumes: readonly PlanVolume[],
  signal: AbortSignal,
): Promise<void> {
  for (const volume of volumes) {
    try {
      await requireOwn(folder, volume, signal)
    } catch (thrown) {
      const { code } = AppError.from(thrown)
      if (code === 'refused' || code === 'cancelled') throw thrown
    }
  }
}
