import { said } from '../../../primitives/said'
import { discSeconds, driveOf, readRate, writeRate } from '../../media/driveRates'
import type { MediaCatalogue, Medium } from '../../media/medium'
import type { MediumFacts } from '../facts'
import { estimateOf } from './estimateParts'

/** The facts of `disk` as a medium: one volume without a limit, on the target itself. */
export const DISK_FACTS: MediumFacts = {
  id: 'disk',
  name: said`Disk`,
  kind: 'disk',
  capacityBytes: null,
  sectorBytes: 1,
  writeBytesPerSecond: null,
  readBytesPerSecond: null,
  volumeSeconds: null,
}

/**
 * A medium of the catalogue as options know it; rates are those of a usual drive, and the target's
 * own where none is needed.
 */
export function mediumFacts(catalogue: MediaCatalogue, medium: Medium): MediumFacts {
  const needed = driveOf(catalogue, medium.id)
  const basis = needed === null ? '' : said`a usual drive: ${needed.drive.source}`
  const half = needed?.halfSpeed
    ? said`; half of it, as the drive checks what it writes (growisofs(1), xorriso(1))`
    : ''
  return {
    id: medium.id,
    name: medium.name,
    kind: medium.kind,
    capacityBytes: medium.capacityBytes,
    sectorBytes: medium.sectorBytes,
    writeBytesPerSecond: needed && estimateOf(writeRate(needed), 'assumed', basis + half),
    readBytesPerSecond: needed && estimateOf(readRate(needed), 'assumed', basis),
    volumeSeconds: needed && estimateOf(discSeconds(needed), 'assumed', basis),
  }
}
