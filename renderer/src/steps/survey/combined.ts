import type { Combined } from '../../../../src/contract/dto/survey'

/** In this order they are offered: deduplicating stores first, archives of files last. */
const ORDER = ['deduplicate-compress', 'zfs-512', 'zfs-4096', 'compress-deduplicate']

/** The way in which a row compresses and deduplicates; ZFS with other sectors is another one. */
export function wayOf({ method, sectorBytes }: Pick<Combined, 'method' | 'sectorBytes'>): string {
  return method === 'zfs' ? `zfs-${sectorBytes}` : method
}

/** The ways that there are forecasts of. */
export function combinedWays(combined: readonly Combined[]): string[] {
  const found = new Set(combined.map(wayOf))
  return ORDER.filter((way) => found.has(way))
}

/** The rows of one way, the smallest result first. */
export function rowsOfWay(combined: readonly Combined[], way: string): Combined[] {
  return combined
    .filter((row) => wayOf(row) === way)
    .sort((one, other) => one.predictedBytes - other.predictedBytes)
}
