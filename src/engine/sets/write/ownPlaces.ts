import type { PlanVolume } from '../../../contract/dto/plan'
import type { WriteTarget } from '../../../contract/dto/run'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import type { Catalog } from '../../catalog/catalog'
import { lstatAt } from '../../files/fileSystem'
import type { PlanFolder } from '../volume/planFolder'
import { placeIn } from './writeFolder'

/**
 * Makes sure that one image or folder does not count as two copies: what another copy was written
 * to is not taken for this one.
 * @throws AppError `exists` naming it
 */
export function requireOwnPlaces(
  { plan }: PlanFolder,
  volumes: readonly PlanVolume[],
  target: WriteTarget,
  catalog: Pick<Catalog, 'runs'>,
): void {
  if (target.kind !== 'folder') return
  const runs = catalog
    .runs(plan.id)
    .filter((run) => run.target?.kind === 'folder' && run.target.path === target.path)
  for (const { index, label } of volumes) {
    const last = runs.find((run) => run.volumes.some((one) => one.index === index && one.state === 'done'))
    const copy = last && (last.target?.copy ?? 1)
    const path = placeIn(target.path, label, plan.medium.kind)
    if (copy === undefined || copy === target.copy || lstatAt(path) === null) continue
    const message = said`cannot write ${pathForDisplay(path)}: it is copy ${copy} of ${label}; choose another folder`
    throw new AppError('exists', message, { path })
  }
}
