import {
  blocksOf,
  dealt,
  descriptionBytes,
  recoveryPacketBytes,
} from '../../../domain/sets/protection/recoverySets'
import {
  descriptionName,
  recoveryName,
  type VolumeProtection,
} from '../../../domain/sets/protection/volumeProtection'
import type { OwnFile } from '../../discImages/imageEntries'
import { COPIES } from '../volume/recoveryTsv'
import type { OwnLayout } from './ownLayout'

/** Recovery files are behind the lists, which they protect too, and copies of those are the last. */
export const RECOVERY_RANK = 2
const COPY_RANK = 3

/**
 * Stowage's own files of a volume with those of its recovery data, of which only the lengths are
 * known, and a second copy of each list behind them, which is found from the end of the image.
 * @param isCopied the lists that have a copy; all where it is absent
 */
export function withRecovery(
  lists: readonly OwnFile[],
  protection: VolumeProtection | undefined,
  isCopied: (name: string) => boolean = () => true,
): readonly OwnFile[] {
  if (!protection) return lists
  const recovery = protection.sets.flatMap((set, at) => [
    recoveryFile(descriptionName(at + 1), set.description.bytes),
    recoveryFile(recoveryName(at + 1, set.recoveryBlocks), set.recovery.bytes),
  ])
  const copies = lists
    .filter(({ name }) => isCopied(name))
    .map((list): OwnFile => ({ ...list, name: `${COPIES}/${list.name}`, rank: COPY_RANK }))
  return [...lists, ...recovery, ...copies]
}

function recoveryFile(name: string, bytes: number): OwnFile {
  return { name, bytes, source: null, rank: RECOVERY_RANK }
}

/** A protection while nothing is known of it but how many sets it has, which its names follow from. */
export function blankProtection(sets: number): VolumeProtection {
  const range = { sector: 0, bytes: 1 }
  const blank = { blocks: 0, recoveryBlocks: 1, description: range, recovery: range }
  return { blockBytes: 0, sets: Array.from({ length: sets }, () => blank), bytes: 0, scratchBytes: 0 }
}

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
export function protectedContents({ layout, contents }: OwnLayout): StoredContent[] {
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
