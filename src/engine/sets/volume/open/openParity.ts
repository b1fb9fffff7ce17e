import type { ParityKind } from '../../../../domain/sets/protection/setParity'
import type { ContentPlace } from '../../../files/read'
import { PARITY_LIST, type ParityRow, parityName, readParityTsv } from '../lists/parityTsv'
import { contentAt, type Volume } from '../lists/volume'

/** More than the list of any set has. */
const MOST_LIST_BYTES = 1 << 24

/** A parity disc that was opened. */
interface OpenedParity {
  readonly kind: ParityKind
  /** All of its list. */
  readonly rows: readonly ParityRow[]
  /** Stowage's own folder on it. */
  readonly own: string
  /** Where the parity is. */
  readonly place: ContentPlace
}

/**
 * The list and the parity on a parity disc.
 * @returns null for another volume
 * @throws AppError `verification-failed` for a damaged list, `io`
 */
export async function openParity({ topFolders, placeOf, label }: Volume): Promise<OpenedParity | null> {
  for (const own of topFolders) {
    const list = await placeOf(`${own}/${PARITY_LIST}`)
    if (list === null || list.bytes > MOST_LIST_BYTES) continue
    const rows = readParityTsv((await contentAt(list)).toString('utf8'))
    for (const { kind, bytes, label: its } of rows) {
      if (kind === 'image' || its !== label) continue
      const place = await placeOf(`${own}/${parityName(kind)}`)
      if (place?.bytes === bytes) return { kind, rows, own, place }
    }
  }
  return null
}

/** True for a parity disc, which has no files of the source. */
export async function isParityDisc(volume: Volume): Promise<boolean> {
  return (await openParity(volume).catch(() => null)) !== null
}
