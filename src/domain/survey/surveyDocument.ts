/**
 * The room `survey` has the document of a survey and the rules of its figures.
 * How: parts that are known at different times make one document (`surveyParts`); `rules` decides
 * what is left out, `kept` what is on verified volumes.
 * Not here: reading sources (`src/engine/survey`).
 */

import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  sha256Schema,
  wallMsSchema,
} from '../scalars'
import { FILE_CLASSES } from './fileClass'
import { projectNameSchema } from './projectName'
import { ROM_LAYOUTS } from './romLayout'
import { excludedSchema, rulesDocumentSchema } from './rules/rules'

const SURVEY_SCHEMA = 'stowage.survey/1'

/** Sampling levels: `none` and `quick` forecast no codec; `quick` skips chunks and anchors too. */
export const samplesSchema = z.enum(['quick', 'none', 'fast', 'normal', 'thorough'])
export type Samples = z.infer<typeof samplesSchema>

/**
 * Bytes are apparent sizes; a hard-linked file counts once and its other names are counted apart.
 */
const surveyTotalsSchema = z.object({
  files: countSchema,
  folders: countSchema,
  bytes: bytesSchema,
  allocatedBytes: bytesSchema,
  symlinks: countSchema,
  /** Additional names of files already counted, and the bytes a copy would store again for them. */
  hardLinks: countSchema,
  hardLinkedBytes: bytesSchema,
  /** Bytes that sparse files do not occupy. */
  sparseBytes: bytesSchema,
  /**
   * Bytes occupied beyond the files' sizes, mostly in each last block; null where they were not
   * counted.
   */
  slackBytes: bytesSchema.nullable().default(null),
  /**
   * Allocated bytes that share their place on disk with other files of this survey (clones), beyond
   * the first. Sharing with anything outside the survey, such as a snapshot, is not counted. Null
   * during the pass and where the file system does not report it.
   */
  clonedBytes: bytesSchema.nullable().default(null),
  emptyFiles: countSchema,
  /** Absent in surveys of earlier versions. `pathBytes`: all files' paths below their roots. */
  largestFileBytes: bytesSchema.optional(),
  pathBytes: bytesSchema.optional(),
  /** Files and folders that could not be read. */
  skipped: countSchema,
  /**
   * Named pipes, sockets and devices, which are not kept. Absent in surveys of earlier versions.
   */
  special: countSchema.optional(),
})
export type SurveyTotals = z.infer<typeof surveyTotalsSchema>

/**
 * The kind of device a source is on, the slowest if there are several; `virtual` is a virtual
 * machine's disk.
 */
const deviceKindSchema = z.enum([
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

/** How many threads read at the end of the pass, and why, in one sentence. */
const surveyReadingSchema = z.object({
  deviceKind: deviceKindSchema,
  threads: countSchema,
  because: z.string(),
})

/** Cutting every file into blocks of one size; a file's last block counts at its own length. */
export const fixedBlockSchema = z.object({
  blockSize: bytesSchema,
  blocks: countSchema,
  uniqueBlocks: countSchema,
  uniqueBytes: bytesSchema,
  /**
   * Occurrences of all-zero blocks and their bytes. One zero block of each length is among the
   * unique ones.
   */
  zeroBlocks: countSchema,
  zeroBytes: bytesSchema,
  exact: z.boolean(),
  low: bytesSchema,
  high: bytesSchema,
})
export type FixedBlock = z.infer<typeof fixedBlockSchema>

/** Cutting every file as a backup tool does; `chunker` is a permanent name of the registry. */
export const chunkedSchema = z.object({
  chunker: z.string(),
  averageSize: bytesSchema,
  chunks: countSchema,
  uniqueChunks: countSchema,
  uniqueBytes: bytesSchema,
  /**
   * True when every chunk was counted; the range also includes the variation from each tool's
   * secret chunking seed.
   */
  exact: z.boolean(),
  low: bytesSchema,
  high: bytesSchema,
})
export type Chunked = z.infer<typeof chunkedSchema>

/**
 * Forecast of compressing with a codec: each file alone (`file`, recordSize null) or in records of
 * one size.
 */
const compressionSchema = z.object({
  codec: z.string(),
  scope: z.enum(['file', 'record']),
  recordSize: bytesSchema.nullable(),
  predictedBytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
  sampledBytes: bytesSchema,
  /** The rate of one core of this machine on these bytes. */
  bytesPerSecond: z.number().nonnegative(),
  /** The same for the command-line program, where it differs from the library that was timed. */
  toolBytesPerSecond: z.number().positive().optional(),
  /** Decompression rate in output bytes; absent where it was not measured. */
  unpackBytesPerSecond: z.number().positive().optional(),
})
export type Compression = z.infer<typeof compressionSchema>

/**
 * Forecast of compression combined with deduplication. `deduplicate-compress`: every distinct
 * record once, compressed; for codecs that treat each record alone, compressing first gives the
 * same size. `compress-deduplicate`: each file compressed as a whole, then equal results once
 * (recordSize null); equal beginnings of different files are not counted. `zfs`: records as ZFS
 * allocates them with compression and dedup on, before parity and metadata.
 */
const combinedSchema = z.object({
  method: z.enum(['deduplicate-compress', 'compress-deduplicate', 'zfs']),
  codec: z.string(),
  recordSize: bytesSchema.nullable(),
  /** Every stored record is rounded up to this; 1 for no rounding. */
  sectorBytes: bytesSchema,
  predictedBytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
  /** Records (or files) in the deduplication table, with their 95 % range. */
  tableEntries: countSchema,
  tableEntriesLow: countSchema,
  tableEntriesHigh: countSchema,
})
export type Combined = z.infer<typeof combinedSchema>

/**
 * Bytes without an earlier copy inside the dictionary (`novelBytes`) and bytes in patterns too
 * short for anchors, such as zeros (`quietBytes`); all others repeat. Absent in surveys of earlier
 * versions.
 */
const reuseSchema = z.object({ novelBytes: bytesSchema, quietBytes: bytesSchema })

/** Forecast of one solid archive of everything, for a dictionary size and an order of the files. */
const solidSchema = z.object({
  codec: z.string(),
  dictionaryBytes: bytesSchema,
  /**
   * The order of the files: by path; by extension, name, time and size; or files that share data
   * next to each other.
   */
  order: z.enum(['path', 'type', 'content']),
  predictedBytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
  /**
   * Single-core throughput on novel data, in streams of `streamBytes`; absent where the streams
   * were too short to time.
   */
  speed: z.object({ bytesPerSecond: z.number().positive(), streamBytes: bytesSchema }).optional(),
  reuse: reuseSchema.optional(),
})
export type Solid = z.infer<typeof solidSchema>

/**
 * Forecast for files shorter than a block that are packed into blocks together, in path order and
 * equal ones once (what SquashFS calls fragments), against compressing each alone. `bytes`: of
 * those files.
 */
const fragmentsSchema = z.object({
  codec: z.enum(['gzip-6', 'zstd-3', 'lz4']),
  blockSize: bytesSchema,
  bytes: bytesSchema,
  predictedBytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
})
export type Fragments = z.infer<typeof fragmentsSchema>

/**
 * How files are put into groups, each for an archive of its own. `titles`: files of one folder
 * whose names begin with the same title (GoodMerge's rule: the text before the first ` (` or ` [`).
 * `groups`: files that share data, in any folder. `dat`: files of one parent with its clones, by
 * the DATs of the survey.
 */
export const GROUPINGS = ['titles', 'groups', 'dat', 'sets'] as const
export type GroupedBy = (typeof GROUPINGS)[number]

/** A thing for each way to group by DATs: a parent with its clones, or each ROM set by itself. */
export type ByDats<T> = Readonly<Record<'dat' | 'sets', T>>

/** A forecast of many solid archives, one for each group of files. */
const groupedSchema = z.object({
  codec: z.string(),
  dictionaryBytes: bytesSchema,
  by: z.enum(GROUPINGS),
  archives: countSchema,
  predictedBytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
  /** Archives whose bytes no other archive equals, and their bytes. */
  distinctArchives: countSchema,
  distinctBytes: bytesSchema,
  /** The largest group before compression. */
  largestBytes: bytesSchema,
  /**
   * Packed data that distinct archives begin with as an earlier one does, since their first files
   * are equal: by size (how often 1 can be doubled up to it), the archives and the bytes in them.
   * Absent in older surveys.
   */
  sharedStarts: z.array(z.tuple([countSchema, countSchema, bytesSchema])).optional(),
  reuse: reuseSchema.optional(),
})
export type Grouped = z.infer<typeof groupedSchema>

/** A DAT by which files were grouped. */
const surveyedDatSchema = z.object({
  path: pathSchema,
  /** Its name in a zip; null for a file. */
  member: z.string().nullable(),
  name: z.string(),
  version: z.string(),
  /** The digest of the whole file, also of a zip. */
  sha256: sha256Schema,
  /** How its ROM sets were laid out; absent in older surveys. */
  layout: z.enum(ROM_LAYOUTS).optional(),
})
export type SurveyedDat = z.infer<typeof surveyedDatSchema>

/** The groups that DATs make of the files of a survey. */
const datGroupingSchema = z.object({
  dats: z.array(surveyedDatSchema),
  /** The layout that was asked for; absent: as each DAT asks for. */
  layout: z.enum(ROM_LAYOUTS).optional(),
  /** Files that a DAT knows; every other file is a group of its own. */
  files: countSchema,
  /** Parents with clones that these files are of. */
  groups: countSchema,
  /** Files that ROM sets need and that lie with another one alone; absent in older surveys. */
  lent: countSchema.optional(),
})
export type DatGrouping = z.infer<typeof datGroupingSchema>

/** Forecast of compressing every file of one type by itself. */
const typeCompressionSchema = z.object({
  codec: z.string(),
  predictedBytes: bytesSchema,
  low: bytesSchema,
  high: bytesSchema,
})
export type TypeCompression = z.infer<typeof typeCompressionSchema>

/**
 * Files of one extension (lower case, without dot, empty for none), largest first; the rest is one
 * row with extension null.
 */
const typeRowSchema = z.object({
  extension: z.string().nullable(),
  fileClass: z.enum(FILE_CLASSES),
  files: countSchema,
  bytes: bytesSchema,
  /**
   * The same files by size: index of the bin in `sizeHistogram`, files, bytes; only bins with
   * files.
   */
  bySize: z.array(z.tuple([countSchema, countSchema, bytesSchema])).optional(),
  /**
   * Absent without samples, where too little of the type was sampled, and in surveys of earlier
   * versions.
   */
  compression: z.array(typeCompressionSchema).optional(),
})
export type TypeRow = z.infer<typeof typeRowSchema>

/**
 * Files of at least `fromBytes` and less than `toBytes` (null: no upper limit). The first bin holds
 * empty files.
 */
const sizeBinSchema = z.object({
  fromBytes: bytesSchema,
  toBytes: bytesSchema.nullable(),
  files: countSchema,
  bytes: bytesSchema,
})
export type SizeBin = z.infer<typeof sizeBinSchema>

/** Files of 1 to 4,095 bytes, and what every file but empty ones loses in its last sector. */
const tinyFilesSchema = z.object({
  files: countSchema,
  bytes: bytesSchema,
  /** Bytes lost on a disc with sectors of 2 KiB, by files of any size. */
  sectorLossBytes: bytesSchema,
  /**
   * The deepest folder, down to six levels, that holds at least half of the tiny files; null where
   * none does, or they are few.
   */
  folder: z.object({ path: pathSchema, files: countSchema, bytes: bytesSchema }).nullable(),
})
export type TinyFiles = z.infer<typeof tinyFilesSchema>

/**
 * Files that the pass had found but not read when it was stopped; `atLeast`: some folders were not
 * listed.
 */
export const unreadSchema = z.object({ files: countSchema, bytes: bytesSchema, atLeast: z.boolean() })
export type Unread = z.infer<typeof unreadSchema>

/** An entry that could not be read. */
export const skippedSchema = z.object({ path: pathSchema, code: z.string(), message: z.string() })
export type Skipped = z.infer<typeof skippedSchema>

/**
 * A folder of Stowage's own below a root that is not surveyed: its absolute path, and what was
 * counted in it.
 */
const leftOutSchema = z.object({ path: pathSchema, files: countSchema, bytes: bytesSchema })
export type LeftOut = z.infer<typeof leftOutSchema>

/**
 * Files whose content changed since an earlier survey while size and modification time did not;
 * also those that earlier surveys named and nobody acknowledged. At most 1,000 paths.
 */
const silentChangesSchema = z.object({
  surveyId: idSchema,
  createdWallMs: wallMsSchema,
  files: countSchema,
  bytes: bytesSchema,
  paths: z.array(pathSchema),
  /** When a person said that they know of them: later surveys do not name them again. */
  acknowledgedWallMs: wallMsSchema.optional(),
})
export type SilentChanges = z.infer<typeof silentChangesSchema>

/** Files with the same content. */
export const duplicateGroupSchema = z.object({
  /** The bytes of each file. */
  bytes: bytesSchema,
  /** All of them, including the one to keep. */
  copies: countSchema,
  /** Saved by keeping one of them. */
  savedBytes: bytesSchema,
  /** The first 20 in path order. */
  paths: z.array(pathSchema).max(20),
})
export type DuplicateGroup = z.infer<typeof duplicateGroupSchema>

/**
 * The part that an incremental survey took from an earlier survey of the same roots: files with
 * equal size, times, inode and device.
 */
const trustedSchema = z.object({
  surveyId: idSchema,
  /** When that survey began, and whether it was stopped early. */
  createdWallMs: wallMsSchema,
  partial: z.boolean(),
  /** Unchanged files that were not read again, and their bytes. */
  files: countSchema,
  bytes: bytesSchema,
  /**
   * Source of the codec forecasts: `same` as the earlier survey's when nothing changed; `joined`
   * from the earlier ones for unchanged files (the range lowered by what was deleted) and new
   * samples; `sampled` anew, which reads some mebibytes of the unchanged files, because the earlier
   * survey had no samples or fewer.
   */
  forecasts: z.enum(['same', 'joined', 'sampled']),
})
export type Trusted = z.infer<typeof trustedSchema>

/** Why an earlier survey of the same roots was not reused. */
const notTrustedSchema = z.object({
  surveyId: idSchema,
  reason: z.enum([
    'full',
    'sha256',
    'blockSizes',
    'chunkers',
    'samples',
    'noSketch',
    'damagedSketch',
    'noOrder',
    'otherDats',
  ]),
})
export type NotTrusted = z.infer<typeof notTrustedSchema>

const duplicateFilesSchema = z.object({
  /** Different contents that more than one file has. */
  groups: countSchema,
  /** All files of those groups, the first of each included. */
  files: countSchema,
  /** Bytes that keeping one file of each group would save. */
  bytes: bytesSchema,
})
export type DuplicateTotals = z.infer<typeof duplicateFilesSchema>

/**
 * The result of one read pass over a source, as `stowage survey --json` prints it. Sizes in bytes,
 * times in milliseconds.
 */
export const surveyDocumentSchema = z.object({
  schema: z.literal(SURVEY_SCHEMA),
  id: idSchema,
  createdWallMs: wallMsSchema,
  roots: z.array(pathSchema),
  totals: surveyTotalsSchema,
  fixedBlocks: z.array(fixedBlockSchema),
  chunked: z.array(chunkedSchema),
  compression: z.array(compressionSchema),
  combined: z.array(combinedSchema).default([]),
  solid: z.array(solidSchema),
  /** Absent in surveys of earlier versions. */
  grouped: z.array(groupedSchema).optional(),
  /** The groups that DATs make of the files; absent where no DAT was given. */
  dat: datGroupingSchema.optional(),
  /** Absent in surveys of earlier versions. */
  fragments: z.array(fragmentsSchema).optional(),
  duplicateFiles: duplicateFilesSchema,
  types: z.array(typeRowSchema),
  sizeHistogram: z.array(sizeBinSchema),
  /** Absent in surveys of earlier versions. */
  tinyFiles: tinyFilesSchema.optional(),
  /** At most the first 1,000; `totals.skipped` counts all, and the catalog lists them. */
  skipped: z.array(skippedSchema),
  /**
   * Absent where nothing was left out, and in surveys of earlier versions. None of it is in
   * `totals`.
   */
  leftOut: z.array(leftOutSchema).optional(),
  /**
   * Plan folders and volumes of Stowage below the roots that are not this catalog's own plan
   * folders: they are surveyed like everything else. At most the first 1,000; absent where there
   * are none.
   */
  otherSets: z.array(pathSchema).optional(),
  /** Absent where no project file was used. */
  project: projectNameSchema.optional(),
  /** The rules for leaving out. Absent in surveys of earlier versions. */
  rules: rulesDocumentSchema.optional(),
  /** Absent where rules left nothing out and none is wrong. */
  excluded: excludedSchema.optional(),
  /** Looked for where every file was read; absent where there are none. */
  silentChanges: silentChangesSchema.optional(),
  /** True when the SHA-256 of every file is known. */
  sha256: z.boolean(),
  timing: z.object({
    /** From the start until everything the pass measures is known. */
    passMs: durationMsSchema,
    wallMs: durationMsSchema,
    peakRssBytes: bytesSchema,
    threads: countSchema,
    /** Null in surveys of earlier versions. */
    reading: surveyReadingSchema.nullable().default(null),
  }),
  /**
   * True when the pass was cancelled or interrupted: the figures are those of what was read until
   * then, and none is exact for the source.
   */
  partial: z.boolean(),
  /** Absent in whole surveys and in surveys of earlier versions. */
  unread: unreadSchema.optional(),
  /** True when the process ended during the pass: the figures are those of its last checkpoint. */
  interrupted: z.boolean().optional(),
  /** The sampling level; absent where it was not recorded. */
  samples: samplesSchema.optional(),
  /** Null when everything was read. */
  trusted: trustedSchema.nullable().optional(),
  notTrusted: notTrustedSchema.nullable().optional(),
})
export type SurveyDocument = z.infer<typeof surveyDocumentSchema>
