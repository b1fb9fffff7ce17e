import {
  blockBytesFor,
  blocksOf,
  dealt,
  descriptionBytes,
  recoveryPacketBytes,
  sectorBytes,
} from '../../../domain/sets/protection/recoverySets'
import { certainScratch, type PlacedSet } from '../../../domain/sets/protection/scratch'
import {
  descriptionName,
  type Protection,
  recoveryName,
  type VolumeProtection,
} from '../../../domain/sets/protection/volumeProtection'
import type { ImagePlaces } from './ownLayout'
import { protectedContents, type StoredContent, sizedProtection } from './protectedContents'
import { RECOVERY_RANK } from './recoveryFiles'

const SECTOR = 2048
/** Images are whole multiples of it. */
const IMAGE_SECTORS = 32
/** More in a set would take long to make: filling up ends there. */
const MOST_FILLED_BLOCKS = 4096

/** The limits of recovery data. */
export interface ProtectionRoom {
  readonly wanted: Protection
  /** The least share in percent of a volume that is filled up, also where it is past the room. */
  readonly least?: number | undefined
  /** The sectors that the image may have. */
  readonly sectors: number
}

/** A volume's protection, with the size of its image. */
export interface ProtectedLayout {
  readonly protection: VolumeProtection
  readonly sectors: number
}

/**
 * The recovery data of a volume: the share of its files that is wanted, or what fits, and at least
 * the share that was kept for it.
 * @param assumed as many sets, of any lengths
 * @param folder Stowage's own on the image
 * @param layOut the layout of the image with such sets
 * @returns null where not one block for each set fits
 */
export async function plannedProtection(
  assumed: VolumeProtection,
  folder: string,
  room: ProtectionRoom,
  layOut: (protection: VolumeProtection) => Promise<ImagePlaces>,
): Promise<ProtectedLayout | null> {
  const before = await layOut(assumed)
  const contents = protectedContents(before)
  const piles = dealt(contents, assumed.sets.length)
  const blockBytes = blockBytesFor(piles)
  const most = mostBlocks(before, piles, blockBytes, room)
  const { wanted, least } = room
  const counts = piles.map((pile) => {
    if (wanted !== 'fill') return shareOf(pile, blockBytes, wanted)
    const filled = Math.min(most, blocksOf(pile, blockBytes))
    return least === undefined ? filled : Math.max(filled, leastOf(pile, blockBytes, least))
  })
  if (counts.some((count) => count < 1)) return null
  const empty = { sector: 0, bytes: 0 }
  const sized = sizedProtection(
    {
      blockBytes,
      sets: counts.map((recoveryBlocks) => ({
        blocks: 0,
        recoveryBlocks,
        description: empty,
        recovery: empty,
      })),
      bytes: 0,
      scratchBytes: 0,
    },
    contents,
  )
  const laid = await layOut(sized)
  const protection = placed(sized, folder, laid)
  const scratch = certainScratch(placedSets(protection, piles), blockBytes, laid.layout.sectors())
  return {
    protection: { ...protection, scratchBytes: scratch.sectors * SECTOR },
    sectors: laid.layout.sectors(),
  }
}

function shareOf(pile: readonly StoredContent[], blockBytes: number, percent: number): number {
  return Math.max(1, Math.ceil((sectorBytes(pile) * percent) / 100 / blockBytes))
}

/** A share, as far as sets are filled up. */
function leastOf(pile: readonly StoredContent[], blockBytes: number, percent: number): number {
  return Math.min(MOST_FILLED_BLOCKS, shareOf(pile, blockBytes, percent))
}

/** The recovery blocks for each set that fit on the volume. */
function mostBlocks(
  assumed: ImagePlaces,
  piles: readonly (readonly StoredContent[])[],
  blockBytes: number,
  { sectors }: ProtectionRoom,
): number {
  const { start, behind } = spaceAround(assumed)
  const most = Math.floor(sectors / IMAGE_SECTORS) * IMAGE_SECTORS
  // The last sector has an anchor.
  const free = most - 1 - start - behind
  const each = Math.floor(free / piles.length)
  const counts = piles.map((pile) => {
    const described = descriptionBytes(pile, blockBytes)
    const left = (each - Math.ceil(described / SECTOR)) * SECTOR - 2 * described
    return Math.floor(left / recoveryPacketBytes(blockBytes))
  })
  return Math.max(0, Math.min(MOST_FILLED_BLOCKS, ...counts))
}

/** Where the first recovery file is, and the sectors of the files behind all of them. */
function spaceAround({ layout, contents }: ImagePlaces): { start: number; behind: number } {
  const firsts = layout.firstSectors()
  const { ranks, bytes } = contents.entries
  let start = layout.sectors()
  let behind = 0
  for (const [entry, rank] of ranks.entries()) {
    if (rank === RECOVERY_RANK) start = Math.min(start, firsts[entry] ?? start)
    if (rank > RECOVERY_RANK) behind += Math.ceil((bytes[entry] ?? 0) / SECTOR)
  }
  return { start, behind }
}

/** With the sectors of its files. */
function placed(
  protection: VolumeProtection,
  folder: string,
  { layout, contents }: ImagePlaces,
): VolumeProtection {
  const firsts = layout.firstSectors()
  const sectorOf = (name: string): number => firsts[contents.numbers.get(`${folder}/${name}`) ?? 0] ?? 0
  const sets = protection.sets.map((set, at) => ({
    ...set,
    description: { ...set.description, sector: sectorOf(descriptionName(at + 1)) },
    recovery: { ...set.recovery, sector: sectorOf(recoveryName(at + 1, set.recoveryBlocks)) },
  }))
  return { ...protection, sets }
}

function placedSets(
  { sets, blockBytes }: VolumeProtection,
  piles: readonly (readonly StoredContent[])[],
): PlacedSet[] {
  return sets.map(({ recoveryBlocks, description, recovery }, at) => {
    const { bytes } = description
    const offset = recovery.sector * SECTOR
    const packetBytes = recoveryPacketBytes(blockBytes)
    return {
      contents: (piles[at] ?? []).map((content) => ({
        offset: content.sector * SECTOR,
        bytes: content.bytes,
      })),
      recoveryBlocks,
      descriptions: [
        { offset: description.sector * SECTOR, bytes },
        { offset, bytes },
        { offset: offset + bytes + recoveryBlocks * packetBytes, bytes },
      ],
      recovery: { offset: offset + bytes, packetBytes },
    }
  })
}
