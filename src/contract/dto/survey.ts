import { z } from 'zod'
import type { FileClass } from '../../domain/survey/fileClass'
import type {
  Chunked,
  Combined,
  Compression,
  DeviceKind,
  DuplicateGroup,
  DuplicateTotals,
  FixedBlock,
  Fragments,
  Grouped,
  NotTrusted,
  Reuse,
  Samples,
  SizeBin,
  Skipped,
  Solid,
  SurveyDocument,
  SurveyReading,
  SurveyTotals,
  Trusted,
  TypeRow,
} from '../../domain/survey/surveyDocument'
import { exactly } from '../exactly'
import { bytesSchema, countSchema, durationMsSchema, idSchema, pathSchema, wallMsSchema } from './scalars'

export type { FileClass } from '../../domain/survey/fileClass'
export type * from '../../domain/survey/surveyDocument'

export const SURVEY_SCHEMA = 'stowage.survey/1'

export const samplesSchema = exactly<Samples>()(z.enum(['quick', 'none', 'fast', 'normal', 'thorough']))

/** Folders and files that a person hands over for one survey. */
export const MOST_SOURCES = 1000

/** Of block sizes asked for; each takes one more hashing of every byte. */
const LEAST_BLOCK_BYTES = 512
const MOST_BLOCK_BYTES = 16 * 1024 * 1024
const MOST_BLOCK_SIZES = 8

export const surveyRequestSchema = z.object({
  /** Absolute paths of folders and files, in the person's order. */
  paths: z.array(pathSchema).min(1).max(MOST_SOURCES),
  /** SHA-256 of every file in the same read, for manifests. */
  sha256: z.boolean().default(false),
  /** Also count 512-byte blocks. */
  blocksFrom512: z.boolean().default(false),
  /** Further block sizes, such as 2352 for raw CD images; what the survey has anyway costs nothing. */
  blockSizes: z
    .array(
      bytesSchema
        .min(LEAST_BLOCK_BYTES, 'a block has at least 512 bytes')
        .max(MOST_BLOCK_BYTES, 'a block has at most 16 MiB'),
    )
    .max(MOST_BLOCK_SIZES, `at most ${MOST_BLOCK_SIZES} block sizes per survey`)
    .optional(),
  /**
   * How much is spent on forecasting codecs, during and after the pass: `none` and `quick` forecast no codecs, and
   * `quick` leaves out chunks and anchors too (blocks, digests and duplicates only).
   */
  samples: samplesSchema.default('normal'),
  /** Memory for the block tables in bytes; past it figures become estimates with a range. */
  maxMemoryBytes: bytesSchema.min(16 * 1024 * 1024).default(512 * 1024 * 1024),
  /** Read every file, also those that an earlier survey of the same roots knows and that have not changed since. */
  full: z.boolean().optional(),
  /** The survey has to know the order of its files for a solid archive: where an earlier one's does not do, every file is read. */
  order: z.boolean().optional(),
})
export type SurveyRequest = z.infer<typeof surveyRequestSchema>

const surveyTotalsSchema = exactly<SurveyTotals>()(
  z.object({
    files: countSchema,
    folders: countSchema,
    bytes: bytesSchema,
    allocatedBytes: bytesSchema,
    symlinks: countSchema,
    hardLinks: countSchema,
    hardLinkedBytes: bytesSchema,
    sparseBytes: bytesSchema,
    slackBytes: bytesSchema.nullable().default(null),
    clonedBytes: bytesSchema.nullable().default(null),
    emptyFiles: countSchema,
    largestFileBytes: bytesSchema.optional(),
    pathBytes: bytesSchema.optional(),
    skipped: countSchema,
  }),
)

const deviceKindSchema = exactly<DeviceKind>()(
  z.enum(['unknown', 'hdd', 'optical', 'ssd', 'nvme', 'usb', 'virtual', 'network', 'memory']),
)

const surveyReadingSchema = exactly<SurveyReading>()(
  z.object({
    deviceKind: deviceKindSchema,
    threads: countSchema,
    because: z.string(),
  }),
)

export const fixedBlockSchema = exactly<FixedBlock>()(
  z.object({
    blockSize: bytesSchema,
    blocks: countSchema,
    uniqueBlocks: countSchema,
    uniqueBytes: bytesSchema,
    zeroBlocks: countSchema,
    zeroBytes: bytesSchema,
    exact: z.boolean(),
    low: bytesSchema,
    high: bytesSchema,
  }),
)

export const chunkedSchema = exactly<Chunked>()(
  z.object({
    chunker: z.string(),
    averageSize: bytesSchema,
    chunks: countSchema,
    uniqueChunks: countSchema,
    uniqueBytes: bytesSchema,
    exact: z.boolean(),
    low: bytesSchema,
    high: bytesSchema,
  }),
)

const compressionSchema = exactly<Compression>()(
  z.object({
    codec: z.string(),
    scope: z.enum(['file', 'record']),
    recordSize: bytesSchema.nullable(),
    predictedBytes: bytesSchema,
    low: bytesSchema,
    high: bytesSchema,
    sampledBytes: bytesSchema,
    bytesPerSecond: z.number().nonnegative(),
    toolBytesPerSecond: z.number().positive().optional(),
    unpackBytesPerSecond: z.number().positive().optional(),
  }),
)

const combinedSchema = exactly<Combined>()(
  z.object({
    method: z.enum(['deduplicate-compress', 'compress-deduplicate', 'zfs']),
    codec: z.string(),
    recordSize: bytesSchema.nullable(),
    sectorBytes: bytesSchema,
    predictedBytes: bytesSchema,
    low: bytesSchema,
    high: bytesSchema,
    tableEntries: countSchema,
    tableEntriesLow: countSchema,
    tableEntriesHigh: countSchema,
  }),
)

const reuseSchema = exactly<Reuse>()(z.object({ novelBytes: bytesSchema, quietBytes: bytesSchema }))

const solidSchema = exactly<Solid>()(
  z.object({
    codec: z.string(),
    dictionaryBytes: bytesSchema,
    order: z.enum(['path', 'type', 'content']),
    predictedBytes: bytesSchema,
    low: bytesSchema,
    high: bytesSchema,
    speed: z.object({ bytesPerSecond: z.number().positive(), streamBytes: bytesSchema }).optional(),
    reuse: reuseSchema.optional(),
  }),
)

const fragmentsSchema = exactly<Fragments>()(
  z.object({
    codec: z.enum(['gzip-6', 'zstd-3', 'lz4']),
    blockSize: bytesSchema,
    bytes: bytesSchema,
    predictedBytes: bytesSchema,
    low: bytesSchema,
    high: bytesSchema,
  }),
)

const groupedSchema = exactly<Grouped>()(
  z.object({
    codec: z.string(),
    dictionaryBytes: bytesSchema,
    by: z.enum(['titles', 'groups']),
    archives: countSchema,
    predictedBytes: bytesSchema,
    low: bytesSchema,
    high: bytesSchema,
    distinctArchives: countSchema,
    distinctBytes: bytesSchema,
    largestBytes: bytesSchema,
    sharedStarts: z.array(z.tuple([countSchema, countSchema, bytesSchema])).optional(),
    reuse: reuseSchema.optional(),
  }),
)

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
const fileClassSchema = exactly<FileClass>()(z.enum(FILE_CLASSES))

const typeRowSchema = exactly<TypeRow>()(
  z.object({
    extension: z.string().nullable(),
    fileClass: fileClassSchema,
    files: countSchema,
    bytes: bytesSchema,
    bySize: z.array(z.tuple([countSchema, countSchema, bytesSchema])).optional(),
  }),
)

const sizeBinSchema = exactly<SizeBin>()(
  z.object({
    fromBytes: bytesSchema,
    toBytes: bytesSchema.nullable(),
    files: countSchema,
    bytes: bytesSchema,
  }),
)

export const skippedSchema = exactly<Skipped>()(
  z.object({ path: pathSchema, code: z.string(), message: z.string() }),
)

export const duplicateGroupSchema = exactly<DuplicateGroup>()(
  z.object({
    bytes: bytesSchema,
    copies: countSchema,
    savedBytes: bytesSchema,
    paths: z.array(pathSchema).max(20),
  }),
)

const trustedSchema = exactly<Trusted>()(
  z.object({
    surveyId: idSchema,
    createdWallMs: wallMsSchema,
    partial: z.boolean(),
    files: countSchema,
    bytes: bytesSchema,
    forecasts: z.enum(['same', 'joined', 'sampled']),
  }),
)

const notTrustedSchema = exactly<NotTrusted>()(
  z.object({
    surveyId: idSchema,
    reason: z.enum(['full', 'sha256', 'blockSizes', 'chunkers', 'noSketch', 'damagedSketch', 'noOrder']),
  }),
)

const duplicateFilesSchema = exactly<DuplicateTotals>()(
  z.object({ groups: countSchema, files: countSchema, bytes: bytesSchema }),
)

export const surveyDocumentSchema = exactly<SurveyDocument>()(
  z.object({
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
    grouped: z.array(groupedSchema).optional(),
    fragments: z.array(fragmentsSchema).optional(),
    duplicateFiles: duplicateFilesSchema,
    types: z.array(typeRowSchema),
    sizeHistogram: z.array(sizeBinSchema),
    skipped: z.array(skippedSchema),
    sha256: z.boolean(),
    timing: z.object({
      passMs: durationMsSchema,
      wallMs: durationMsSchema,
      peakRssBytes: bytesSchema,
      threads: countSchema,
      reading: surveyReadingSchema.nullable().default(null),
    }),
    partial: z.boolean(),
    interrupted: z.boolean().optional(),
    samples: samplesSchema.optional(),
    trusted: trustedSchema.nullable().optional(),
    notTrusted: notTrustedSchema.nullable().optional(),
  }),
)

/** Sent while a survey runs, at most twice a second: the same figures for what has been read so far. */
export const surveyLiveSchema = z.object({
  jobId: idSchema,
  /** In the catalog, once everything is read: options may be asked of it, and sharpen with it. */
  surveyId: idSchema.optional(),
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
