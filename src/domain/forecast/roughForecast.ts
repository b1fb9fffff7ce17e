import type { Compression, Solid } from '../survey/surveyDocument'
import { dictionariesFor } from './dictionaries'

/**
 * A codec's size over that of zstd's first level on the same files, and its usual speed on one
 * core.
 */
interface Usual {
  readonly ratio: number
  readonly low: number
  readonly high: number
  readonly bytesPerSecond: number
}

/**
 * Before a codec was tried: sources, tiny files and disk images lay at the ratios, whose ranges are
 * wider than what was seen there. Speeds are those of one core, to a factor of 2.
 */
const FILES: Readonly<Record<string, Usual>> = {
  'gzip-1': { ratio: 1.09, low: 0.8, high: 1.4, bytesPerSecond: 60e6 },
  'gzip-6': { ratio: 0.95, low: 0.7, high: 1.2, bytesPerSecond: 25e6 },
  'gzip-9': { ratio: 0.94, low: 0.7, high: 1.2, bytesPerSecond: 12e6 },
  'zstd-1': { ratio: 1, low: 0.8, high: 1.1, bytesPerSecond: 300e6 },
  'zstd-3': { ratio: 0.95, low: 0.7, high: 1.05, bytesPerSecond: 200e6 },
  'zstd-9': { ratio: 0.87, low: 0.5, high: 1.02, bytesPerSecond: 50e6 },
  'zstd-19': { ratio: 0.82, low: 0.35, high: 1.01, bytesPerSecond: 3e6 },
  'zstd-19-long': { ratio: 0.81, low: 0.2, high: 1.01, bytesPerSecond: 3e6 },
  lz4: { ratio: 1.42, low: 1, high: 1.9, bytesPerSecond: 500e6 },
  'lzma2-9': { ratio: 0.81, low: 0.2, high: 1.05, bytesPerSecond: 3e6 },
}
const BLOCK_BYTES = 128 * 1024
const LONG_BLOCK_BYTES = 1024 * 1024
/** In records of a block's size repeats farther back are lost. */
const BLOCKS: Readonly<Record<string, Usual>> = {
  'gzip-6': { ratio: 0.95, low: 0.7, high: 1.3, bytesPerSecond: 25e6 },
  'gzip-9': { ratio: 0.94, low: 0.7, high: 1.3, bytesPerSecond: 12e6 },
  'zstd-3': { ratio: 0.99, low: 0.75, high: 1.3, bytesPerSecond: 200e6 },
  lz4: { ratio: 1.44, low: 1, high: 2, bytesPerSecond: 500e6 },
}

/** A codec stores what does not shrink, with a little around it. */
const STORED = 1.02

/**
 * A forecast for every codec from the result of zstd's first level: for the time until it is tried,
 * with ranges of that width.
 * @param zstd1Bytes estimated for all files by themselves
 */
export function roughCompression(zstd1Bytes: number, sourceBytes: number): Compression[] {
  const most = Math.round(STORED * sourceBytes)
  const row = (codec: string, recordSize: number | null, usual: Usual): Compression => {
    const bytes = (ratio: number): number => Math.min(most, Math.round(zstd1Bytes * ratio))
    return {
      codec,
      scope: recordSize === null ? 'file' : 'record',
      recordSize,
      predictedBytes: bytes(usual.ratio),
      low: bytes(usual.low),
      high: bytes(usual.high),
      sampledBytes: 0,
      bytesPerSecond: usual.bytesPerSecond,
    }
  }
  return [
    ...Object.entries(FILES).map(([codec, usual]) => row(codec, null, usual)),
    ...[BLOCK_BYTES, LONG_BLOCK_BYTES].flatMap((size) =>
      Object.entries(BLOCKS).map(([codec, usual]) => row(codec, size, usual)),
    ),
  ]
}

const SOLID_CODECS = ['lzma2-9', 'zstd-19-long'] as const
const ORDERS: readonly Solid['order'][] = ['path', 'type', 'content']
/** Nearly equal releases shrink to a tenth of what they are file by file, and to less. */
const LEAST_SOLID = 0.03

/**
 * A forecast for one solid archive, from the known forecast of its codec file by file: at most
 * that, and each content once.
 * @param distinctShare of the source's bytes, equal files once
 */
export function roughSolids(
  compression: readonly Compression[],
  sourceBytes: number,
  distinctShare: number,
): Solid[] {
  return SOLID_CODECS.flatMap((codec) => {
    const files = compression.find((row) => row.codec === codec && row.recordSize === null)
    if (!files) return []
    const predictedBytes = Math.round(files.predictedBytes * distinctShare)
    const low = Math.round(files.low * LEAST_SOLID)
    const { high } = files
    return ORDERS.flatMap((order) =>
      dictionariesFor(sourceBytes).map(
        (dictionaryBytes): Solid => ({ codec, dictionaryBytes, order, predictedBytes, low, high }),
      ),
    )
  })
}
