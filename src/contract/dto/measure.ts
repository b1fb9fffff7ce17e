import { z } from 'zod'
import type { BandEncryption, BandKind } from '../../domain/devices/bandKind'
import type { ContainerChoice } from '../../domain/devices/containerPlan'
import type {
  CacheProof,
  ContainerMeasurement,
  DeviceFacts,
  Distribution,
  MeasurementDocument,
  MeasureSample,
  MeasureWarning,
  OperationFigures,
  OpticalMedium,
  SampleOperation,
  SpecChange,
  TestRow,
} from '../../domain/devices/measurement'
import { exactly } from '../exactly'
import { wholeSpecSchema } from './measureSpec'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  estimateSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from './scalars'

export type * from '../../domain/devices/measurement'

export const MEASUREMENT_SCHEMA = 'stowage.measurement/1'

export const MEASURE_PRESETS = ['quick', 'stibium', 'small', 'sustained', 'streaming'] as const
const measurePresetSchema = z.enum(MEASURE_PRESETS)
export type MeasurePreset = z.infer<typeof measurePresetSchema>

/** Where a test specification comes from. */
const specSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('preset'), preset: measurePresetSchema }),
  /** Files of the sizes that a survey found. */
  z.object({ kind: z.literal('survey'), surveyId: idSchema }),
  /** What a person wrote, YAML or JSON; `name` begins its errors (`spec.yaml:12:5: …`). */
  z.object({ kind: z.literal('text'), text: z.string().max(1024 * 1024), name: z.string().min(1).max(4096) }),
  /** The specification of an earlier measurement. */
  z.object({ kind: z.literal('again'), measurementId: idSchema }),
])
export type SpecSource = z.infer<typeof specSourceSchema>

const cacheModeSchema = z.enum(['uncached', 'buffered'])

/** Containers that can be measured and swept: sparse bundle, sparse image, read-write image. */
export const BAND_KINDS = ['UDSB', 'UDSP', 'UDRW'] as const
export const bandKindSchema = exactly<BandKind>()(z.enum(BAND_KINDS))

export const bandEncryptionSchema = exactly<BandEncryption>()(
  z.union([z.literal(128), z.literal(256)]).nullable(),
)

const containerChoiceSchema = exactly<ContainerChoice>()(
  z.object({ kind: bandKindSchema, encryption: bandEncryptionSchema }),
)

export const measureRequestSchema = z.object({
  /** The folder on the device to be measured. A folder of our own is made in it and removed again. */
  directory: pathSchema,
  spec: specSourceSchema,
  /** Most bytes to write altogether; null: as the specification says. */
  budgetBytes: bytesSchema.min(1).nullable().default(null),
  /** Null: as the specification says. */
  cache: cacheModeSchema.nullable().default(null),
  /** Reads files that are in the folder already, and writes nothing. */
  readOnly: z.boolean().default(false),
  /** Measures inside a container of our own, in which each file is a range; null: the disk itself. */
  container: containerChoiceSchema.nullable().default(null),
})
export type MeasureRequest = z.infer<typeof measureRequestSchema>

const DEVICE_KINDS = ['ssd', 'hdd', 'usb', 'network', 'optical', 'memory', 'virtual', 'unknown'] as const

export const opticalMediumSchema = exactly<OpticalMedium>()(
  z.object({
    profile: z.string(),
    state: z.enum(['blank', 'appendable', 'closed', 'absent', 'unknown']),
    capacitySectors: countSchema.nullable(),
    usedSectors: countSchema.nullable(),
    freeSectors: countSchema.nullable(),
    sessions: countSchema.nullable(),
    writeBytesPerSecond: z.array(z.number().nonnegative()),
    manufacturerId: z.string().nullable(),
  }),
)

export const deviceFactsSchema = exactly<DeviceFacts>()(
  z.object({
    key: z.string().min(1).max(400),
    name: z.string(),
    model: z.string().nullable(),
    kind: z.enum(DEVICE_KINDS),
    bus: z.string().nullable(),
    fileSystem: z.string().nullable(),
    mountPoint: pathSchema.nullable(),
    capacityBytes: bytesSchema.nullable(),
    freeBytes: bytesSchema.nullable(),
    linkBytesPerSecond: z.number().positive().nullable(),
    optical: opticalMediumSchema.nullable(),
  }),
)

const specChangeSchema = exactly<SpecChange>()(
  z.object({
    code: z.enum(['fewerFiles', 'smallerFiles', 'fewerRepeats', 'shorterRest', 'testLeftOut']),
    test: z.string(),
    from: z.number().nonnegative(),
    to: z.number().nonnegative(),
  }),
)

/** What a measurement would do; known before anything is written. */
export const measurePreviewSchema = z.object({
  directory: pathSchema,
  /** After budget and choices, every default filled in. */
  spec: wholeSpecSchema,
  /** The same as YAML, for a person to save and change. */
  specText: z.string(),
  changes: z.array(specChangeSchema),
  readOnly: z.boolean(),
  /** With the size of its bands; null where the disk itself is measured. */
  container: containerChoiceSchema.extend({ bandSize: bytesSchema.nullable() }).nullable(),
  /** Written altogether, read altogether, and the most that lies on the device at one time. */
  writeBytes: bytesSchema,
  readBytes: bytesSchema,
  peakBytes: bytesSchema,
  files: countSchema,
  freeBytes: bytesSchema.nullable(),
  keepFreeBytes: bytesSchema,
  /** `writeBytes` as a share of the device's capacity: above 0.05 a person should be asked. */
  shareOfCapacity: z.number().nonnegative().nullable(),
  /** Why it would be refused; null when it can start. */
  refusal: wireErrorSchema.nullable(),
  device: deviceFactsSchema,
})
export type MeasurePreview = z.infer<typeof measurePreviewSchema>

export const SAMPLE_OPERATIONS = [
  'write',
  'read',
  'streamWrite',
  'streamRead',
  'randomRead',
  'randomWrite',
] as const
const sampleOperationSchema = exactly<SampleOperation>()(z.enum(SAMPLE_OPERATIONS))

const measureSampleSchema = exactly<MeasureSample>()(
  z.object({
    op: sampleOperationSchema,
    bytes: bytesSchema,
    ns: z.number().nonnegative(),
    transferNs: z.number().nonnegative(),
    startMs: durationMsSchema,
    test: countSchema,
    repeat: countSchema,
    mark: z.enum(['stall', 'cacheSuspect', 'warmUp']).nullable(),
  }),
)

const distributionSchema = exactly<Distribution>()(
  z.object({
    n: countSchema,
    min: z.number(),
    q05: z.number(),
    q25: z.number(),
    median: z.number(),
    q75: z.number(),
    q95: z.number(),
    max: z.number(),
    spread: z.number().nullable(),
  }),
)

const operationFiguresSchema = exactly<OperationFigures>()(
  z.object({
    samples: countSchema,
    bytes: bytesSchema,
    ns: z.number().nonnegative(),
    bytesPerSecond: estimateSchema.nullable(),
    latencyNs: estimateSchema.nullable(),
    halfSpeedBytes: estimateSchema.nullable(),
    check: z.object({ bytesPerSecond: z.number(), latencyNs: z.number() }).nullable(),
    dispersion: z.number().nullable(),
    rates: distributionSchema.nullable(),
    latencies: distributionSchema.nullable(),
    stalls: countSchema,
    cacheSuspects: countSchema,
    warmUpSamples: countSchema,
    knee: z
      .object({
        kneeBytes: bytesSchema,
        burstBytesPerSecond: z.number(),
        sustainedBytesPerSecond: z.number(),
      })
      .nullable(),
    steadyFrom: countSchema.nullable(),
  }),
)

const testRowSchema = exactly<TestRow>()(
  z.object({
    test: countSchema,
    name: z.string(),
    op: sampleOperationSchema,
    samples: countSchema,
    bytes: bytesSchema,
    smallestBytes: bytesSchema,
    largestBytes: bytesSchema,
    rates: distributionSchema,
    times: distributionSchema,
  }),
)

const CACHE_EVIDENCE = [
  'resident',
  'deviceReads',
  'deviceWrites',
  'cachedRate',
  'linkRate',
  'memoryFileSystem',
] as const

const cacheProofSchema = exactly<CacheProof>()(
  z.object({
    requested: cacheModeSchema,
    obtained: cacheModeSchema,
    because: z.string().nullable(),
    plausible: z.boolean(),
    evidence: z.array(
      z.object({
        code: z.enum(CACHE_EVIDENCE),
        holds: z.boolean(),
        figure: z.number().nullable(),
        limit: z.number().nullable(),
      }),
    ),
  }),
)

const MEASURE_WARNINGS = [
  'buffered',
  'memoryFileSystem',
  'cacheSuspected',
  'sizeUnexplained',
  'slowFirst',
  'stalls',
  'bimodal',
  'cpuBound',
  'knee',
  'notSteady',
  'fewSamples',
  'shortOfSpace',
  'cancelled',
  'subsetOfPairs',
  'othersWorking',
] as const
const measureWarningSchema = exactly<MeasureWarning>()(
  z.object({
    code: z.enum(MEASURE_WARNINGS),
    op: sampleOperationSchema.nullable(),
    figures: z.record(z.string(), z.number()),
  }),
)

const figuresByOperation = {
  write: operationFiguresSchema.nullable(),
  read: operationFiguresSchema.nullable(),
  streamWrite: operationFiguresSchema.nullable(),
  streamRead: operationFiguresSchema.nullable(),
  randomRead: operationFiguresSchema.nullable(),
  randomWrite: operationFiguresSchema.nullable(),
}

const containerMeasurementSchema = exactly<ContainerMeasurement>()(
  containerChoiceSchema.extend({
    bandSize: bytesSchema.nullable(),
    occupied: z.array(
      z.object({
        test: countSchema,
        repeat: countSchema,
        diskBytes: bytesSchema,
        freshBytes: bytesSchema,
        rewrittenBytes: bytesSchema.nullable(),
      }),
    ),
    rewritten: z.object({
      samples: z.array(measureSampleSchema),
      tests: z.array(testRowSchema),
      write: operationFiguresSchema.nullable(),
      read: operationFiguresSchema.nullable(),
      randomRead: operationFiguresSchema.nullable(),
      randomWrite: operationFiguresSchema.nullable(),
    }),
  }),
)

export const measurementDocumentSchema = exactly<MeasurementDocument>()(
  z.object({
    schema: z.literal(MEASUREMENT_SCHEMA),
    id: idSchema,
    createdWallMs: wallMsSchema,
    directory: pathSchema,
    device: deviceFactsSchema,
    spec: wholeSpecSchema,
    changes: z.array(specChangeSchema),
    readOnly: z.boolean(),
    cache: cacheProofSchema,
    samples: z.array(measureSampleSchema),
    ...figuresByOperation,
    tests: z.array(testRowSchema),
    warnings: z.array(measureWarningSchema),
    container: containerMeasurementSchema.optional(),
    writtenBytes: bytesSchema,
    readBytes: bytesSchema,
    flushMs: durationMsSchema,
    elapsedMs: durationMsSchema,
    partial: z.boolean(),
    error: wireErrorSchema.nullable(),
  }),
)

/** Sent while a measurement runs, at most twice a second. */
export const measureLiveSchema = z.object({
  jobId: idSchema,
  /** What has been timed since the last event; of very many, evenly spread ones. */
  samples: z.array(measureSampleSchema),
  /** The figures over all samples so far, without intervals while it runs. */
  ...figuresByOperation,
})
export type MeasureLive = z.infer<typeof measureLiveSchema>

export const measurementListItemSchema = z.object({
  id: idSchema,
  createdWallMs: wallMsSchema,
  directory: pathSchema,
  deviceKey: z.string(),
  deviceName: z.string(),
  specName: z.string(),
  writtenBytes: bytesSchema,
  readBytes: bytesSchema,
  plausible: z.boolean(),
  partial: z.boolean(),
  readOnly: z.boolean(),
  writeBytesPerSecond: z.number().nullable(),
  readBytesPerSecond: z.number().nullable(),
  /** The container that was measured, fresh, with its rates; absent where it was the disk itself. */
  container: containerChoiceSchema
    .extend({
      bandSize: bytesSchema.nullable(),
      write: estimateSchema.nullable(),
      read: estimateSchema.nullable(),
    })
    .optional(),
})
export type MeasurementListItem = z.infer<typeof measurementListItemSchema>

/** Two measurements side by side: `ratio` is b over a, with its range; null where one of them does not know. */
export const measureComparisonSchema = z.object({
  a: measurementListItemSchema,
  b: measurementListItemSchema,
  /** Reasons to be careful with the ratios. */
  notes: z.array(
    z.enum([
      'differentDevices',
      'differentContainers',
      'differentSpecs',
      'differentCacheModes',
      'implausible',
      'partial',
    ]),
  ),
  operations: z.array(
    z.object({
      op: sampleOperationSchema,
      rateRatio: estimateSchema.nullable(),
      latencyRatio: estimateSchema.nullable(),
      /** True when a range of a ratio does not hold 1. */
      rateDiffers: z.boolean(),
      latencyDiffers: z.boolean(),
    }),
  ),
})
export type MeasureComparison = z.infer<typeof measureComparisonSchema>
