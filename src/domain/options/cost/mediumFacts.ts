import { driveOf, readRate, writeRate } from '../../media/driveRates'
import type { MediaCatalogue, Medium } from '../../media/medium'
import type { MediumFacts } from '../facts'
import { estimateOf } from './estimateParts'

/** What `disk` is among media: one volume without a limit, on the target itself. */
export const DISK_FACTS: MediumFacts = {
  id: 'disk',
  name: 'Disk',
  kind: 'disk',
  capacityBytes: null,
  sectorBytes: 1,
  writeBytesPerSecond: null,
  readBytesPerSecond: null,
  volumeSeconds: null,
}

/** A medium of the catalogue as options know it; rates are those of a usual drive, and the target's own where none is needed. */
export function mediumFacts(catalogue: MediaCatalogue, medium: Medium): MediumFacts {
  const { drive, halfSpeed } = driveOf(catalogue, medium.id) ?? { drive: null, halfSpeed: false }
  const basis = drive === null ? '' : `a usual drive: ${drive.source}`
  const half = halfSpeed ? `; half of it, as the drive checks what it writes (growisofs(1), xorriso(1))` : ''
  return {
    id: medium.id,
    name: medium.name,
    kind: medium.kind,
    capacityBytes: medium.capacityBytes,
    sectorBytes: medium.sectorBytes,
    writeBytesPerSecond: drive && estimateOf(writeRate(drive, halfSpeed), 'assumed', basis + half),
    readBytesPerSecond: drive && estimateOf(readRate(drive), 'assumed', basis),
    volumeSeconds: drive && estimateOf(drive.volumeSeconds, 'assumed', basis),
  }
}
