import type { BlockLevelCounts } from '../../domain/survey/blockFigures'
import type { DrawCounts } from '../../domain/survey/chunkFigures'

/**
 * One block size. `blocks`, `bytes`, `zeroBlocks` and `zeroBytes` are always exact. The unique
 * figures are exact if `exact`; else they are unbiased estimates from the blocks `retained`, which
 * are a random share `theta` of the distinct ones: the standard error of uniqueBlocks is
 * sqrt((1-theta)·retained)/theta, that of uniqueBytes
 * sqrt((1-theta)·sumSquaredBytesRetained)/theta. They depend on the content alone, not on order or
 * threads.
 */
export type BlockLevel = Required<BlockLevelCounts> & {
  readonly uniqueBlocks: number
  readonly uniqueBytes: number
}

/** One draw of a chunker's boundaries. */
export type DrawLevel = Omit<DrawCounts, 'alone' | 'calibration'> & {
  readonly uniqueChunks: number
  readonly uniqueBytes: number
}

/**
 * One chunker: `chunks` and `bytes` are always exact, the unique figures are on the terms of those
 * of blocks. Empty files have no chunk. Boundaries depend on the content of each file alone; a
 * tool's own, secret ones have the same distribution.
 */
export type ChunkLevel = DrawLevel & {
  readonly chunker: string
  /** The same of the chunker's other draws of boundaries; none if it has only one. */
  readonly otherDraws: readonly DrawLevel[]
}

/**
 * Whole files by their content, on the terms of blocks; those that were not read to their end are
 * not among them.
 */
export type FileLevel = Omit<DrawLevel, 'chunks' | 'uniqueChunks'> & {
  readonly files: number
  readonly uniqueFiles: number
}
