import type { VolumeProtection } from '../../../domain/sets/protection/volumeProtection'
import type { StoredContent } from './protectedContents'

const SECTOR = 2048
/** Parts are whole multiples of it. */
const PART_UNIT = 64

/** How the recovery blocks of a volume are made in the memory for them. */
export interface RecoveryParts {
  /** Bytes of each block that are made at a time: all of it where memory is enough. */
  readonly partBytes: number
  /** The scratch file that takes the blocks where they are made in parts; 0 otherwise. */
  readonly scratchBytes: number
}

/** A part of each block is made at a time where memory is too little for whole ones. */
export function recoveryParts({ sets, blockBytes }: VolumeProtection, memoryBytes: number): RecoveryParts {
  const blocks = sets.reduce((sum, { recoveryBlocks }) => sum + recoveryBlocks, 0)
  const partBytes = Math.max(1, Math.floor(memoryBytes / blocks / PART_UNIT)) * PART_UNIT
  return partBytes < blockBytes && blocks * blockBytes > memoryBytes
    ? { partBytes, scratchBytes: blocks * blockBytes }
    : { partBytes: blockBytes, scratchBytes: 0 }
}

/**
 * About how many bytes of files are read again for the parts after the first, as far as the plan
 * alone shows it; `bytesReadAgain` is exact.
 */
export function plannedAgain(protection: VolumeProtection, memoryBytes: number): number {
  const { sets, blockBytes } = protection
  const { partBytes } = recoveryParts(protection, memoryBytes)
  return sets.reduce((sum, { blocks }) => sum + blocks, 0) * (blockBytes - partBytes)
}

/** Where the recovery files of an image begin; it is written before them in a first step. */
export function recoveryStart({ sets }: VolumeProtection): number {
  return SECTOR * Math.min(...sets.map(({ description }) => description.sector))
}

/** The bytes of files that are read again for the parts after the first. */
export function bytesReadAgain(
  contents: readonly StoredContent[],
  blockBytes: number,
  partBytes: number,
): number {
  const after = (bytes: number): number => Math.max(0, bytes - partBytes)
  return contents.reduce(
    (sum, { bytes }) => sum + Math.floor(bytes / blockBytes) * after(blockBytes) + after(bytes % blockBytes),
    0,
  )
}
