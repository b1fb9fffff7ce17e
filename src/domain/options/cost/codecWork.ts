import type { Estimate } from '../../../primitives/estimate'
import type { MachineFacts, OptionFacts } from '../facts'
import { type CompressionRow, compressionOf } from '../surveyFigures'
import { estimateOf, within } from './estimateParts'
import { atPace } from './machinePace'
import { patternedBytes } from './newBytes'

/**
 * How far the rate that small samples gave is from that of a run over everything, as a share: a run
 * has warm tables and long inputs, samples begin anew each time.
 */
const SAMPLED_RATE_ERROR = 0.2
/** Samples are rather slower than a run: of tiny files 0.4 of their time was needed. */
const LEAST_SHARE = 0.5

/**
 * Bytes that one core makes in a second when unpacking, where the survey has not measured it: a
 * figure published for one machine, so the range goes from 0.4 to 1.6 of it.
 */
const UNPACK_RATES: readonly { readonly prefix: string; readonly rate: number; readonly source: string }[] = [
  { prefix: 'lz4', rate: 3_850e6, source: 'README of LZ4 1.9: Silesia on a Core i7-9700K' },
  { prefix: 'zstd', rate: 1_350e6, source: 'README of zstd 1.5: Silesia on a Core i7-9700K' },
  { prefix: 'gzip', rate: 390e6, source: 'README of zstd 1.5, zlib: Silesia on a Core i7-9700K' },
]
const PUBLISHED_ERROR = 0.6

/**
 * Codecs do so many bytes in a second at least, on the slowest of four sets (sources, programs,
 * tiny files, images of disks) and the machine that all was measured on: samples of some kilobytes,
 * each with its own start and in parallel with other work, show less.
 */
const LEAST_RATES: Readonly<Record<string, number>> = {
  'gzip-1': 40e6,
  'gzip-6': 16e6,
  'gzip-9': 7e6,
  'zstd-1': 250e6,
  'zstd-3': 155e6,
  'zstd-19': 2.3e6,
  lz4: 450e6,
}
const LEAST_RATE_ERROR = 0.5

/**
 * Where gzip itself was timed on samples: so far from a run over everything. Programs with its
 * deflate (gzip, mksquashfs, UDZO on six sets) took 0.6 to 1.9 times as long, the handling of many
 * files and what they save on equal ones in it.
 */
const TOOL_RATE_ERROR = 0.5

/**
 * The CPU time of the real programs relative to the rate on samples: the deflate of gzip and
 * mksquashfs is slower than the one that packs the samples (docs/methods/constants.md).
 */
const PROGRAM_FACTORS: Readonly<Record<string, { readonly factor: number; readonly error: number }>> = {
  'gzip-1': { factor: 1.15, error: 0.3 },
  'gzip-6': { factor: 2, error: 0.6 },
  'gzip-9': { factor: 1.6, error: 0.8 },
  // Over whole files it searches farther back than in the pieces that are timed: 0.6 to 2.5 times were seen.
  'zstd-19': { factor: 1, error: 1.2 },
}

/**
 * On data without pattern there is nothing to search, and programs with this codec are as fast as
 * each other.
 */
const SEARCHED = 'gzip-9'

/** The next slower level of a codec, which never takes less time on the same data. */
const SLOWER: Readonly<Record<string, string>> = {
  'gzip-1': 'gzip-6',
  'gzip-6': 'gzip-9',
  'zstd-1': 'zstd-3',
  'zstd-3': 'zstd-19',
}

/**
 * Seconds of one core for packing so many bytes by a codec at the rate of its samples: deflate's of
 * that length, whose rate goes by what it packs, and the fastest of any length for others, as what
 * slowed the rest down was not the codec. Null where it was not sampled. A level takes at most what
 * the next slower one does.
 * @param recordBytes null for whole files
 */
export function packWork(
  bytes: number,
  codec: string,
  recordBytes: number | null,
  facts: OptionFacts,
  what: string,
): Estimate | null {
  const own = sampledWork(bytes, codec, recordBytes, facts, what)
  const slowerCodec = SLOWER[codec]
  const slower = slowerCodec === undefined ? null : packWork(bytes, slowerCodec, recordBytes, facts, what)
  return own !== null && slower !== null && slower.value < own.value ? slower : own
}

function sampledWork(
  bytes: number,
  codec: string,
  recordBytes: number | null,
  { survey, machine }: OptionFacts,
  what: string,
): Estimate | null {
  const isDeflate = codec.startsWith('gzip')
  const rates = survey.compression.flatMap((row) =>
    row.codec === codec && (!isDeflate || row.recordSize === recordBytes) ? [row.bytesPerSecond] : [],
  )
  const rate = Math.max(0, ...rates)
  if (rates.length === 0) return null
  if (bytes === 0) return within(0, 0, 'exact', 'nothing to pack')
  const row = compressionOf(survey, codec, recordBytes) ?? compressionOf(survey, codec, null)
  if (row?.toolBytesPerSecond !== undefined) {
    const basis = `${what} at the rate of gzip itself on samples of this source`
    return within(bytes / row.toolBytesPerSecond, TOOL_RATE_ERROR, 'modelled', basis)
  }
  const least = (LEAST_RATES[codec] ?? 0) * (machine.pace ?? 1)
  if (least > rate || rate === 0) {
    if (least === 0) return null
    const known = `${what} at the lowest measured rate of this codec`
    return within(Math.min(bytes, patternedBytes(survey)) / least, LEAST_RATE_ERROR, 'assumed', known)
  }
  const { factor, error } = PROGRAM_FACTORS[codec] ?? { factor: 1, error: 0 }
  const ratio = row && survey.totals.bytes > 0 ? Math.min(1, row.predictedBytes / survey.totals.bytes) : 0
  const value =
    (bytes / rate) * (codec === SEARCHED ? 1 + (factor - 1) * Math.min(1, 2 * (1 - ratio)) : factor)
  return estimateOf(
    { value, low: value * LEAST_SHARE, high: value * (1 + Math.hypot(2 * SAMPLED_RATE_ERROR, error)) },
    'modelled',
    `${what} at the rate of the codec on samples of this source`,
  )
}

/** Seconds of one core for unpacking so many bytes of what comes out. */
export function unpackWork(bytes: number, codec: string, row: CompressionRow | undefined): Estimate {
  const measured = row?.unpackBytesPerSecond
  if (measured !== undefined && measured > 0) {
    return within(
      bytes / measured,
      SAMPLED_RATE_ERROR,
      'modelled',
      'unpacking at the rate measured on samples',
    )
  }
  const known = UNPACK_RATES.find(({ prefix }) => codec.startsWith(prefix))
  if (!known) return within(0, 0, 'exact', 'nothing is compressed')
  return within(bytes / known.rate, PUBLISHED_ERROR, 'assumed', `unpacking as published: ${known.source}`)
}

/**
 * The CPU time of zlib's level 1 for each byte, and in addition for each byte times the compression
 * ratio (stored / original), in chunks of 1 MiB at the reference's speed: 17 % off at most on seven
 * sets (docs/methods/constants.md).
 */
const DEFLATE_SECONDS = 2.9e-9
const DEFLATE_STORED_SECONDS = 19.6e-9
const DEFLATE_ERROR = 0.2
/**
 * Inflating takes 2.3 to 3.9 ns a byte that comes out, and a sixth of that where nothing was saved
 * and chunks hold stored blocks; 1 ns is the way through the image.
 */
const INFLATE_SECONDS = 4e-9
const INFLATE_ERROR = 0.35
const STORED_RATIO = 0.99

/**
 * Seconds of one core for packing so many bytes by zlib at level 1, as programs with zlib do it.
 */
export function deflateWork(bytes: number, ratio: number, machine: MachineFacts): Estimate {
  const seconds = bytes * (DEFLATE_SECONDS + DEFLATE_STORED_SECONDS * Math.min(1, ratio))
  return atPace(within(seconds, DEFLATE_ERROR, 'modelled', 'zlib at level 1, by what it saves here'), machine)
}

/** The same for unpacking, in bytes of what comes out. */
export function inflateWork(bytes: number, ratio: number, machine: MachineFacts): Estimate {
  const value = bytes * INFLATE_SECONDS * (ratio < STORED_RATIO ? 1 : 0.5)
  const low = bytes * INFLATE_SECONDS * (ratio < STORED_RATIO ? 1 - INFLATE_ERROR : 0.25)
  const high = bytes * INFLATE_SECONDS * (1 + INFLATE_ERROR)
  return atPace(estimateOf({ value, low, high }, 'modelled', 'zlib, measured on Linux'), machine)
}

/** Seconds of a program's own work for each byte and each file, measured elsewhere. */
export interface ProgramCost {
  readonly startSeconds: number
  readonly fileSeconds: number
  readonly byteSeconds: number
  /** As a share of the whole. */
  readonly error: number
  readonly source: string
}

export function programWork(
  cost: ProgramCost,
  files: number,
  bytes: number,
  machine: MachineFacts,
): Estimate {
  const value = cost.startSeconds + files * cost.fileSeconds + bytes * cost.byteSeconds
  const spread = 1 + 2 * cost.error
  return atPace(
    estimateOf({ value, low: value / spread, high: value * spread }, 'assumed', cost.source),
    machine,
  )
}
