import type { RawBlockLevel, RawChunkLevel } from './loadAddon'

/**
 * One block size. `blocks`, `bytes`, `zeroBlocks` and `zeroBytes` are always exact. The unique figures are exact if
 * `exact`; else they are unbiased estimates from the blocks `retained`, which are a random share `theta` of the distinct
 * ones: the standard error of uniqueBlocks is sqrt((1-theta)·retained)/theta, that of uniqueBytes
 * sqrt((1-theta)·sumSquaredBytesRetained)/theta. They depend on the content alone, not on order or threads.
 */
export type NativeBlockLevel = RawBlockLevel

/**
 * One chunker: `chunks` and `bytes` are always exact, the unique figures are on the terms of those of blocks. Empty files
 * have no chunk. Boundaries depend on the content of each file alone; a tool's own, secret ones have the same distribution.
 */
export type NativeChunkLevel = RawChunkLevel & {
  readonly chunker: string
  /** The same of the chunker's other draws of boundaries; none if it has only one. */
  readonly otherDraws: readonly RawChunkLevel[]
}
