import { z } from 'zod'
import { bytesSchema, countSchema, durationMsSchema, idSchema, pathSchema, wallMsSchema } from './scalars'

export const SURVEY_SCHEMA = 'stowage.survey/1'

export const samplesSchema = z.enum(['quick', 'none', 'fast', 'normal', 'thorough'])
/** How much a survey spends on forecasting codecs. */
export type Samples = z.infer<typeof samplesSchema>

export const surveyRequestSchema = z.object({
  /** Absolute paths of folders and files, in the person's order. */
  paths: z.array(pathSchema).min(1).max(1000),
  /** SHA-256 of every file in the same read, for manifests. */
  sha256: z.boolean().default(false),
  /** Also count 512-byte blocks. */
  blocksFrom512: z.boolean().default(false),
  /**
   * How much is spent on forecasting codecs, beside and after the pass: `none` and `quick` say nothing of codecs, and
   * `quick` leaves out chunks and anchors too (blocks, digests and duplicates only).
   */
  samples: samplesSchema.default('normal'),
  /** Memory for the block tables in bytes; past it figures become estimates with a range. */
  maxMemoryBytes: bytesSchema.min(16 * 1024 * 1024).default(512 * 1024 * 1024),
  /** Read every file, also those that an earlier survey of the same roots knows and that have not changed since. */
  full: z.boolean().optional(),
})
export type SurveyRequest = z.infer<typeof surveyRequestSchema>

/** Bytes are apparent sizes; a hard-linked file counts once and its further names apart. */
export const surveyTotalsSchema = z.object({
  files: countSchema,
  folders: countSchema,
  bytes: bytesSchema,
  allocatedBytes: bytesSchema,
  symlinks: countSchema,
  /** Further names of files already counted, and the bytes that a copy would store again for them. */
  hardLinks: countSchema,
  hardLinkedBytes: bytesSchema,
  /** Bytes that sparse files do not occupy. */
  sparseBytes: bytesSchema,
  /** What files occupy beyond their bytes, mostly the rest of each last block; null where it was not counted. */
  slackBytes: bytesSchema.nullable().default(null),
  /**
   * Bytes on the disk (counted in `allocatedBytes`) that stand in the same place as others of this survey, beyond the
   * first: what clones share. Sharing with anything outside the survey, such as a snapshot, is not among them. Null
   * where no file lies on a file system that says so, while the pass runs, and where it could not be counted.
   */
  clonedBytes: bytesSchema.nullable().default(null),
  emptyFiles: countSchema,
  /** The largest file, and the bytes of the paths of all files below their roots; absent in surveys of before they were counted. */
  largestFileBytes: bytesSchema.optional(),
  pathBytes: bytesSchema.optional(),
  skipped: countSchema,
})

/** What the files of a survey lie on, the slowest if there are several; `virtual` is the disk of a virtual machine. */
export const deviceKindSchema = z.enum([
  'unknown',
  'hdd',
  'optical',
  'ssd',
  'nvme',
  'usb',
  'virtual',
  'network',
  'memory',
])
export type DeviceKind = z.infer<typeof deviceKindSchema>

/** How many threads read at once in the end, and why, in a sentence. */
export const surveyReadingSchema = z.object({
  deviceKind: deviceKindSchema,
  threads: countSchema,
  because: z.string(),
})
export type SurveyReading = z.infer<typeof surveyReadingSchema>

/** Statistics of cutting every file into blocks of one size; a file's last block counts at its own length. */
export const fixedBlockSchema = z.object({
  blockSize: bytesSchema,
  blocks: countSchema,
  uniqueBlocks: countSchema,
  uniqueBytes: bytesSchema,
  /** Blocks of zeros: how many occurrences, and their bytes. One of each length is among the unique ones. */
  zeroBlocks: countSchema,
  zeroBytes: bytesSchema,
  exact: z.boolean(),
  /** 95 % range of uniqueBytes; both equal to it when exact. */
  low: bytesSchema,
  high: bytesSchema,
})
export type FixedBlock = z.infer<typeof fixedBlockSchema>

/** Statistics of cutting every file as a backup tool does; `chunker` is a permanent name of the registry. */
export const chunkedSchema = z.object({
  chunker: z.string(),
  averageSize: bytesSchema,
  chunks: countSchema,
  uniqueChunks: countSchema,
  uniqueBytes: bytesSchema,
  /** True when every chunk was counted; `low` and `high` also hold the luck of the tool's own, secret boundaries. */
  exact: z.boolean(),
  low: bytesSchema,
  high: bytesSchema,
})
export type Chunked = z.infer<typeof chunkedSchema>

/** Forecast of compressing with a codec: each file by itself (`file`, recordSize null) or in records of one size. */
export const compressionSchema = z.object({
  codec: z.string(),
  scope: z.enum(['file', 'record']),
  recordSize: bytesSchema.nullable(),
  predictedBytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
  sampledBytes: bytesSchema,
  /** Of one core of this machine on these bytes. */
  bytesPerSecond: z.number().nonnegative(),
  /** The same of the program that people run, where it is another than what packed the samples and was timed. */
  toolBytesPerSecond: z.number().positive().optional(),
  /** The same for unpacking, in bytes of what comes out; absent where it was not measured. */
  unpackBytesPerSecond: z.number().positive().optional(),
})
export type Compression = z.infer<typeof compressionSchema>

/**
 * Forecast of storing the source compressed and deduplicated. `deduplicate-compress`: every different record once, compressed;
 * for codecs that treat each record by itself compressing first comes to the same. `compress-deduplicate`: each file
 * compressed as a whole, then equal results once (recordSize null); equal beginnings of different files are not counted. `zfs`:
 * records as ZFS allocates them with compression and dedup on, before parity and metadata.
 */
export const combinedSchema = z.object({
  method: z.enum(['deduplicate-compress', 'compress-deduplicate', 'zfs']),
  codec: z.string(),
  recordSize: bytesSchema.nullable(),
  /** What every stored record is rounded up to; 1 if to nothing. */
  sectorBytes: bytesSchema,
  predictedBytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
  /** Records (or files) that the deduplication table holds, with their 95 % range. */
  tableEntries: countSchema,
  tableEntriesLow: countSchema,
  tableEntriesHigh: countSchema,
})
export type Combined = z.infer<typeof combinedSchema>

/**
 * What archives hold of bytes that stand within one dictionary before, by anchors: those that do not, and those in patterns too short
 * for anchors, such as zeros. All others repeat. Absent in surveys of earlier versions.
 */
const reuseSchema = z.object({ novelBytes: bytesSchema, quietBytes: bytesSchema })

/** Forecast of one solid archive of everything, for a dictionary size and an order of the files. */
export const solidSchema = z.object({
  codec: z.string(),
  dictionaryBytes: bytesSchema,
  /** `path`, `type` (by extension, then name, time and size) or `content` (files that share data next to each other). */
  order: z.enum(['path', 'type', 'content']),
  predictedBytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
  /**
   * What of the source had not been seen before was packed by one core in streams of this length at this rate; absent where that was
   * too short to tell, and in surveys of earlier versions.
   */
  speed: z.object({ bytesPerSecond: z.number().positive(), streamBytes: bytesSchema }).optional(),
  reuse: reuseSchema.optional(),
})
export type Solid = z.infer<typeof solidSchema>

/**
 * Forecast of what is saved by packing files shorter than a block into blocks together, in the order of their paths and equal ones
 * once (what SquashFS calls fragments), over compressing each by itself.
 */
export const fragmentsSchema = z.object({
  codec: z.enum(['gzip-6', 'zstd-3', 'lz4']),
  blockSize: bytesSchema,
  /** Of those files. */
  bytes: bytesSchema,
  predictedBytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
})
export type Fragments = z.infer<typeof fragmentsSchema>

/**
 * Forecast of many solid archives, one for each group of files. `titles`: files of one folder whose names begin with the same
 * title (GoodMerge's rule: what stands before the first ` (` or ` [`). `groups`: files that share data, wherever they lie.
 */
export const groupedSchema = z.object({
  codec: z.string(),
  dictionaryBytes: bytesSchema,
  by: z.enum(['titles', 'groups']),
  archives: countSchema,
  predictedBytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
  /** Archives that are not the same, byte for byte, as another because the same files are in it: as many, and their bytes. */
  distinctArchives: countSchema,
  distinctBytes: bytesSchema,
  /** The largest group, before it is packed. */
  largestBytes: bytesSchema,
  reuse: reuseSchema.optional(),
})
export type Grouped = z.infer<typeof groupedSchema>

export const FILE_CLASSES = [
  'text',
  'image',
  'audio',
  'video',
  'archive',
  'executable',
  'discImage',
  'other',
] as const
export const fileClassSchema = z.enum(FILE_CLASSES)
export type FileClass = z.infer<typeof fileClassSchema>

/** Files by extension (lower case, without dot, empty for none), largest first; the rest is one row with extension null. */
export const typeRowSchema = z.object({
  extension: z.string().nullable(),
  fileClass: fileClassSchema,
  files: countSchema,
  bytes: bytesSchema,
  /** The same files by size: place of the bin in `sizeHistogram`, files, bytes; only bins with files. Absent where it was not counted. */
  bySize: z.array(z.tuple([countSchema, countSchema, bytesSchema])).optional(),
})

/** Files whose size is at least `fromBytes` and below `toBytes` (null: no upper limit). The first bin holds empty files. */
export const sizeBinSchema = z.object({
  fromBytes: bytesSchema,
  toBytes: bytesSchema.nullable(),
  files: countSchema,
  bytes: bytesSchema,
})

export const skippedSchema = z.object({ path: pathSchema, code: z.string(), message: z.string() })
export type Skipped = z.infer<typeof skippedSchema>

/** Files with the same content. */
export const duplicateGroupSchema = z.object({
  /** Of each. */
  bytes: bytesSchema,
  /** All of them, the one that stays included. */
  copies: countSchema,
  /** What keeping one of them would save. */
  savedBytes: bytesSchema,
  /** The first 20, in the order of their paths. */
  paths: z.array(pathSchema).max(20),
})
export type DuplicateGroup = z.infer<typeof duplicateGroupSchema>

/** What a survey took over from an earlier one of the same roots, because size, times, inode and device are as they were. */
export const trustedSchema = z.object({
  surveyId: idSchema,
  /** When that survey began, and whether it was stopped half-way. */
  createdWallMs: wallMsSchema,
  partial: z.boolean(),
  /** Files that were not read again, and their bytes. */
  files: countSchema,
  bytes: bytesSchema,
  /**
   * Where the forecasts of codecs are from: `same` as the earlier survey's since nothing has changed; `joined` from the earlier
   * ones for what stayed (the range lowered by all that has gone) and samples of what was read now; `sampled` anew, and for that
   * some mebibytes of the trusted files were read, because the earlier survey had none or was to spend less on them.
   */
  forecasts: z.enum(['same', 'joined', 'sampled']),
})
export type Trusted = z.infer<typeof trustedSchema>

/** Why a survey of these roots that is in the catalog was not taken over. */
export const notTrustedSchema = z.object({
  surveyId: idSchema,
  reason: z.enum(['full', 'sha256', 'blockSizes', 'chunkers', 'noSketch', 'damagedSketch']),
})
export type NotTrusted = z.infer<typeof notTrustedSchema>

export const duplicateFilesSchema = z.object({
  groups: countSchema,
  files: countSchema,
  bytes: bytesSchema,
})

export const surveyDocumentSchema = z.object({
  schema: z.literal(SURVEY_SCHEMA),
  id: idSchema,
  createdWallMs: wallMsSchema,
  roots: z.array(pathSchema),
  totals: surveyTotalsSchema,
  fixedBlocks: z.array(fixedBlockSchema),
  chunked: z.array(chunkedSchema),
  compression: z.array(compressionSchema),
  /** Absent in surveys of earlier versions. */
  combined: z.array(combinedSchema).default([]),
  solid: z.array(solidSchema),
  /** Absent in surveys of earlier versions. */
  grouped: z.array(groupedSchema).optional(),
  /** Absent in surveys of earlier versions. */
  fragments: z.array(fragmentsSchema).optional(),
  duplicateFiles: duplicateFilesSchema,
  types: z.array(typeRowSchema),
  sizeHistogram: z.array(sizeBinSchema),
  /** At most the first 1,000; `totals.skipped` has the count and the catalog has them all. */
  skipped: z.array(skippedSchema),
  sha256: z.boolean(),
  timing: z.object({
    /** From the start until everything the pass tells is known. */
    passMs: durationMsSchema,
    wallMs: durationMsSchema,
    peakRssBytes: bytesSchema,
    threads: countSchema,
    /** Null in surveys of before it was measured. */
    reading: surveyReadingSchema.nullable().default(null),
  }),
  /** True when the pass was cancelled or interrupted: the figures hold for what was read until then. */
  partial: z.boolean(),
  /** True when its process ended in mid-pass: what is here is what was on disk by then. */
  interrupted: z.boolean().optional(),
  /** How much was to be spent on codecs; absent where that was not recorded. */
  samples: samplesSchema.optional(),
  /** Null when everything was read. */
  trusted: trustedSchema.nullable().optional(),
  notTrusted: notTrustedSchema.nullable().optional(),
})
/** What a survey found, as `stowage survey --json` prints it. */
export type SurveyDocument = z.infer<typeof surveyDocumentSchema>

/** Sent while a survey runs, at most twice a second: the same figures for what has been read so far. */
export const surveyLiveSchema = z.object({
  jobId: idSchema,
  totals: surveyTotalsSchema,
  fixedBlocks: z.array(fixedBlockSchema),
  types: z.array(typeRowSchema),
  sizeHistogram: z.array(sizeBinSchema),
  /** Once everything is read: then all figures but the forecasts are final. Absent before. */
  duplicateFiles: duplicateFilesSchema.optional(),
  /** Forecasts as they sharpen; absent while nothing is known of them. */
  chunked: z.array(chunkedSchema).optional(),
  compression: z.array(compressionSchema).optional(),
  solid: z.array(solidSchema).optional(),
})
export type SurveyLive = z.infer<typeof surveyLiveSchema>

export const surveyListItemSchema = z.object({
  id: idSchema,
  createdWallMs: wallMsSchema,
  roots: z.array(pathSchema),
  files: countSchema,
  bytes: bytesSchema,
  skipped: countSchema,
  sha256: z.boolean(),
  partial: z.boolean(),
  interrupted: z.boolean().optional(),
})
export type SurveyListItem = z.infer<typeof surveyListItemSchema>
