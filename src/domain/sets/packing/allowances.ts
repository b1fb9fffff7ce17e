import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import type { Packing } from './inventory'

/**
 * How many sectors the cost model may use on each volume; below the capacity where the model was
 * found too hopeful.
 */
export interface Allowances {
  /** For every volume that has none of its own. */
  readonly defaultSectors: number
  /** By `PackedVolume.bin`. */
  readonly byBin: ReadonlyMap<number, number>
  /** How often they were tightened. */
  readonly round: number
}

/** Rounds in which only the volumes that were over lose room. */
const SINGLE_ROUNDS = 3

/** The whole capacity for every volume: where packing starts. */
export function fullAllowances(capacitySectors: number): Allowances {
  return { defaultSectors: capacitySectors, byBin: new Map(), round: 0 }
}

/**
 * Allowances for packing again after the mastering tool has reported the actual sizes, or null when
 * every volume fits. A volume that is over loses as many sectors as it is over. From the fourth
 * round on all volumes lose the largest overshoot, at least doubling each time.
 *
 * Packing, asking and tightening ends: after the third round the default falls by at least 1, 2, 4,
 * … sectors a round, so after 3 + log2(capacity) rounds at the latest it is used up and
 * `cannot-fit` is thrown, unless everything fitted.
 * @param toolSectors the tool's size of each volume in the order of `packing.volumes`.
 * @param capacities what each volume holds, or all of them, its reserve already taken off.
 * @throws AppError `cannot-fit` when nothing is left to take away.
 */
export function tightenAllowances(
  allowances: Allowances,
  packing: Packing,
  toolSectors: readonly number[],
  capacities: number | readonly number[],
): Allowances | null {
  const capacityOf = (k: number): number =>
    typeof capacities === 'number' ? capacities : (capacities[k] as number)
  const overshoots = packing.volumes.map((_, k) => (toolSectors[k] as number) - capacityOf(k))
  const worst = Math.max(0, ...overshoots)
  if (worst === 0) return null
  const round = allowances.round + 1
  if (round > SINGLE_ROUNDS) {
    const loss = Math.max(worst, 2 ** (round - SINGLE_ROUNDS - 1))
    const lowest = Math.min(allowances.defaultSectors, ...allowances.byBin.values())
    if (lowest <= loss) {
      throw new AppError(
        'cannot-fit',
        said`the source cannot be laid out on volumes of ${capacityOf(0)} sectors`,
      )
    }
    return { defaultSectors: lowest - loss, byBin: new Map(), round }
  }
  const byBin = new Map(allowances.byBin)
  packing.volumes.forEach(({ bin, allowanceSectors }, k) => {
    const over = overshoots[k] as number
    if (over > 0) byBin.set(bin, Math.max(0, allowanceSectors - over))
  })
  return { defaultSectors: allowances.defaultSectors, byBin, round }
}
