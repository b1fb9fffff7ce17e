import type { Estimate } from '../../primitives/estimate'
import { estimateOf, product, within } from './estimateParts'
import type { MachineFacts } from './facts'
import { atPace } from './machinePace'
import type { CompressionRow } from './surveyFigures'

/**
 * How far the rate that small samples gave is from that of a run over everything, as a share: a run has warm tables and long
 * inputs, samples begin anew each time.
 */
const SAMPLED_RATE_ERROR = 0.2

/**
 * Bytes that one core makes in a second when unpacking, where the survey has not measured it: a figure published for one
 * machine, so the range goes from 0.4 to 1.6 of it.
 */
const UNPACK_RATES: readonly { readonly prefix: string; readonly rate: number; readonly source: string }[] = [
  { prefix: 'lz4', rate: 3_850e6, source: 'README of LZ4 1.9: Silesia on a Core i7-9700K' },
  { prefix: 'zstd', rate: 1_350e6, source: 'README of zstd 1.5: Silesia on a Core i7-9700K' },
  { prefix: 'gzip', rate: 390e6, source: 'README of zstd 1.5, zlib: Silesia on a Core i7-9700K' },
  { prefix: 'lzma', rate: 109e6, source: 'README of lzbench, lzma -9: Silesia on a Core i7' },
]
const PUBLISHED_ERROR = 0.6

/** Seconds of one core for packing so many bytes; null where the codec's rate was not measured. */
export function packWork(bytes: number, row: CompressionRow | undefined, what: string): Estimate | null {
  if (bytes === 0) return within(0, 0, 'exact', 'nothing to pack')
  if (!row || row.bytesPerSecond <= 0) return null
  return within(
    bytes / row.bytesPerSecond,
    SAMPLED_RATE_ERROR,
    'modelled',
    `${what} at the rate that samples of these bytes were packed with`,
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

/** A time with what real runs of a program were found to take against it: a factor, and what it may be off by as a share. */
export function corrected(work: Estimate, factor: number, error: number, basis: string): Estimate {
  return product(work, within(factor, error, 'modelled', basis), basis)
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
