import type { FillBy } from '../placement'
import type { PackingAlternative } from '../planComparison'
import { yearsOn } from './datesOfVolumes'
import type { InventoryItem, Packing } from './inventory'
import { wholeSectors } from './packingTree'
import type { PackingOptions } from './packVolumes'

/** A volume with less of a year's bytes does not count as one that it lies on. */
const STRAY_SHARE = 0.01

/** The figures by which a person compares a packing with others of the same inventory. */
export function packingAlternative(
  order: FillBy,
  packing: Packing,
  items: readonly InventoryItem[],
  { capacitySectors, cost, reserveBytes }: Pick<PackingOptions, 'capacitySectors' | 'cost' | 'reserveBytes'>,
  modifiedMs: (index: number) => number,
): PackingAlternative {
  const byIndex = new Map(items.map((item) => [item.index, item]))
  const reserved = wholeSectors(reserveBytes, cost.sectorBytes) / cost.sectorBytes
  const sectors = packing.volumes.map(({ modelSectors }) => modelSectors + reserved)
  const free = sectors.reduce((sum, used) => sum + capacitySectors - used, 0)
  const onVolumes = packing.volumes.map((volume) =>
    yearsOn(volume, (index) => byIndex.get(index) as InventoryItem, modifiedMs),
  )
  const all = new Map<number, number>()
  for (const years of onVolumes)
    for (const [year, bytes] of years) all.set(year, (all.get(year) ?? 0) + bytes)
  return {
    order,
    volumes: packing.volumes.length,
    brokenFolders: packing.brokenFolders,
    splitFiles: packing.splitFiles,
    freeBytes: free * cost.sectorBytes,
    sectors,
    years: [...all]
      .map(([year, bytes]) => ({
        year,
        volumes: onVolumes.filter((years) => (years.get(year) ?? 0) >= STRAY_SHARE * bytes).length,
      }))
      .toSorted((one, other) => one.year - other.year),
  }
}
