import type { VolumeDue } from '../../../contract/dto/check'
import { volumesToCheck } from '../../../domain/sets/volumeChecks'
import { type CopyCatalog, knownCopies, setsOf } from './knownCopies'

/**
 * Every copy of a volume that was made or checked and is not lost, those first that should be
 * checked first.
 */
export function copiesDue(catalog: CopyCatalog, nowWallMs: number, everyMonths?: number): VolumeDue[] {
  const lost = knownCopies(catalog, nowWallMs).filter(({ state }) => state === 'lost')
  const isLost = (due: VolumeDue): boolean =>
    lost.some(
      (copy) =>
        copy.copy === due.copy &&
        copy.volume === due.volume &&
        (due.planId === null ? copy.setId === due.setId : copy.planId === due.planId),
    )
  const plans = new Map(catalog.plans().map((plan) => [plan.id, plan]))
  const events = setsOf(catalog).flatMap((set) => set.events)
  const isThere = (planId: string): boolean => plans.get(planId)?.directoryExists === true
  return volumesToCheck(events, { nowWallMs, isThere, months: everyMonths }).filter((due) => !isLost(due))
}
