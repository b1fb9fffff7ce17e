import { nameBytes } from '../naming/nameBytes'

/** The most blocks of files in a PAR2 set. */
export const MOST_BLOCKS = 32_768
/** The most files in a set of ours: each takes a block at least. */
const MOST_FILES = 16_000
/** Blocks of a volume where files are large. */
const USUAL_BLOCKS = 2000
/** The most that blocks may be larger than the sectors of the files, as a share of these. */
const MOST_PADDING = 0.1
/** Blocks are whole sectors, so that an unreadable one hits one block. */
const SECTOR = 2048

/** A file as sets take it. */
export interface SetContent {
  readonly path: string
  readonly bytes: number
}

/** How many sets so many files need. */
export function setCount(files: number, mostFiles = MOST_FILES): number {
  return Math.max(1, Math.ceil(files / mostFiles))
}

/** Deals files by turns, so that a scratch hits all sets alike. */
export function dealt<C>(contents: readonly C[], sets: number): C[][] {
  const piles = Array.from({ length: sets }, (): C[] => [])
  for (const [at, content] of contents.entries()) piles[at % sets]?.push(content)
  return piles
}

export function blocksOf(contents: readonly Pick<SetContent, 'bytes'>[], blockBytes: number): number {
  return contents.reduce((sum, { bytes }) => sum + Math.ceil(bytes / blockBytes), 0)
}

/**
 * The length of blocks: about 2,000 blocks a volume, and more where files are so small that much of
 * them would be padding, as far as a set holds them.
 */
export function blockBytesFor(sets: readonly (readonly SetContent[])[]): number {
  const all = sets.flat()
  const data = sectorBytes(all)
  const holds = (blockBytes: number): boolean =>
    sets.every((contents) => blocksOf(contents, blockBytes) <= MOST_BLOCKS)
  let blockBytes = rounded(data / USUAL_BLOCKS)
  while (!holds(blockBytes)) blockBytes = rounded(2 * blockBytes)
  for (;;) {
    const half = rounded(blockBytes / 2)
    const padded = blocksOf(all, blockBytes) * blockBytes
    if (padded <= data * (1 + MOST_PADDING) || half === blockBytes || !holds(half)) return blockBytes
    blockBytes = half
  }
}

function rounded(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / SECTOR)) * SECTOR
}

/** The bytes that files take on an image, in whole sectors. */
export function sectorBytes(contents: readonly Pick<SetContent, 'bytes'>[]): number {
  return SECTOR * blocksOf(contents, SECTOR)
}

const PACKET_HEAD = 64
/** The bytes of a recovery block with the start of its packet. */
export function recoveryPacketBytes(blockBytes: number): number {
  return PACKET_HEAD + 4 + blockBytes
}

/** The length of the blocks in a file with recovery blocks, between two descriptions of its set. */
export function blockBytesIn(file: {
  readonly recoveryBlocks: number
  readonly described: number
  readonly bytes: number
}): number {
  return (file.bytes - 2 * file.described) / file.recoveryBlocks - recoveryPacketBytes(0)
}

/** The bytes of the packets that describe a set, as `par2Set` makes them. */
export function descriptionBytes(contents: readonly SetContent[], blockBytes: number): number {
  const main = PACKET_HEAD + 8 + 4
  const creator = PACKET_HEAD + inFours('Stowage'.length)
  return contents.reduce(
    (sum, { path, bytes }) => sum + describedFileBytes(nameBytes(path), Math.ceil(bytes / blockBytes)),
    main + creator,
  )
}

/** The bytes that a file takes in the description of its set. */
export function describedFileBytes(pathBytes: number, blocks: number): number {
  const file = PACKET_HEAD + 16 + 16 + 16 + 8 + inFours(pathBytes)
  return 16 + file + PACKET_HEAD + 16 + 20 * blocks
}

function inFours(bytes: number): number {
  return 4 * Math.ceil(bytes / 4)
}
