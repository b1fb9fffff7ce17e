import {
  blocksOf,
  dealt,
  descriptionBytes,
  recoveryPacketBytes,
} from '../../../domain/sets/protection/recoverySets'
import type { VolumeProtection } from '../../../domain/sets/protection/volumeProtection'
import type { ImagePlaces } from './ownLayout'
import { RECOVERY_RANK } from './recoveryFiles'

/** A content on an image, by its first name. */
export interface StoredContent {
  readonly entry: number
  readonly path: string
  readonly bytes: number
  readonly sector: number
}

/**
 * The contents that recovery data is made of, in the order of their sectors: all before the first
 * recovery file. Further names of a content lie on the same sectors: a set has the first one alone,
 * so for `par2` the others are files that it does not know.
 */
export function protectedContents({ layout, contents }: ImagePlaces): StoredContent[] {
  const sectors = layout.firstSectors()
  const { bytes, ranks } = contents.entries
  const bySector = new Map<number, StoredContent>()
  let end = layout.sectors()
  for (const [path, entry] of contents.numbers) {
    const sector = sectors[entry] ?? 0
    if (sector === 0) continue
    if ((ranks[entry] ?? 0) >= RECOVERY_RANK) end = Math.min(end, sector)
    else if (!bySector.has(sector)) bySector.set(sector, { entry, path, bytes: bytes[entry] ?? 0, sector })
  }
  return [...bySector.values()]
    .filter(({ sector }) => sector < end)
    .toSorted((one, other) => one.sector - other.sector)
}

/** The protection with the sizes that its files have for these contents. */
export function sizedProtection(
  protection: VolumeProtection,
  contents: readonly StoredContent[],
): VolumeProtection {
  const { blockBytes } = protection
  const piles = dealt(contents, protection.sets.length)
  const sets = protection.sets.map((set, at) => {
    const pile = piles[at] ?? []
    const described = descriptionBytes(pile, blockBytes)
    const packets = set.recoveryBlocks * recoveryPacketBytes(blockBytes)
    return {
      ...set,
      blocks: blocksOf(pile, blockBytes),
      description: { ...set.description, bytes: described },
      recovery: { ...set.recovery, bytes: 2 * described + packets },
    }
  })
  const bytes = sets.reduce((sum, { description, recovery }) => sum + description.bytes + recovery.bytes, 0)
  return { ...protection, sets, bytes }
}
