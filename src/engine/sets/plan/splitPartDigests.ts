import type { PlanDocument, PlanVolume } from '../../../contract/dto/plan'
import { APP_VERSION } from '../../../contract/version'
import type { Medium } from '../../../domain/media/medium'
import { type FirstMedia, mediumAt } from '../../../domain/sets/mixedMedia'
import { OWN_IMAGES } from '../../../domain/sets/ownImages'
import type { InventoryItem, PackedVolume } from '../../../domain/sets/packing/inventory'
import { branchingFolder, volumeShares } from '../../../domain/sets/packing/volumeShares'
import { AppError } from '../../../primitives/appError'
import { hashRangesHex } from '../../files/read'
import { type SourceEntries, sourcePath } from '../../survey/sourceEntries'
import type { Layout } from './layoutVolumes'
import { type PartDigests, partKey } from './planLines'

/**
 * How the volumes of a new plan are made: images by this version of Stowage, folders by copying.
 */
export function masteringOf({ kind }: Medium, volumeDateWallMs: number): PlanDocument['mastering'] {
  const by = kind === 'image' ? { tool: OWN_IMAGES, version: APP_VERSION } : { tool: 'copy', version: '' }
  return { ...by, options: [], volumeDateWallMs }
}

/** The volumes of a plan's document. */
export function volumesOf(
  layout: Layout,
  medium: Medium,
  all: readonly InventoryItem[],
  firstMedia: FirstMedia = [],
): PlanVolume[] {
  const items = new Map(all.map((item) => [item.index, item]))
  const itemOf = (index: number): InventoryItem => items.get(index) as InventoryItem
  const branching = branchingFolder(all)
  return layout.volumes.map((sized) => {
    const packed = layout.packing.volumes[sized.index - 1]
    const own = mediumAt(packed?.bin ?? Number.POSITIVE_INFINITY, medium, firstMedia)
    const planned = plannedVolumeOf(sized, packed, own, itemOf, branching)
    return own.id === medium.id ? planned : { ...planned, mediumId: own.id }
  })
}

/**
 * One of them.
 * @param packed what is on it; undefined for nothing
 * @param branching the folder that holds all of the plan's files
 */
export function plannedVolumeOf(
  { index, label, sectors, payloadBytes, protection }: Layout['volumes'][number],
  packed: PackedVolume | undefined,
  { capacitySectors }: Medium,
  itemOf: (index: number) => InventoryItem,
  branching: string,
): PlanVolume {
  return {
    index,
    label,
    sectors,
    capacitySectors,
    files: packed?.files ?? 0,
    bytes: packed?.bytes ?? 0,
    reserveBytes: payloadBytes,
    shares: packed ? volumeShares(packed, itemOf, branching) : [],
    ...(protection && { protection }),
  }
}

/**
 * SHA-256 of the parts of files that were split.
 * @throws AppError the first failure, `cancelled`
 */
export async function partDigests(
  source: SourceEntries,
  layout: Layout,
  signal: AbortSignal,
  onBytes: (done: number, parts: number, bytesTotal: number) => void,
): Promise<PartDigests> {
  const parts = layout.packing.volumes.flatMap(({ assignments }) =>
    assignments.filter((assignment) => assignment.kind === 'part'),
  )
  const bytesTotal = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const ranges = parts.map(({ index, offset, bytes }) => {
    const entry = source.entries.get(index)
    if (!entry) throw new AppError('internal', `part of an unknown entry ${index}`)
    return { path: sourcePath(source, entry), offset, length: bytes }
  })
  onBytes(0, parts.length, bytesTotal)
  const hashed = await hashRangesHex(ranges, signal, (done) => onBytes(done, parts.length, bytesTotal))
  return new Map(parts.map(({ index, offset }, at) => [partKey(index, offset), hashed[at] as string]))
}
