import type { Estimate, Span } from '../../primitives/estimate'
import { estimateOf } from './cost/estimateParts'
import type { SurveyFacts } from './facts'

export type CompressionRow = SurveyFacts['compression'][number]
export type CombinedRow = SurveyFacts['combined'][number]
export type FixedBlockRow = SurveyFacts['fixedBlocks'][number]
export type ChunkedRow = SurveyFacts['chunked'][number]
export type SolidRow = SurveyFacts['solid'][number]
export type GroupedRow = SurveyFacts['grouped'][number]

/** The forecast of a codec for whole files (`recordBytes` null) or for records of one size. */
export function compressionOf(
  survey: SurveyFacts,
  codec: string,
  recordBytes: number | null,
): CompressionRow | undefined {
  return survey.compression.find((row) => row.codec === codec && row.recordSize === recordBytes)
}

export function combinedOf(
  survey: SurveyFacts,
  method: CombinedRow['method'],
  codec: string,
  recordBytes: number | null,
  sectorBytes = 1,
): CombinedRow | undefined {
  return survey.combined.find(
    (row) =>
      row.method === method &&
      row.codec === codec &&
      row.recordSize === recordBytes &&
      row.sectorBytes === sectorBytes,
  )
}

function fixedBlocksOf(survey: SurveyFacts, blockBytes: number): FixedBlockRow | undefined {
  return survey.fixedBlocks.find((row) => row.blockSize === blockBytes)
}

/**
 * Seconds of one core for each byte of this source that does not repeat, as samples took here; null
 * where none was timed.
 */
export function streamSecondsOf(survey: SurveyFacts, codec: string): number | null {
  const row = survey.solid.find((one) => one.codec === codec && one.speed !== undefined)
  return row?.speed ? 1 / row.speed.bytesPerSecond : null
}

/**
 * Where it is not known what short files save by sharing blocks (older surveys): nothing to this
 * share of them.
 */
const UNKNOWN_SAVING = 0.3

/** Deflate looks back no farther than in such a block. */
const DEFLATE_BLOCK = 128 * 1024

/** The saving of files shorter than a block by sharing blocks, each file once. */
export function sharedBlockSaving(survey: SurveyFacts, codec: string, blockBytes: number): Span {
  const isDeflate = codec.startsWith('gzip')
  const known = survey.fragments.find(
    (row) =>
      row.codec === (isDeflate ? 'gzip-6' : codec) &&
      row.blockSize === (isDeflate ? DEFLATE_BLOCK : blockBytes),
  )
  if (known) return { value: known.predictedBytes, low: known.low, high: known.high }
  const most = UNKNOWN_SAVING * (survey.totals.bytes - filesFrom(survey, blockBytes).bytes)
  return { value: 0, low: 0, high: most }
}

export function chunkedOf(survey: SurveyFacts, chunker: string): ChunkedRow | undefined {
  return survey.chunked.find((row) => row.chunker === chunker)
}

/** The forecast from samples, with the survey's own range. */
export function forecastOf(
  row: { readonly predictedBytes: number; readonly low: number; readonly high: number },
  basis: string,
): Estimate {
  return estimateOf({ value: row.predictedBytes, low: row.low, high: row.high }, 'modelled', basis)
}

/** A counted figure: exact while the tables held everything, else a measured range. */
export function countedOf(
  row: { readonly uniqueBytes: number; readonly low: number; readonly high: number },
  basis: string,
): Estimate {
  const isExact = row.low === row.uniqueBytes && row.high === row.uniqueBytes
  return estimateOf(
    { value: row.uniqueBytes, low: row.low, high: row.high },
    isExact ? 'exact' : 'measured',
    basis,
  )
}

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

/** Mean bytes of a file, empty ones included; 0 where there is none. */
export function meanFileBytes(survey: SurveyFacts): number {
  return survey.totals.files > 0 ? survey.totals.bytes / survey.totals.files : 0
}

/** Bytes of all files, each rounded up to whole units. */
export function roundedUp(survey: SurveyFacts, unit: number): Span {
  const blocks = fixedBlocksOf(survey, unit)
  // Every occurrence of a block is counted, whatever the tables hold.
  if (blocks) return certain(blocks.blocks * unit)
  const { value, low, high } = roundedUpScaled(survey, unit, 1)
  // Never more than in whole blocks that hold whole units.
  const most = Math.min(
    ...survey.fixedBlocks
      .filter((row) => row.blockSize % unit === 0)
      .map((row) => row.blocks * row.blockSize),
  )
  return { value: Math.min(value, most), low: Math.min(low, most), high: Math.min(high, most) }
}

/**
 * Bytes of all files when each has become `ratio` of itself and is rounded up to whole units. Files
 * below a unit take one each; the rest of a larger file's last unit is anywhere from nothing to a
 * unit, and half of one on average. Files of a kind may all be whole units, so the range has both
 * ends.
 */
export function roundedUpScaled(survey: SurveyFacts, unit: number, ratio: number): Span {
  let value = 0
  let low = 0
  let high = 0
  for (const bin of survey.sizeHistogram) {
    if (bin.bytes === 0) continue
    const bytes = bin.bytes * ratio
    const isSmall = (bin.toBytes ?? Number.POSITIVE_INFINITY) * ratio <= unit
    const isLarge = bin.fromBytes * ratio >= unit
    const least = Math.max(bytes, bin.files * unit)
    const most = bytes + bin.files * unit
    if (isSmall) {
      value += bin.files * unit
      low += bin.files * unit
      high += bin.files * unit
    } else {
      value += isLarge ? bytes + (bin.files * unit) / 2 : (least + most) / 2
      low += least
      high += most
    }
  }
  return { value, low, high }
}

/** Files that have a byte at least. */
export function filledFiles(survey: SurveyFacts): number {
  return Math.max(0, survey.totals.files - survey.totals.emptyFiles)
}

/**
 * How many of the files are at least so long, and their bytes; a bin that the limit cuts counts in
 * proportion.
 */
export function filesFrom(survey: SurveyFacts, limit: number): { files: number; bytes: number } {
  let files = 0
  let bytes = 0
  for (const bin of survey.sizeHistogram) {
    const to = bin.toBytes ?? Math.max(bin.fromBytes * 2, limit + 1)
    const share = limit <= bin.fromBytes ? 1 : limit >= to ? 0 : (to - limit) / (to - bin.fromBytes)
    files += bin.files * share
    bytes += bin.bytes * share
  }
  return { files, bytes }
}

export function certain(value: number): Span {
  return { value, low: value, high: value }
}

/**
 * The bytes of a member of a tar: its header, and on average half a block of 512 behind its bytes.
 */
const MEMBER_BYTES = 512 + 256

/** About how long a tar of the source is. */
export function tarBytesOf({ totals }: SurveyFacts): number {
  return totals.bytes + (totals.files + totals.folders) * MEMBER_BYTES
}
