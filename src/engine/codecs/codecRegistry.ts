/**
 * The room `codecs` compresses samples as the programs of people would.
 * How: one registry names each codec with its parameters; Node has deflate and zstd, a package LZ4,
 * and 7-Zip packs batches for LZMA2.
 * Not here: which samples (`forecast`), archives (`options/builders`).
 */

/** Permanent names: they are in stored surveys and in other people's scripts. */
export const CODEC_IDS = [
  'gzip-1',
  'gzip-6',
  'gzip-9',
  'zstd-1',
  'zstd-3',
  'zstd-9',
  'zstd-19',
  'zstd-19-long',
  'lz4',
  'lzma2-9',
] as const
export type CodecId = (typeof CODEC_IDS)[number]

const KIB = 1024
const MIB = 1024 * KIB

/** A codec as a person would run it on a file. */
export interface Codec {
  readonly id: CodecId
  readonly family: 'deflate' | 'zstd' | 'lz4' | 'lzma2'
  readonly level: number
  /** How far back in a large file it finds repeats. */
  readonly windowBytes: number
  /**
   * The bytes that the real tool's container adds to the compressed data of a file with a base name
   * of so many bytes.
   */
  fileOverhead(fileBytes: number, nameBytes: number): number
  /**
   * Share of the predicted size by which forecasts differ from the real tool's runs for reasons
   * other than sampling (another implementation or version, windows longer than what was replayed):
   * one standard error, seen on the truth bench.
   */
  readonly systematicShare: number
  /**
   * The share that is left to save in the parts of large files that have more before them than
   * warmed the codec up: the ninth level of zstd does not show all that a slow codec finds there.
   * On parts of a library, a file system and a log -0.03 to 0.04; taken off the forecast in
   * proportion to those parts, and so uncertain.
   */
  readonly historyShare: number
  /**
   * How the tool cuts a large file into jobs, each of which sees so much of what precedes it; null
   * where it does not.
   */
  readonly jobs: { readonly bytes: number; readonly overlapBytes: number } | null
}

/**
 * gzip (RFC 1952): header 10, name and its zero byte (the tool stores it), CRC and length 8. An
 * empty file has 2 bytes of deflate in it.
 */
const gzipOverhead = (fileBytes: number, nameBytes: number): number =>
  10 + nameBytes + 1 + 8 + (fileBytes === 0 ? 2 : 0)

/**
 * The bytes of a zstd frame besides its blocks (RFC 8878): magic, descriptors, content size, and
 * the checksum that the tool adds by default.
 */
const zstdOverhead =
  (windowBytes: number) =>
  (fileBytes: number): number => {
    const contentSize = fileBytes < 256 ? 1 : fileBytes < 65_536 + 256 ? 2 : 4
    const windowDescriptor = fileBytes > windowBytes ? 1 : 0
    return 4 + 1 + windowDescriptor + contentSize + 4 + (fileBytes === 0 ? 3 : 0)
  }

/**
 * LZ4 frame format 1.6.2: header 7, each block of 4 MiB has its length in 4, end mark 4, content
 * checksum 4.
 */
const lz4Overhead = (fileBytes: number): number => 7 + 4 * Math.ceil(fileBytes / (4 * MIB)) + 4 + 4

/**
 * 7z with -ms=off: the headers are packed by 7-Zip itself; 12 to 16 bytes a file were seen (121 and
 * 276 files: folder record, sizes, CRC, times, attributes), and names in UTF-16 shrink to about a
 * third of their UTF-8 length.
 */
const sevenZipOverhead = (fileBytes: number, nameBytes: number): number =>
  fileBytes === 0 ? 6 + nameBytes / 3 : 12 + nameBytes / 3

function deflate(level: 1 | 6 | 9): Codec {
  return {
    id: `gzip-${level}`,
    family: 'deflate',
    level,
    windowBytes: 32 * KIB,
    fileOverhead: gzipOverhead,
    systematicShare: 0.006,
    historyShare: 0,
    jobs: null,
  }
}

/**
 * The zstd tool compresses with a thread of its own unless disabled (since version 1.3.4), in jobs
 * of four windows and at least 1 MiB. Each job sees a part of a window before it that depends on
 * the level's strategy: an eighth up to level 5, a quarter for the lazy ones, all for the best
 * (ZSTDMT_computeTargetJobLog and ZSTDMT_overlapLog_default in lib/compress/zstdmt_compress.c).
 */
function zstdJobs(level: number, windowBytes: number): Codec['jobs'] {
  if (level >= 19) return null
  return { bytes: Math.max(MIB, 4 * windowBytes), overlapBytes: windowBytes / (level >= 6 ? 4 : 8) }
}

function zstd(
  level: number,
  windowBytes: number,
  id: CodecId,
  systematicShare: number,
  historyShare: number,
): Codec {
  return {
    id,
    family: 'zstd',
    level,
    windowBytes,
    fileOverhead: zstdOverhead(windowBytes),
    systematicShare,
    historyShare,
    jobs: zstdJobs(level, windowBytes),
  }
}

/**
 * Window sizes of zstd's levels for large inputs: lib/compress/clevels.h, table of more than
 * 256 KB.
 */
export const CODECS: Readonly<Record<CodecId, Codec>> = {
  'gzip-1': deflate(1),
  'gzip-6': deflate(6),
  'gzip-9': deflate(9),
  'zstd-1': zstd(1, 512 * KIB, 'zstd-1', 0.005, 0),
  'zstd-3': zstd(3, 2 * MIB, 'zstd-3', 0.005, 0),
  'zstd-9': zstd(9, 4 * MIB, 'zstd-9', 0.005, 0),
  'zstd-19': zstd(19, 8 * MIB, 'zstd-19', 0.008, 0.012),
  'zstd-19-long': zstd(19, 128 * MIB, 'zstd-19-long', 0.008, 0.012),
  lz4: {
    id: 'lz4',
    family: 'lz4',
    level: 1,
    windowBytes: 64 * KIB,
    fileOverhead: lz4Overhead,
    systematicShare: 0.006,
    historyShare: 0,
    jobs: null,
  },
  'lzma2-9': {
    id: 'lzma2-9',
    family: 'lzma2',
    level: 9,
    windowBytes: 256 * MIB,
    fileOverhead: sevenZipOverhead,
    systematicShare: 0.01,
    historyShare: 0.012,
    jobs: null,
  },
}

/** True when a codec packs less than 10 MB/s: too slow to be given all that precedes a sample. */
export function isSlow({ family, level }: Codec): boolean {
  return family === 'lzma2' || (family === 'zstd' && level > 9)
}
