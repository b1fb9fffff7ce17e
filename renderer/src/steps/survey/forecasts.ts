import { type Compression, smallestOf } from '../../../../src/contract/dto/survey'

/**
 * The record sizes that there are forecasts for, null (each file by itself) first, then from small
 * to large.
 */
export function recordSizesOf(compression: readonly Compression[]): (number | null)[] {
  const sizes = new Set(compression.map((row) => (row.scope === 'file' ? null : row.recordSize)))
  return [...sizes].sort((one, other) => (one ?? 0) - (other ?? 0))
}

/**
 * The codecs at one record size (null: each file by itself), the smallest result first, the faster
 * one of equals.
 */
export function codecsAt(compression: readonly Compression[], recordSize: number | null): Compression[] {
  return compression
    .filter((row) => (row.scope === 'file' ? null : row.recordSize) === recordSize)
    .sort(
      (one, other) => one.predictedBytes - other.predictedBytes || other.bytesPerSecond - one.bytesPerSecond,
    )
}

/** The codec that leaves the least for certain; undefined when there is none. */
export function bestCodec(rows: readonly Compression[]): Compression | undefined {
  return smallestOf(rows) ?? undefined
}
