import type { SurveyFacts } from '../facts'
import { type CombinedRow, combinedOf } from '../surveyFigures'

/** Samples have records up to this size. */
const MOST_SAMPLED_BYTES = 1024 * 1024
/**
 * How far a larger record compresses otherwise than its parts of 1 MiB: LZ4 and deflate look back 64 and 32 KiB, zstd at level 3
 * up to 2 MiB, and the eighth that must be saved is one of the whole record.
 */
const LARGER_ERROR = 0.05

/** The size of the sampled records that are nearest to records of this size. */
export function sampledSize(recordBytes: number): number {
  return Math.min(recordBytes, MOST_SAMPLED_BYTES)
}

/**
 * Distinct records of a size, compressed: as samples of them let expect, above 1 MiB as samples of 1 MiB do for the distinct bytes that
 * were counted. Undefined where the survey has neither.
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
  const rate = own.uniqueBytes / sampled.uniqueBytes
  return {
    ...row,
    recordSize: recordBytes,
    predictedBytes: Math.round(row.predictedBytes * rate),
    low: Math.round((row.low * rate * (1 - LARGER_ERROR) * own.low) / own.uniqueBytes),
    high: Math.round((row.high * rate * (1 + LARGER_ERROR) * own.high) / own.uniqueBytes),
    tableEntries: own.uniqueBlocks,
    tableEntriesLow: Math.floor((own.uniqueBlocks * own.low) / own.uniqueBytes),
    tableEntriesHigh: Math.ceil((own.uniqueBlocks * own.high) / own.uniqueBytes),
  }
}
