import type { FileClass } from './fileClass'

/** Sampling levels: `none` and `quick` forecast no codec; `quick` skips chunks and anchors too. */
export type Samples = 'quick' | 'none' | 'fast' | 'normal' | 'thorough'

/** Bytes are apparent sizes; a hard-linked file counts once and its other names are counted apart. */
export interface SurveyTotals {
  files: number
  folders: number
  bytes: number
  allocatedBytes: number
  symlinks: number
  /** Additional names of files already counted, and the bytes a copy would store again for them. */
  hardLinks: number
  hardLinkedBytes: number
  /** Bytes that sparse files do not occupy. */
  sparseBytes: number
  /** Bytes occupied beyond the files' sizes, mostly in each last block; null where they were not counted. */
  slackBytes: number | null
  /**
   * Allocated bytes that share their place on disk with other files of this survey (clones), beyond the first. Sharing with
   * anything outside the survey, such as a snapshot, is not counted. Null during the pass and where the file system does not
   * report it.
   */
  clonedBytes: number | null
  emptyFiles: number
  /** Absent in surveys of earlier versions. `pathBytes`: all files' paths below their roots. */
  largestFileBytes?: number | undefined
  pathBytes?: number | undefined
  skipped: number
}

/** The kind of device a source is on, the slowest if there are several; `virtual` is a virtual machine's disk. */
export type DeviceKind =
  | 'unknown'
  | 'hdd'
  | 'optical'
  | 'ssd'
  | 'nvme'
  | 'usb'
  | 'virtual'
  | 'network'
  | 'memory'

/** How many threads read at the end of the pass, and why, in one sentence. */
export interface SurveyReading {
  deviceKind: DeviceKind
  threads: number
  because: string
}

/** A range of 95 % confidence around a count of bytes; both ends equal the value when it is exact. */
interface ByteRange {
  low: number
  high: number
}

/** Cutting every file into blocks of one size; a file's last block counts at its own length. */
export interface FixedBlock extends ByteRange {
  blockSize: number
  blocks: number
  uniqueBlocks: number
  uniqueBytes: number
  /** Occurrences of all-zero blocks and their bytes. One zero block of each length is among the unique ones. */
  zeroBlocks: number
  zeroBytes: number
  exact: boolean
}

/** Cutting every file as a backup tool does; `chunker` is a permanent name of the registry. */
export interface Chunked extends ByteRange {
  chunker: string
  averageSize: number
  chunks: number
  uniqueChunks: number
  uniqueBytes: number
  /** True when every chunk was counted; the range also includes the variation from each tool's secret chunking seed. */
  exact: boolean
}

/** Forecast of compressing with a codec: each file alone (`file`, recordSize null) or in records of one size. */
export interface Compression extends ByteRange {
  codec: string
  scope: 'file' | 'record'
  recordSize: number | null
  predictedBytes: number
  sampledBytes: number
  /** Of one core of this machine on these bytes. */
  bytesPerSecond: number
  /** The same for the command-line program, where it differs from the library that was timed. */
  toolBytesPerSecond?: number | undefined
  /** Decompression rate in output bytes; absent where it was not measured. */
  unpackBytesPerSecond?: number | undefined
}

/**
 * Forecast of compression combined with deduplication. `deduplicate-compress`: every distinct record once, compressed; for codecs
 * that treat each record alone, compressing first gives the same size. `compress-deduplicate`: each file compressed as a whole,
 * then equal results once (recordSize null); equal beginnings of different files are not counted. `zfs`: records as ZFS
 * allocates them with compression and dedup on, before parity and metadata.
 */
export interface Combined extends ByteRange {
  method: 'deduplicate-compress' | 'compress-deduplicate' | 'zfs'
  codec: string
  recordSize: number | null
  /** Every stored record is rounded up to this; 1 for no rounding. */
  sectorBytes: number
  predictedBytes: number
  /** Records (or files) in the deduplication table, with their 95 % range. */
  tableEntries: number
  tableEntriesLow: number
  tableEntriesHigh: number
}

/**
 * Bytes without an earlier copy inside the dictionary (`novelBytes`) and bytes in patterns too short for anchors, such as zeros
 * (`quietBytes`); all others repeat. Absent in surveys of earlier versions.
 */
export interface Reuse {
  novelBytes: number
  quietBytes: number
}

/** Order of the files in a solid archive: by path; by extension, name, time and size; or files that share data next to each other. */
type SolidOrder = 'path' | 'type' | 'content'

/** Forecast of one solid archive of everything, for a dictionary size and an order of the files. */
export interface Solid extends ByteRange {
  codec: string
  dictionaryBytes: number
  order: SolidOrder
  predictedBytes: number
  /** Single-core throughput on novel data, in streams of `streamBytes`; absent where the streams were too short to time. */
  speed?: { bytesPerSecond: number; streamBytes: number } | undefined
  reuse?: Reuse | undefined
}

/**
 * Forecast for files shorter than a block that are packed into blocks together, in path order and equal ones once (what SquashFS
 * calls fragments), against compressing each alone. `bytes`: of those files.
 */
export interface Fragments extends ByteRange {
  codec: 'gzip-6' | 'zstd-3' | 'lz4'
  blockSize: number
  bytes: number
  predictedBytes: number
}

/**
 * Forecast of many solid archives, one for each group of files. `titles`: files of one folder whose names begin with the same
 * title (GoodMerge's rule: the text before the first ` (` or ` [`). `groups`: files that share data, in any folder.
 */
export interface Grouped extends ByteRange {
  codec: string
  dictionaryBytes: number
  by: 'titles' | 'groups'
  archives: number
  predictedBytes: number
  /** Archives whose bytes no other archive equals, and their bytes. */
  distinctArchives: number
  distinctBytes: number
  /** The largest group before compression. */
  largestBytes: number
  /**
   * Packed data that distinct archives begin with as an earlier one does, since their first files are equal: by size (how often 1 can be
   * doubled up to it), the archives and the bytes in them. Absent in older surveys.
   */
  sharedStarts?: [number, number, number][] | undefined
  reuse?: Reuse | undefined
}

/** Files of one extension (lower case, without dot, empty for none), largest first; the rest is one row with extension null. */
export interface TypeRow {
  extension: string | null
  fileClass: FileClass
  files: number
  bytes: number
  /** The same files by size: index of the bin in `sizeHistogram`, files, bytes; only bins with files. */
  bySize?: [number, number, number][] | undefined
}

/** Files of at least `fromBytes` and less than `toBytes` (null: no upper limit). The first bin holds empty files. */
export interface SizeBin {
  fromBytes: number
  toBytes: number | null
  files: number
  bytes: number
}

/** An entry that could not be read. */
export interface Skipped {
  path: string
  code: string
  message: string
}

export interface DuplicateTotals {
  /** Different contents that more than one file has. */
  groups: number
  /** All files of those groups, the first of each included. */
  files: number
  /** Bytes that keeping one file of each group would save. */
  bytes: number
}

/** Files with the same content. */
export interface DuplicateGroup {
  /** Of each. */
  bytes: number
  /** All of them, including the one to keep. */
  copies: number
  /** Saved by keeping one of them. */
  savedBytes: number
  /** The first 20 in path order. */
  paths: string[]
}

/** What an incremental survey took from an earlier survey of the same roots: files with equal size, times, inode and device. */
export interface Trusted {
  surveyId: string
  /** When that survey began, and whether it was stopped early. */
  createdWallMs: number
  partial: boolean
  /** Unchanged files that were not read again, and their bytes. */
  files: number
  bytes: number
  /**
   * Source of the codec forecasts: `same` as the earlier survey's when nothing changed; `joined` from the earlier ones for
   * unchanged files (the range lowered by what was deleted) and new samples; `sampled` anew, which reads some mebibytes of the
   * unchanged files, because the earlier survey had no samples or fewer.
   */
  forecasts: 'same' | 'joined' | 'sampled'
}

/** Why an earlier survey of the same roots was not reused. */
export interface NotTrusted {
  surveyId: string
  reason: 'full' | 'sha256' | 'blockSizes' | 'chunkers' | 'noSketch' | 'damagedSketch' | 'noOrder'
}

interface SurveyTiming {
  /** From the start until everything the pass measures is known. */
  passMs: number
  wallMs: number
  peakRssBytes: number
  threads: number
  /** Null in surveys of earlier versions. */
  reading: SurveyReading | null
}

/** The result of one read pass over a source, as `stowage survey --json` prints it. Sizes in bytes, times in milliseconds. */
export interface SurveyDocument {
  schema: 'stowage.survey/1'
  id: string
  createdWallMs: number
  roots: string[]
  totals: SurveyTotals
  fixedBlocks: FixedBlock[]
  chunked: Chunked[]
  compression: Compression[]
  combined: Combined[]
  solid: Solid[]
  /** Absent in surveys of earlier versions. */
  grouped?: Grouped[] | undefined
  /** Absent in surveys of earlier versions. */
  fragments?: Fragments[] | undefined
  duplicateFiles: DuplicateTotals
  types: TypeRow[]
  sizeHistogram: SizeBin[]
  /** At most the first 1,000; `totals.skipped` counts all, and the catalog lists them. */
  skipped: Skipped[]
  sha256: boolean
  timing: SurveyTiming
  /** True when the pass was cancelled or interrupted: the figures are those of what was read until then. */
  partial: boolean
  /** True when the process ended during the pass: the figures are those of its last checkpoint. */
  interrupted?: boolean | undefined
  /** The sampling level; absent where it was not recorded. */
  samples?: Samples | undefined
  /** Null when everything was read. */
  trusted?: Trusted | null | undefined
  notTrusted?: NotTrusted | null | undefined
}
