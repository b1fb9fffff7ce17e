import type { SurveyFacts } from '../facts'
import { type CombinedRow, combinedOf, type FixedBlockRow } from '../surveyFigures'

/** Samples have records up to this size. */
const MOST_SAMPLED_BYTES = 1024 * 1024
/**
 * How far a larger record compresses otherwise than its parts of 1 MiB: LZ4 and deflate look back
 * 64 and 32 KiB, zstd at level 3 up to 2 MiB, and the eighth that must be saved is one of the whole
 * record.
 */
const LARGER_ERROR = 0.05

/** The number of records that have this many bytes. */
function entriesAt({ uniqueBlocks, uniqueBytes }: FixedBlockRow, bytes: number): number {
  return (uniqueBlocks * bytes) / uniqueBytes
}

/**
 * How much more data distinct records have when they are larger: what repeats in parts repeats as a
 * whole less often. Zeros that were records by themselves are within larger ones now, where they
 * cost nothing.
 * @param share of those zeros that are in distinct records
 */
function growth(large: FixedBlockRow, small: FixedBlockRow, share: number): number {
  const zeros = Math.max(0, small.zeroBytes - large.zeroBytes) * share
  return Math.max(1, (dataOf(large) - zeros) / Math.max(1, dataOf(small)))
}

/** The bytes of all distinct records but the one of zeros. */
function dataOf({ uniqueBytes, zeroBytes, zeroBlocks }: FixedBlockRow): number {
  return uniqueBytes - (zeroBlocks > 0 ? zeroBytes / zeroBlocks : 0)
}

/** The size of the sampled records that are nearest to records of this size. */
export function sampledSize(recordBytes: number): number {
  return Math.min(recordBytes, MOST_SAMPLED_BYTES)
}

/**
 * Distinct records of a size, compressed: by samples of them, above 1 MiB by samples of 1 MiB for
 * the distinct bytes that were counted. Undefined where the survey has neither.
 */
export function recordsOnce(
  survey: SurveyFacts,
  method: CombinedRow['method'],
  codec: string,
  recordBytes: number,
  sectorBytes: number,
): CombinedRow | undefined {
  const row = combinedOf(survey, method, codec, sampledSize(recordBytes), sectorBytes)
  if (!row || recordBytes <= MOST_SAMPLED_BYTES) return row
  const blocksOf = (size: number) => survey.fixedBlocks.find((one) => one.blockSize === size)
  const [own, sampled] = [blocksOf(recordBytes), blocksOf(MOST_SAMPLED_BYTES)]
  if (!own || !sampled || sampled.uniqueBytes === 0 || own.uniqueBytes === 0) return undefined
  const rate = growth(own, sampled, 1)
  // Whatever has no entry of its own, short files above all, is a record by itself at both sizes.
  const without = (entries: number): number => sampled.uniqueBlocks - entries
  return {
    ...row,
    recordSize: recordBytes,
    predictedBytes: Math.round(row.predictedBytes * rate),
    low: Math.round((row.low * rate * (1 - LARGER_ERROR) * own.low) / own.uniqueBytes),
    high: Math.round(
      (row.high * growth(own, sampled, own.uniqueBlocks / own.blocks) * (1 + LARGER_ERROR) * own.high) /
        own.uniqueBytes,
    ),
    tableEntries: Math.max(0, own.uniqueBlocks - without(row.tableEntries)),
    tableEntriesLow: Math.max(0, Math.floor(entriesAt(own, own.low) - without(row.tableEntriesLow))),
    tableEntriesHigh: Math.ceil(entriesAt(own, own.high) - without(row.tableEntriesHigh)),
  }
}
