/**
 * The room `parity` makes the discs with parity of a set.
 * How: their sizes follow from the largest image; the parity itself is computed by the native core
 * from all images of the set.
 * Not here: making a lost disc again (`repair`).
 */

import type { ParityDisc, PlanDocument, PlanVolume } from '../../../contract/dto/plan'

/** Parity discs as runs list them among the volumes of a plan: each with one file. */
export function parityVolumes(
  { volumes, medium }: Pick<PlanDocument, 'volumes' | 'medium'>,
  discs: readonly ParityDisc[],
): PlanVolume[] {
  const { capacitySectors } = medium
  const bytes = 2048 * Math.max(...volumes.map(({ sectors }) => sectors))
  return discs.map(({ index, label, sectors }) => {
    return { index, label, sectors, capacitySectors, files: 1, bytes, reserveBytes: 0, shares: [] }
  })
}
