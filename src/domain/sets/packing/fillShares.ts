import { AppError } from '../../../primitives/appError'
import type { InventoryItem, Packing } from './inventory'
import { type PackingOptions, packVolumes } from './packVolumes'

/** The shares of recovery data in percent that filling up tries to give every volume. */
export const FILL_SHARES: readonly number[] = [30, 20, 15, 10, 7, 5, 3, 2, 1, 0.5]

/** A packing that keeps a share of every volume for recovery data. */
export interface SharePacking {
  readonly percent: number
  readonly options: PackingOptions
  readonly packing: Packing
}

/**
 * The packings that keep a share for recovery data on every volume and still take no more volumes
 * of any medium than `plain`, nor split more files; that with the largest share first. Where every
 * folder that a volume can hold is whole on one, packings that keep it so come before the others:
 * what a person fetches from one disc is worth more to them than a larger share.
 * @param plain without a share
 * @param keeping the options with a share in percent
 */
export function* sharePackings(
  items: readonly InventoryItem[],
  plain: Packing,
  keeping: (percent: number) => PackingOptions,
): Generator<SharePacking> {
  let { leastBytes } = plain
  const breaking: SharePacking[] = []
  for (const percent of FILL_SHARES) {
    const options = keeping(percent)
    if (leastBytes > roomOn(plain, options)) continue
    const packing = packedIfPossible(items, options)
    leastBytes = packing?.leastBytes ?? leastBytes
    if (packing === null || !takesNoMore(packing, plain, options)) continue
    const found = { percent, options, packing }
    // What can be whole is measured by the room without a share.
    if (plain.brokenFolders === 0 && packing.folderBreaks > plain.folderBreaks) breaking.push(found)
    else yield found
  }
  yield* breaking
}

/** True for a packing with no more volumes of any medium, and no more split files. */
export function takesNoMore(
  packing: Packing,
  than: Packing,
  { firstCapacities = [] }: Pick<PackingOptions, 'firstCapacities'>,
): boolean {
  const volumesBy = ({ volumes }: Packing): Map<number | undefined, number> =>
    new Map(
      [...Map.groupBy(volumes, ({ bin }) => firstCapacities[bin])].map(([key, { length }]) => [key, length]),
    )
  const before = volumesBy(than)
  const isMore = [...volumesBy(packing)].some(([key, count]) => count > (before.get(key) ?? 0))
  return !isMore && packing.splitFiles <= than.splitFiles
}

/** The bytes that entries may use on the volumes of a packing with other options. */
function roomOn({ volumes }: Packing, options: PackingOptions): number {
  const { capacitySectors, firstCapacities = [], cost, reserveBytes } = options
  return volumes.reduce((sum, { bin }) => {
    const sectors = firstCapacities[bin] ?? capacitySectors
    return sum + sectors * cost.sectorBytes - cost.baseBytes - reserveBytes
  }, 0)
}

/** @returns null where there is no such packing */
export function packedIfPossible(items: readonly InventoryItem[], options: PackingOptions): Packing | null {
  try {
    return packVolumes(items, options)
  } catch (thrown) {
    const { code } = AppError.from(thrown)
    if (code !== 'cannot-fit' && code !== 'refused') throw thrown
    return null
  }
}
