import { type CalibrationSums, calibrated } from './calibrated'
import type { DistinctContents } from './duplicateTally'
import type { FixedBlock } from './surveyDocument'

/**
 * The counts of a table of distinct blocks for one block size: everything when `exact`, else a
 * uniform sample of the distinct blocks.
 */
export interface BlockLevelCounts {
  readonly blockSize: number
  readonly blocks: number
  /** Bytes of all blocks, repeated ones included. */
  readonly bytes: number
  readonly zeroBlocks: number
  readonly zeroBytes: number
  readonly exact: boolean
  /** The share of the distinct blocks that were kept, above 0 and at most 1; 1 when exact. */
  readonly theta: number
  /**
   * How many distinct blocks were kept, the sum of their bytes and the sum of the squares of their
   * bytes.
   */
  readonly retained: number
  readonly sumBytesRetained: number
  readonly sumSquaredBytesRetained: number
  /** The retained blocks that are the only one of a file shorter than the block size. */
  readonly alone?: {
    readonly retained: number
    readonly sumBytesRetained: number
    readonly sumSquaredBytesRetained: number
  }
  /** Where the table counts copies: of the blocks that are not `alone`. */
  readonly calibration?: CalibrationSums | null
}

/**
 * Two-sided 95 % of the normal distribution are 1.96 standard errors. The error itself is
 * estimated, and the unique bytes of a handful of kept blocks are no normal distribution: a little
 * more is taken, so that in 200 trials 95 % hold.
 */
const RANGE_ERRORS = 2.1
/**
 * The factor of a standard error that makes a 95 % range of a calibrated estimate. Such an estimate
 * errs by the few blocks that have copies, often less than twenty of the sample, and is skewed: too
 * low goes with too small an error (docs/methods/constants.md).
 */
const CALIBRATED_ERRORS = 2.4

const NONE_ALONE = { retained: 0, sumBytesRetained: 0, sumSquaredBytesRetained: 0 }

/**
 * The figures of a block size. From a sample they are Horvitz–Thompson estimates (each kept block
 * stands for 1 / theta blocks) with the standard error of Poisson sampling, sqrt((1 - theta) × sum
 * of squares) / theta; the sketch's method is that of Beyer, Haas, Reinwald, Sismanis and Gemulla
 * (SIGMOD 2007). Where copies are counted and it helps, they are calibrated on the known bytes of
 * all blocks. The range never leaves what is certain: at least the bytes kept, at most all bytes.
 *
 * At large block sizes most blocks are a whole small file, and their lengths vary so much that a
 * sample says little. Those are a stratum of their own, which the files' digests give exactly: only
 * the rest is estimated.
 * @param files the different contents of all files shorter than the block size, where they are
 *   known
 */
export function blockFigures(level: BlockLevelCounts, files: DistinctContents | null = null): FixedBlock {
  const { blockSize, blocks, zeroBlocks, zeroBytes, exact, theta } = level
  const rest = { blockSize, blocks, zeroBlocks, zeroBytes, exact }
  if (exact) {
    const uniqueBytes = level.sumBytesRetained
    return { ...rest, uniqueBlocks: level.retained, uniqueBytes, low: uniqueBytes, high: uniqueBytes }
  }
  const least = Math.max(level.sumBytesRetained, files?.bytes ?? 0)
  const within = (value: number): number => Math.min(level.bytes, Math.max(least, Math.round(value)))
  const alone = level.alone ?? NONE_ALONE
  const beside = besideOthers(level, alone)
  const aloneBytes = files ? files.bytes : alone.sumBytesRetained / theta
  const aloneError = files ? 0 : Math.sqrt((1 - theta) * alone.sumSquaredBytesRetained) / theta
  const uniqueBytes = aloneBytes + beside.uniqueBytes
  const half = Math.hypot(RANGE_ERRORS * aloneError, beside.half)
  return {
    ...rest,
    uniqueBlocks: Math.min(
      blocks,
      Math.round((files ? files.count : alone.retained / theta) + beside.uniqueBlocks),
    ),
    uniqueBytes: within(uniqueBytes),
    low: within(uniqueBytes - half),
    high: within(uniqueBytes + half),
  }
}

/** The estimate of the blocks that are not alone in a file. */
function besideOthers(level: BlockLevelCounts, alone: NonNullable<BlockLevelCounts['alone']>) {
  const { theta } = level
  const squares = Math.max(0, level.sumSquaredBytesRetained - alone.sumSquaredBytesRetained)
  const plain = {
    uniqueBytes: (level.sumBytesRetained - alone.sumBytesRetained) / theta,
    error: Math.sqrt((1 - theta) * squares) / theta,
  }
  const better = level.calibration ? calibrated(level.calibration, theta, plain.error) : null
  const { uniqueBytes, error } = better ?? plain
  const share = better ? uniqueBytes / Math.max(plain.uniqueBytes, 1) : 1
  const half = (better ? CALIBRATED_ERRORS : RANGE_ERRORS) * error
  return { uniqueBytes, half, uniqueBlocks: ((level.retained - alone.retained) / theta) * share }
}
