import type { VolumeDue } from '../../../contract/dto/check'
import { volumesToCheck } from '../../../domain/sets/volumeChecks'
import type { Catalog } from '../../catalog/catalog'
import { type CopyCatalog, knownCopies } from './knownCopies'

/**
 * Every copy of a volume that was made or checked and is not lost, those first that should be
 * checked first.
 */
export function copiesDue(
  catalog: CopyCatalog & Pick<Catalog, 'madeVolumes'>,
  nowWallMs: number,
  everyMonths?: number,
): VolumeDue[] {
  const copies = knownCopies(catalog, nowWallMs)
  const further = copies.flatMap(({ planId, volume, copy, label, writtenWallMs }) =>
    copy > 1 && planId !== null && writtenWallMs !== null
      ? [{ planId, volume, copy, label, madeWallMs: writtenWallMs }]
      : [],
  )
  const isLost = (due: VolumeDue): boolean =>
    copies.some(
      (copy) =>
        copy.state === 'lost' &&
        copy.copy === due.copy &&
        copy.volume === due.volume &&
        (due.planId === null ? copy.setId === due.setId : copy.planId === due.planId),
    )
  return volumesToCheck(catalog.checks(), [...catalog.madeVolumes(), ...further], everyMonths).filter(
    (due) => !isLost(due),
  )
}
