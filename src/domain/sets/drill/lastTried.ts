import { BUILT_COPY } from '../copies/copy'
import type { DrillDocument } from './drillDocument'

/**
 * The last restore drill of some plans that read a copy other than the image or folder in the
 * plan's folder: that one would be lost with the disk. Null where there is none.
 * @param drills the last one first
 */
export function lastTried(
  drills: readonly DrillDocument[],
  planIds: ReadonlySet<string>,
): DrillDocument | null {
  return (
    drills.find(({ volumes }) =>
      volumes.some(({ planId, copy }) => planId !== null && planIds.has(planId) && copy !== BUILT_COPY),
    ) ?? null
  )
}
