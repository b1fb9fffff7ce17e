import type { PlanDocument, PlanVolume } from '../../../contract/dto/plan'
import type { WriteTarget } from '../../../contract/dto/run'
import type { VolumeEvent } from '../../../domain/sets/volumeEvent'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { cannot, lstatAt } from '../../files/fileSystem'
import { isOneThing } from '../../files/oneThing'
import { type CopyCatalog, knownCopies } from '../copies/knownCopies'
import { otherIdentity, volumeAt } from '../volume/open/volumeAt'
import { type PlanFolder, setIdOf } from '../volume/planned/planFolder'
import { placeIn } from '../volume/planned/plannedVolume'

/**
 * Makes sure, before anything is written into a folder, that nothing is lost by it: one image or
 * folder does not count as two copies, and what is replaced (`again`) is a volume of the same plan
 * with the same number, or what the catalog says was written there and still has its length. What
 * else has the name of a volume was not written by Stowage, or belongs to another archive.
 * @throws AppError `exists` naming it
 */
export async function requireOwnPlaces(
  { plan }: PlanFolder,
  volumes: readonly PlanVolume[],
  { target, again }: { readonly target: WriteTarget; readonly again: boolean },
  catalog: CopyCatalog,
): Promise<void> {
  if (target.kind !== 'folder') return
  const copies = knownCopies(catalog, 0).filter(({ planId }) => planId === plan.id)
  for (const volume of volumes) {
    const path = placeIn(target.path, volume.label, plan.medium.kind)
    if (lstatAt(path) === null) continue
    const other = copies.find(
      (copy) =>
        copy.volume === volume.index &&
        copy.copy !== target.copy &&
        copy.path !== null &&
        isOneThing(copy.path, path),
    )
    if (other) {
      const message = said`cannot write ${pathForDisplay(path)}: it is copy ${other.copy} of ${volume.label}; choose another folder`
      throw new AppError('exists', message, { path })
    }
    if (again && !(await isReplaceable(path, volume, plan, catalog.events(plan.id))))
      throw cannot(
        'exists',
        'write',
        path,
        said`what is there is not ${volume.label} of this plan as Stowage wrote it; choose another folder`,
      )
  }
}

/**
 * True for a volume of the plan with this number, and for what the catalog says was written to this
 * path if it still has its length: damage to its lists hides what it is.
 */
export async function isReplaceable(
  path: string,
  { index, label }: Pick<PlanVolume, 'index' | 'label'>,
  plan: PlanDocument,
  events: readonly VolumeEvent[],
): Promise<boolean> {
  const there = await volumeAt(path)
  // A set that was packed anew replaces the volumes of the one before it.
  const setId = there?.planId === plan.id ? null : (setIdOf(plan) ?? null)
  const other = there && otherIdentity(there, { planId: plan.id, setId, index, label })
  if (there && other === null) return true
  if (there && other !== 'unknown') return false
  const bytes = Number(lstatAt(path)?.size ?? -1)
  return events.some(
    ({ kind, volume, label: name, facts: { target, bytes: written } }) =>
      kind === 'written' &&
      volume === index &&
      plan.medium.kind === 'image' &&
      target?.kind === 'folder' &&
      isOneThing(placeIn(target.path, name, 'image'), path) &&
      written === bytes,
  )
}
