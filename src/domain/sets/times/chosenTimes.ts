import type { Estimate } from '../../../primitives/estimate'
import { scaled, sumTogether } from '../../options/cost/estimateParts'
import type { PlanTimes } from '../planDocument'

/**
 * The time of restoring a part of a set: of each volume so much as its share of the volume's bytes.
 * @param shares from 0 to 1, by the numbers of the volumes
 * @returns null where the plan has no time of one of them: archives may fill more volumes than were
 *   planned
 */
export function chosenSeconds(times: PlanTimes, shares: ReadonlyMap<number, number>): Estimate | null {
  const parts: Estimate[] = []
  for (const [index, share] of shares) {
    const restore = times.volumes[index - 1]?.restore
    if (restore === undefined) return null
    parts.push(scaled(restore, share))
  }
  return parts.length === 0 ? null : sumTogether(parts, parts[0]?.basis ?? '')
}
