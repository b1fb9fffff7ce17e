import { formatCounted, formatSize } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { PlanDocument } from '../planDocument'
import type { Packing } from './inventory'

/** The code of the note, by which a plan does not claim that no fewer discs of any form hold it. */
export const UDF_ENTRIES = 'udf-entries'

const SECTOR = 2048
/** An image of ISO 9660 alone, however little it holds. */
const ISO_LEAST_BYTES = (32 + 1 + 150) * SECTOR

/**
 * A note where the entries of UDF, a sector for each file and folder, decide how many discs a
 * source needs: archives of its files may take fewer. By sizes alone, so that they may also take as
 * many.
 */
export function udfEntriesProblem(
  { leastBytes }: Pick<Packing, 'leastBytes'>,
  volumes: PlanDocument['volumes'],
  { files, folders }: Pick<PlanDocument['totals'], 'files' | 'folders'>,
): PlanDocument['problems'] {
  const entries = SECTOR * (files + folders)
  const room = Math.max(
    0,
    ...volumes.map(
      ({ capacitySectors, reserveBytes }) => capacitySectors * SECTOR - ISO_LEAST_BYTES - reserveBytes,
    ),
  )
  const fewest = room === 0 ? volumes.length : Math.max(1, Math.ceil((leastBytes - entries) / room))
  if (fewest >= volumes.length) return []
  const message = said`${formatCounted(files, 'file')} take ${formatSize(entries)} for their entries in UDF; archives have none and may take fewer discs`
  return [{ code: UDF_ENTRIES, message, blocking: false }]
}
