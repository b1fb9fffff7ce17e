import { tQuantile } from '../statistics/tQuantile'
import { type BlockLevelCounts, blockFigures } from './blockFigures'
import type { Chunked } from './surveyDocument'

/** The counts of a table of distinct chunks for one draw of boundaries. */
export type DrawCounts = Omit<BlockLevelCounts, 'blockSize' | 'blocks' | 'zeroBlocks' | 'zeroBytes'> & {
  readonly chunks: number
}

/** The same of a chunker, with those of its other draws if it was counted in several. */
export type ChunkCounts = DrawCounts & {
  readonly chunker: string
  readonly otherDraws?: readonly DrawCounts[]
}

/** Two-sided 95 % of the normal distribution. */
const NORMAL_95 = 1.96

/**
 * The variation of chunk boundaries of a chunker with one draw, as a multiple of the binomial
 * standard deviation sqrt(p(1 - p)/n) of the unique share p of n chunks. The larger of two measured
 * factors, so the range errs on the wide side (docs/methods/constants.md). The tool's draw and ours
 * both vary: hence the root of two below.
 */
const BOUNDARY_LUCK = 2.4

/**
 * The figures of a chunker with a 95 % range for what a repository will keep. Its boundaries are
 * secret, so it cuts elsewhere than we do. The figures are the mean of our draws of boundaries; the
 * spread of the draws is the variation that one repository has, and the range that of one further
 * draw (prediction interval of Student's t), with the sampling error of the tables on top (none
 * while every chunk is in them). Identical files are cut alike by any draw, so they add no
 * variation.
 * @param duplicateFileBytes what keeping one of each group of identical files would save
 */
export function chunkFigures(counts: ChunkCounts, duplicateFileBytes: number): Chunked {
  const { chunker, bytes, otherDraws = [] } = counts
  const draws = [counts, ...otherDraws]
  const found = draws.map((draw) =>
    blockFigures({ ...draw, blockSize: 0, blocks: draw.chunks, zeroBlocks: 0, zeroBytes: 0 }),
  )
  const chunks = Math.round(mean(draws.map((draw) => draw.chunks)))
  const uniqueBytes = Math.round(mean(found.map((one) => one.uniqueBytes)))
  const differing = Math.max(0, bytes - duplicateFileBytes)
  const sampling = mean(
    found.map((one) => Math.max(one.high - one.uniqueBytes, one.uniqueBytes - one.low) / NORMAL_95),
  )
  const spread =
    otherDraws.length > 0
      ? drawnSpread(
          draws,
          found.map((one) => one.uniqueBytes),
          sampling,
        )
      : NORMAL_95 * Math.hypot(modelledLuck(counts, differing, uniqueBytes), sampling)
  return {
    chunker,
    averageSize: chunks > 0 ? Math.round(bytes / chunks) : 0,
    chunks,
    uniqueChunks: Math.round(mean(found.map((one) => one.uniqueBlocks))),
    uniqueBytes,
    exact: draws.every((draw) => draw.exact),
    low: Math.max(0, Math.round(uniqueBytes - spread)),
    high: Math.max(uniqueBytes, Math.min(differing, Math.round(uniqueBytes + spread))),
  }
}

/**
 * The chance that a chunk repeats in another draw, or does not, without several draws having shown
 * it. A few large files among many small ones are like that (docs/methods/constants.md).
 */
const UNSEEN = 1 / 20
/**
 * Luck is skewed: a few large chunks repeat or do not. Without it 92 % to 98 % of ranges held in
 * 200 trials on made-up versions.
 */
const SKEW_ALLOWANCE = 1.15

/** How far one more draw may be from the mean of these. */
function drawnSpread(draws: readonly DrawCounts[], values: readonly number[], sampling: number): number {
  const count = values.length
  const middle = mean(values)
  const variance = values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (count - 1)
  const squares = mean(draws.map((draw) => draw.sumSquaredBytesRetained / draw.theta))
  const luck = Math.sqrt((variance + UNSEEN * (1 - UNSEEN) * squares) * (1 + 1 / count))
  // The draws are sampled independently, so their spread holds the sampling error of one, and their mean less of it.
  return SKEW_ALLOWANCE * tQuantile(count - 1) * Math.hypot(luck, sampling / Math.sqrt(count))
}

/**
 * That few chunks happen not to repeat does not prove that none could (Agresti and Coull 1998: two
 * successes and two failures added).
 */
function modelledLuck(counts: DrawCounts, differing: number, uniqueBytes: number): number {
  const observed = differing > 0 ? Math.min(1, uniqueBytes / differing) : 1
  const trials = evenChunks(counts) / Math.max(observed, 1e-9) + 4
  const share = (observed * (trials - 4) + 2) / trials
  return BOUNDARY_LUCK * Math.SQRT2 * differing * Math.sqrt((share * (1 - share)) / trials)
}

/**
 * How many chunks of equal length would vary as much as the distinct ones do: a dozen large chunks
 * decide more than a thousand small files that are each one chunk.
 */
function evenChunks({ sumBytesRetained, sumSquaredBytesRetained, theta }: DrawCounts): number {
  return sumSquaredBytesRetained > 0 ? sumBytesRetained ** 2 / (sumSquaredBytesRetained * theta) : 0
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
