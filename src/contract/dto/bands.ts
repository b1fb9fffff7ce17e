import { z } from 'zod'
import type {
  BandRecommendation,
  BandSweepDocument,
  BandSweepPoint,
  BandSweepRequest,
  SweepCache,
  SweepOperation,
  SweepPointFacts,
  SweepRate,
  SweepSample,
  SweepWarning,
} from '../../domain/devices/bands/sweepDocument'
import type { Span } from '../../primitives/estimate'
import { exactly } from '../exactly'
import { bandEncryptionSchema, bandKindSchema, deviceFactsSchema } from './measure'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from './scalars'

export type * from '../../domain/devices/bands/sweepDocument'

export const BAND_SWEEP_SCHEMA = 'stowage.bandSweep/1'

const SWEEP_OPERATIONS = ['write', 'read', 'stream'] as const
const sweepOperationSchema = exactly<SweepOperation>()(z.enum(SWEEP_OPERATIONS))

const MEBIBYTE = 1024 * 1024
const MOST_SIZES = 24

export const bandSweepRequestSchema = exactly<BandSweepRequest>()(
  z.object({
    directory: pathSchema,
    bandSizes: z
      .array(
        bytesSchema
          .min(MEBIBYTE, 'a band has at least 1 MiB')
          .max(8192 * MEBIBYTE, 'a band has at most 8 GiB'),
      )
      .min(1)
      .max(MOST_SIZES, `at most ${MOST_SIZES} band sizes per sweep`)
      .nullable()
      .default(null),
    kinds: z.array(bandKindSchema).min(1).max(3).default(['UDSB']),
    encryptions: z.array(bandEncryptionSchema).min(1).max(3).default([null]),
    fullBytes: bytesSchema.min(MEBIBYTE, 'the full size is at least 1 MiB').default(1e12),
    budgetBytes: bytesSchema.min(1).default(43e9),
    repeats: z
      .number()
      .int()
      .min(3, 'at least 3 repeats are needed for a range')
      .max(25, 'at most 25 repeats')
      .nullable()
      .default(null),
    requestBytes: bytesSchema
      .min(4096, 'a request moves at least 4 KiB')
      .max(64 * MEBIBYTE, 'a request moves at most 64 MiB')
      .default(MEBIBYTE),
    seed: z.number().int().min(0).max(4_294_967_295).default(1),
    through: z.enum(['native', 'mounted']).default('native'),
  }),
)

type StoredSweepRequest = Omit<BandSweepRequest, 'directory'>
/** A request as it is stored and sent: whoever sends one has filled in everything. */
const storedRequestSchema = bandSweepRequestSchema.omit({ directory: true }) as unknown as z.ZodType<
  StoredSweepRequest,
  StoredSweepRequest
>

const sweepPointFactsSchema = exactly<SweepPointFacts>()(
  z.object({
    kind: bandKindSchema,
    encryption: bandEncryptionSchema,
    bandSize: bytesSchema.nullable(),
    bands: countSchema.nullable(),
  }),
)

/** What a sweep would do; known before anything is written. */
export const bandSweepPreviewSchema = z.object({
  directory: pathSchema,
  /** The raw file that all others are compared with is the first. */
  points: z.array(sweepPointFactsSchema),
  repeats: countSchema,
  passBytes: bytesSchema,
  /** The least budget for these points. */
  leastBudgetBytes: bytesSchema,
  writeBytes: bytesSchema,
  readBytes: bytesSchema,
  peakBytes: bytesSchema,
  freeBytes: bytesSchema.nullable(),
  keepFreeBytes: bytesSchema,
  shareOfCapacity: z.number().nonnegative().nullable(),
  /** Band sizes of which a pass covers fewer than two bands: timed, but not recommended. */
  tooLarge: z.array(bytesSchema),
  refusal: wireErrorSchema.nullable(),
  device: deviceFactsSchema,
})
export type BandSweepPreview = z.infer<typeof bandSweepPreviewSchema>

const sweepRateSchema = exactly<SweepRate>()(
  z.object({
    value: z.number().positive(),
    low: z.number().positive().nullable(),
    high: z.number().positive().nullable(),
    confidence: z.number().min(0).max(1).nullable(),
    repeats: countSchema,
    spread: z.number().nonnegative().nullable(),
  }),
)

const sweepRatioSchema = exactly<Span>()(z.object({ value: z.number(), low: z.number(), high: z.number() }))

const bandSweepPointSchema = exactly<BandSweepPoint>()(
  sweepPointFactsSchema.extend({
    bandsInPass: z.number().nonnegative().nullable(),
    write: sweepRateSchema.nullable(),
    read: sweepRateSchema.nullable(),
    stream: sweepRateSchema.nullable(),
    ofReference: z.object({
      write: sweepRatioSchema.nullable(),
      read: sweepRatioSchema.nullable(),
      stream: sweepRatioSchema.nullable(),
    }),
  }),
)

const bandRecommendationSchema = exactly<BandRecommendation>()(
  z.object({
    bandSize: bytesSchema.nullable(),
    bands: countSchema.nullable(),
    because: z.string(),
    encryption: bandEncryptionSchema,
    isNoise: z.boolean(),
    asFast: z.array(bytesSchema),
    fastest: bytesSchema.nullable(),
    slower: z.array(z.object({ bandSize: bytesSchema, ratio: sweepRatioSchema })),
    rule: z.object({
      limit: countSchema,
      from: countSchema,
      to: countSchema,
      place: z.enum(['local', 'network', 'fat']),
    }),
    expected: z.object({ write: sweepRateSchema, read: sweepRateSchema, stream: sweepRateSchema }).nullable(),
  }),
)

const SWEEP_WARNINGS = [
  'memoryFileSystem',
  'cacheSuspected',
  'cacheUnknown',
  'cancelled',
  'shortOfSpace',
  'partOfBand',
  'fewRepeats',
  'shortPass',
  'neverRunHere',
] as const
const sweepWarningSchema = exactly<SweepWarning>()(
  z.object({
    code: z.enum(SWEEP_WARNINGS),
    figures: z.record(z.string(), z.number()),
  }),
)

const sweepCacheSchema = exactly<SweepCache>()(
  z.object({
    droppedBytes: bytesSchema,
    residentBytes: bytesSchema.nullable(),
    readBytes: bytesSchema,
    deviceReadBytes: bytesSchema.nullable(),
    plausible: z.boolean(),
  }),
)

const sweepSampleSchema = exactly<SweepSample>()(
  z.object({
    point: countSchema,
    round: countSchema,
    op: sweepOperationSchema,
    bytes: bytesSchema,
    ns: z.number().positive(),
  }),
)

export const bandSweepDocumentSchema = exactly<BandSweepDocument>()(
  z.object({
    schema: z.literal(BAND_SWEEP_SCHEMA),
    id: idSchema,
    createdWallMs: wallMsSchema,
    directory: pathSchema,
    device: deviceFactsSchema,
    request: storedRequestSchema,
    cache: sweepCacheSchema,
    flush: z.literal('end'),
    passBytes: bytesSchema,
    repeats: countSchema,
    points: z.array(bandSweepPointSchema),
    reference: bandSweepPointSchema,
    recommended: bandRecommendationSchema,
    warnings: z.array(sweepWarningSchema),
    samples: z.array(sweepSampleSchema),
    writtenBytes: bytesSchema,
    readBytes: bytesSchema,
    elapsedMs: durationMsSchema,
    partial: z.boolean(),
    error: wireErrorSchema.nullable(),
  }),
)

/** Sent while a sweep runs, at most twice a second. */
export const bandSweepLiveSchema = z.object({
  jobId: idSchema,
  /** The reference first. */
  points: z.array(bandSweepPointSchema),
  roundsDone: countSchema,
  rounds: countSchema,
})
export type BandSweepLive = z.infer<typeof bandSweepLiveSchema>

export const bandSweepListItemSchema = z.object({
  id: idSchema,
  createdWallMs: wallMsSchema,
  directory: pathSchema,
  deviceKey: z.string(),
  deviceName: z.string(),
  fullBytes: bytesSchema,
  bandSize: bytesSchema.nullable(),
  isNoise: z.boolean(),
  plausible: z.boolean(),
  partial: z.boolean(),
  points: countSchema,
  repeats: countSchema,
})
export type BandSweepListItem = z.infer<typeof bandSweepListItemSchema>
