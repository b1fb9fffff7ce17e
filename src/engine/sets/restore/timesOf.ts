import type { PlanTimes } from '../../../domain/sets/planDocument'
import type { Catalog } from '../../catalog/catalog'
import { openPlanFolder } from '../volume/planned/planFolder'

/**
 * The times of a set's plan: by the catalog, or by its folder where that was given; null where
 * neither is there, or where the plan has none.
 */
export async function timesOf(
  planId: string | null,
  paths: readonly string[],
  catalog: Pick<Catalog, 'plan'>,
): Promise<PlanTimes | null> {
  try {
    if (planId !== null) return catalog.plan(planId).times ?? null
  } catch {
    // It is in another catalog, or damaged in this one.
  }
  for (const path of paths) {
    const opened = await openPlanFolder(path).catch(() => null)
    if (opened && (planId === null || opened.plan.id === planId)) return opened.plan.times ?? null
  }
  return null
}
