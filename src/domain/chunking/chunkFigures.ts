import { type BlockLevelCounts, blockFigures } from '../survey/blockFigures'

/** What a table of distinct chunks tells of one chunker. */
export type ChunkCounts = Omit<BlockLevelCounts, 'blockSize' | 'blocks' | 'zeroBlocks' | 'zeroBytes'> & {
  readonly chunker: string
  readonly chunks: number
}

export interface ChunkFigures {
  readonly chunker: string
  readonly averageSize: number
  readonly chunks: number
  readonly uniqueChunks: number
  readonly uniqueBytes: number
  readonly exact: boolean
  readonly low: number
  readonly high: number
}

/** Two-sided 95 % of the normal distribution. */
const NORMAL_95 = 1.96

/**
 * A repository's boundaries are secret, so the tool's own run cuts elsewhere than ours. How much that moves the unique
 * share p of n chunks is modelled as this many times the binomial standard deviation sqrt(p(1 - p)/n): twelve releases of
 * one program (121 MB) cut with eight gear tables gave 0.0062 at 8 KiB and 0.016 at 64 KiB, which are 1.5 and 2.4 times it.
 * The larger is taken, so the range errs on the wide side.
 */
const BOUNDARY_LUCK = 2.4

/**
 * The figures of a chunker with a 95 % range that holds both the sampling error (none while every chunk is in the table)
 * and the luck of the tool's own boundaries. There is no luck for files that are the same as a whole: they are cut alike
 * wherever that is. That few chunks happen not to repeat does not prove that none could (Agresti and Coull 1998: two
 * successes and two failures added).
 * @param duplicateFileBytes what keeping one of each group of identical files would save
 */
export function chunkFigures(counts: ChunkCounts, duplicateFileBytes: number): ChunkFigures {
  const { chunker, chunks, bytes, exact } = counts
  const unique = blockFigures({ ...counts, blockSize: 0, blocks: chunks, zeroBlocks: 0, zeroBytes: 0 })
  const differing = Math.max(0, bytes - duplicateFileBytes)
  const observed = differing > 0 ? Math.min(1, unique.uniqueBytes / differing) : 1
  const trials = evenChunks(counts) / Math.max(observed, 1e-9) + 4
  const share = (observed * (trials - 4) + 2) / trials
  const luck = BOUNDARY_LUCK * differing * Math.sqrt((share * (1 - share)) / trials)
  const sampling = Math.max(unique.high - unique.uniqueBytes, unique.uniqueBytes - unique.low) / NORMAL_95
  const spread = NORMAL_95 * Math.hypot(luck, sampling)
  return {
    chunker,
    averageSize: chunks > 0 ? Math.round(bytes / chunks) : 0,
    chunks,
    uniqueChunks: unique.uniqueBlocks,
    uniqueBytes: unique.uniqueBytes,
    exact,
    low: Math.max(0, Math.round(unique.uniqueBytes - spread)),
    high: Math.max(unique.uniqueBytes, Math.min(differing, Math.round(unique.uniqueBytes + spread))),
  }
}

/**
 * How many chunks of equal length would vary as much as the distinct ones do: a dozen large chunks decide more than a
 * thousand small files that are each one chunk.
 */
function evenChunks({ sumBytesRetained, sumSquaredBytesRetained, theta }: ChunkCounts): number {
  return sumSquaredBytesRetained > 0 ? sumBytesRetained ** 2 / (sumSquaredBytesRetained * theta) : 0
}
