import { formatShare, formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { PlanDocument } from '../planDocument'

/** From this share of a volume on the lists decide how many volumes a source needs. */
const NOTED_FROM = 0.05

/**
 * A note where the index, checksums and other lists take much of every volume: larger volumes carry
 * fewer copies of them.
 */
export function listsProblem(
  volumes: PlanDocument['volumes'],
  sectorBytes: number,
): PlanDocument['problems'] {
  const shares = volumes.map(({ reserveBytes, capacitySectors }) =>
    capacitySectors === 0 ? 0 : reserveBytes / (capacitySectors * sectorBytes),
  )
  const most = Math.max(0, ...shares)
  const volume = volumes[shares.indexOf(most)]
  if (most < NOTED_FROM || volume === undefined || volumes.length < 2) return []
  const size = formatSize(volume.reserveBytes)
  const message = said`the lists of the whole set take ${size} (${formatShare(most)}) of each volume; larger volumes need fewer copies of them`
  return [{ code: 'large-lists', message, blocking: false }]
}
