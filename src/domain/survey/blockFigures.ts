import { type CalibrationSums, calibrated } from './calibrated'

/** What a table of distinct blocks tells of one block size: everything when `exact`, else a uniform sample of the distinct blocks. */
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
  /** How many distinct blocks were kept, the sum of their bytes and the sum of the squares of their bytes. */
  readonly retained: number
  readonly sumBytesRetained: number
  readonly sumSquaredBytesRetained: number
  /** Where the table counts copies. */
  readonly calibration?: CalibrationSums | null
}

/** Statistics of one block size; `low` and `high` are the 95 % range of `uniqueBytes`. */
export interface BlockFigures {
  readonly blockSize: number
  readonly blocks: number
  readonly uniqueBlocks: number
  readonly uniqueBytes: number
  readonly zeroBlocks: number
  readonly zeroBytes: number
  readonly exact: boolean
  readonly low: number
  readonly high: number
}

/**
 * Two-sided 95 % of the normal distribution are 1.96 standard errors. The error itself is estimated, and the unique bytes of
 * a handful of kept blocks are no normal distribution: a little more is taken, so that in 200 trials 95 % hold.
 */
const RANGE_ERRORS = 2.1

/**
 * The figures of a block size. From a sample they are Horvitz–Thompson estimates (each kept block stands for 1 / theta
 * blocks) with the standard error of Poisson sampling, sqrt((1 - theta) × sum of squares) / theta; the sketch's method is that of
 * Beyer, Haas, Reinwald, Sismanis and Gemulla (SIGMOD 2007). Where copies are counted and it helps, they are calibrated on
 * the known bytes of all blocks. The range never leaves what is certain: at least the bytes kept, at most all bytes.
 */
export function blockFigures(level: BlockLevelCounts): BlockFigures {
  const { blockSize, blocks, zeroBlocks, zeroBytes, exact, theta } = level
  const rest = { blockSize, blocks, zeroBlocks, zeroBytes, exact }
  if (exact) {
    const uniqueBytes = level.sumBytesRetained
    return { ...rest, uniqueBlocks: level.retained, uniqueBytes, low: uniqueBytes, high: uniqueBytes }
  }
  const within = (value: number): number =>
    Math.min(level.bytes, Math.max(level.sumBytesRetained, Math.round(value)))
  const plain = {
    uniqueBytes: level.sumBytesRetained / theta,
    error: Math.sqrt((1 - theta) * level.sumSquaredBytesRetained) / theta,
  }
  const better = level.calibration ? calibrated(level.calibration, theta, plain.error) : null
  const { uniqueBytes, error } = better ?? plain
  const share = better ? uniqueBytes / Math.max(plain.uniqueBytes, 1) : 1
  return {
    ...rest,
    uniqueBlocks: Math.min(blocks, Math.round((level.retained / theta) * share)),
    uniqueBytes: within(uniqueBytes),
    low: within(uniqueBytes - RANGE_ERRORS * error),
    high: within(uniqueBytes + RANGE_ERRORS * error),
  }
}
