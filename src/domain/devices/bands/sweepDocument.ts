import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from '../../scalars'
import { bandEncryptionSchema, bandKindSchema } from '../bandKind'
import { judgeCache } from '../cacheProof'
import { type CacheProof, deviceFactsSchema } from '../measurement'

export const BAND_SWEEP_SCHEMA = 'stowage.bandSweep/1'

export const SWEEP_OPERATIONS = ['write', 'read', 'stream'] as const
const sweepOperationSchema = z.enum(SWEEP_OPERATIONS)
export type SweepOperation = z.infer<typeof sweepOperationSchema>

const MEBIBYTE = 1024 * 1024
const MOST_SIZES = 24

export const bandSweepRequestSchema = z.object({
  /** The folder on the volume to be timed. A folder of our own is made in it and removed again. */
  directory: pathSchema,
  /** Rounded to whole pages of 4 KiB. Null: the twelve usual sizes from 2 MiB to 973 MiB. */
  bandSizes: z
    .array(
      bytesSchema.min(MEBIBYTE, 'a band has at least 1 MiB').max(8192 * MEBIBYTE, 'a band has at most 8 GiB'),
    )
    .min(1)
    .max(MOST_SIZES, `at most ${MOST_SIZES} band sizes per sweep`)
    .nullable()
    .default(null),
  kinds: z.array(bandKindSchema).min(1).max(3).default(['UDSB']),
  encryptions: z.array(bandEncryptionSchema).min(1).max(3).default([null]),
  /** How large the planned bundle may become: its bands are counted at that size. */
  fullBytes: bytesSchema.min(MEBIBYTE, 'the full size is at least 1 MiB').default(1e12),
  /**
   * Most bytes to write altogether; as many are read. The default takes some three minutes at
   * 500 MB/s.
   */
  budgetBytes: bytesSchema.min(1).default(43e9),
  /** How often each point is timed; null: as the budget gives. */
  repeats: z
    .number()
    .int()
    .min(3, 'at least 3 repeats are needed for a range')
    .max(25, 'at most 25 repeats')
    .nullable()
    .default(null),
  /** Bytes of one request. */
  requestBytes: bytesSchema
    .min(4096, 'a request moves at least 4 KiB')
    .max(64 * MEBIBYTE, 'a request moves at most 64 MiB')
    .default(MEBIBYTE),
  /** Draws the orders of the rounds and the data. */
  seed: z.number().int().min(0).max(4_294_967_295).default(1),
  /**
   * `native`: in our own containers. `mounted`: in images that macOS mounts, which only earlier
   * versions tested.
   */
  through: z.enum(['native', 'mounted']).default('native'),
})
export type BandSweepRequest = z.infer<typeof bandSweepRequestSchema>

type StoredSweepRequest = Omit<BandSweepRequest, 'directory'>

/** A request as it is stored and sent: whoever sends one has filled in everything. */
const storedRequestSchema = bandSweepRequestSchema.omit({ directory: true }) as unknown as z.ZodType<
  StoredSweepRequest,
  StoredSweepRequest
>

export const sweepPointFactsSchema = z.object({
  kind: bandKindSchema,
  encryption: bandEncryptionSchema,
  /** Null where there are no bands. */
  bandSize: bytesSchema.nullable(),
  /** The number of bands of the planned bundle when it is full; null where there are no bands. */
  bands: countSchema.nullable(),
})
export type SweepPointFacts = z.infer<typeof sweepPointFactsSchema>

/**
 * Bytes per second: the median of the repeats and its range, which is null below three repeats.
 * Measured.
 */
const sweepRateSchema = z.object({
  value: z.number().positive(),
  low: z.number().positive().nullable(),
  high: z.number().positive().nullable(),
  /** The confidence of the range: 0.95 or more from six repeats on, that of the extremes below. */
  confidence: z.number().min(0).max(1).nullable(),
  repeats: countSchema,
  /** Robust standard deviation of the repeats, null for one. */
  spread: z.number().nonnegative().nullable(),
})
export type SweepRate = z.infer<typeof sweepRateSchema>

const sweepRatioSchema = z.object({ value: z.number(), low: z.number(), high: z.number() })

/** `stream` is the rate of a copy: a container is read while another one is written. */
export const bandSweepPointSchema = sweepPointFactsSchema.extend({
  /** How many of its bands a pass went over; null without bands. */
  bandsInPass: z.number().nonnegative().nullable(),
  write: sweepRateSchema.nullable(),
  read: sweepRateSchema.nullable(),
  stream: sweepRateSchema.nullable(),
  /** Shares of the raw file's rates in the same rounds. */
  ofReference: z.object({
    write: sweepRatioSchema.nullable(),
    read: sweepRatioSchema.nullable(),
    stream: sweepRatioSchema.nullable(),
  }),
})
export type BandSweepPoint = z.infer<typeof bandSweepPointSchema>

const bandRecommendationSchema = z.object({
  /** Null where no size can be recommended; `because` says why. */
  bandSize: bytesSchema.nullable(),
  bands: countSchema.nullable(),
  because: z.string(),
  encryption: bandEncryptionSchema,
  /** True when other sizes are as fast as far as was seen. */
  isNoise: z.boolean(),
  /** Sizes not shown to be slower than the fastest, the recommended one among them. */
  asFast: z.array(bytesSchema),
  fastest: bytesSchema.nullable(),
  /** Sizes shown to be slower, and how many times as long they took. */
  slower: z.array(z.object({ bandSize: bytesSchema, ratio: sweepRatioSchema })),
  rule: z.object({
    limit: countSchema,
    from: countSchema,
    to: countSchema,
    place: z.enum(['local', 'network', 'fat']),
  }),
  /** The expected rates of the recommended size here: those of its own passes. */
  expected: z.object({ write: sweepRateSchema, read: sweepRateSchema, stream: sweepRateSchema }).nullable(),
})
export type BandRecommendation = z.infer<typeof bandRecommendationSchema>

/** Whoever shows it has the words for the code; the figures fill them in. */
const sweepWarningSchema = z.object({
  code: z.enum([
    'memoryFileSystem',
    'cacheSuspected',
    'cacheUnknown',
    'cancelled',
    'shortOfSpace',
    'partOfBand',
    'fewRepeats',
    'shortPass',
    'neverRunHere',
    'cpuBound',
    'othersWorking',
  ]),
  figures: z.record(z.string(), z.number()),
})
export type SweepWarning = z.infer<typeof sweepWarningSchema>

/**
 * Containers go through the system's cache: what was done so that the device and not the cache is
 * timed.
 */
const sweepCacheSchema = z.object({
  /**
   * Before every read the system was asked to forget the files' pages; what it then still held,
   * null if it does not tell.
   */
  droppedBytes: bytesSchema,
  residentBytes: bytesSchema.nullable(),
  /**
   * Bytes that passes without writing read, and what the device itself counted meanwhile; null
   * where nothing counts.
   */
  readBytes: bytesSchema,
  deviceReadBytes: bytesSchema.nullable(),
  /** False: the cache answered, or may have. */
  plausible: z.boolean(),
})
export type SweepCache = z.infer<typeof sweepCacheSchema>

/** The evidence in a sweep's cache figures that the device answered. */
export function sweepEvidence(cache: SweepCache): CacheProof['evidence'] {
  const { droppedBytes: checkedBytes, residentBytes, readBytes, deviceReadBytes } = cache
  const read = { readBytes, deviceReadBytes, checkedBytes, residentBytes }
  const written = { writtenBytes: 0, deviceWrittenBytes: null }
  const rates = { readBytesPerSecond: null, cachedBytesPerSecond: null, linkBytesPerSecond: null }
  const facts = { obtained: 'uncached', isMemory: false, suspects: 0, samples: 0 } as const
  return judgeCache({ ...facts, ...read, ...written, ...rates }).evidence
}

const sweepSampleSchema = z.object({
  point: countSchema,
  round: countSchema,
  op: sweepOperationSchema,
  bytes: bytesSchema,
  ns: z.number().positive(),
})
export type SweepSample = z.infer<typeof sweepSampleSchema>

/** A band sweep with all its samples, as `stowage bands --json` prints it. */
export const bandSweepDocumentSchema = z.object({
  schema: z.literal(BAND_SWEEP_SCHEMA),
  id: idSchema,
  createdWallMs: wallMsSchema,
  directory: pathSchema,
  device: deviceFactsSchema,
  request: storedRequestSchema,
  /** The requested handling of the cache, and its result. */
  cache: sweepCacheSchema,
  /** Written data is forced to the medium at the end of every pass, within its time. */
  flush: z.literal('end'),
  passBytes: bytesSchema,
  /** Whole rounds that were gone through. */
  repeats: countSchema,
  /** Without the reference. */
  points: z.array(bandSweepPointSchema),
  /** The raw file in the same rounds. */
  reference: bandSweepPointSchema,
  recommended: bandRecommendationSchema,
  warnings: z.array(sweepWarningSchema),
  /** `point` 0 is the reference, the others follow in the order of `points`. */
  samples: z.array(sweepSampleSchema),
  writtenBytes: bytesSchema,
  readBytes: bytesSchema,
  elapsedMs: durationMsSchema,
  partial: z.boolean(),
  /** Why it ended early, null for a whole or a cancelled one. */
  error: wireErrorSchema.nullable(),
})
export type BandSweepDocument = z.infer<typeof bandSweepDocumentSchema>
