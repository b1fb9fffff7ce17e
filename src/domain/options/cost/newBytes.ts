import type { SurveyFacts } from '../facts'

/** All bytes but those in blocks of zeros, which cost codecs next to nothing. */
export function patternedBytes({ totals, fixedBlocks }: SurveyFacts): number {
  const zeros = fixedBlocks.find((row) => row.blockSize === 4096)?.zeroBytes ?? 0
  return Math.max(0, totals.bytes - zeros)
}

const NEAR = new Set([4096, 8192, 16_384])

/**
 * The bytes of a source without repeats, as far as small blocks and chunks of it show: never more
 * than its bytes.
 */
export function newBytes(survey: SurveyFacts): number {
  const small = [
    ...survey.fixedBlocks.filter((row) => NEAR.has(row.blockSize)),
    ...survey.chunked.filter((row) => row.chunker.startsWith('fastcdc')),
  ]
  return Math.max(
    0,
    Math.min(survey.totals.bytes - survey.duplicateFiles.bytes, ...small.map((row) => row.uniqueBytes)),
  )
}
