import { z } from 'zod'
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

export const MEASUREMENT_SCHEMA = 'stowage.measurement/1'

export const MEASURE_PRESETS = ['quick', 'stibium', 'small', 'sustained', 'streaming'] as const
export const measurePresetSchema = z.enum(MEASURE_PRESETS)
export type MeasurePreset = z.infer<typeof measurePresetSchema>

/** Where a test specification comes from. */
export const specSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('preset'), preset: measurePresetSchema }),
  /** Files of the sizes that a survey found. */
  z.object({ kind: z.literal('survey'), surveyId: idSchema }),
  /** What a person wrote, YAML or JSON; `name` stands in front of its errors (`spec.yaml:12:5: …`). */
  z.object({ kind: z.literal('text'), text: z.string().max(1024 * 1024), name: z.string().min(1).max(4096) }),
  /** The specification of an earlier measurement. */
  z.object({ kind: z.literal('again'), measurementId: idSchema }),
])
export type SpecSource = z.infer<typeof specSourceSchema>

export const cacheModeSchema = z.enum(['uncached', 'buffered'])

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
})
export type MeasureRequest = z.infer<typeof measureRequestSchema>

export const DEVICE_KINDS = [
  'ssd',
  'hdd',
  'usb',
  'network',
  'optical',
  'memory',
  'virtual',
  'unknown',
] as const

/** What a drive says of the medium in it. */
export const opticalMediumSchema = z.object({
  /** As the drive names it: `BD-R`, `DVD+R Double Layer`. */
  profile: z.string(),
  state: z.enum(['blank', 'appendable', 'closed', 'absent', 'unknown']),
  capacitySectors: countSchema.nullable(),
  usedSectors: countSchema.nullable(),
  freeSectors: countSchema.nullable(),
  sessions: countSchema.nullable(),
  /** Writing speeds that drive and medium offer together, fastest first. */
  writeBytesPerSecond: z.array(z.number().nonnegative()),
  manufacturerId: z.string().nullable(),
})
export type OpticalMedium = z.infer<typeof opticalMediumSchema>

/** The device that a folder lies on, from the system's own sources; null is what they do not tell. */
export const deviceFactsSchema = z.object({
  /** Names the device in the catalog: the same after a restart and at another mount point. */
  key: z.string().min(1).max(400),
  /** For people: model, or what else names it. */
  name: z.string(),
  model: z.string().nullable(),
  kind: z.enum(DEVICE_KINDS),
  bus: z.string().nullable(),
  fileSystem: z.string().nullable(),
  mountPoint: pathSchema.nullable(),
  capacityBytes: bytesSchema.nullable(),
  freeBytes: bytesSchema.nullable(),
  /** What the link to the device can carry; nothing faster can come from the device. */
  linkBytesPerSecond: z.number().positive().nullable(),
  optical: opticalMediumSchema.nullable(),
})
export type DeviceFacts = z.infer<typeof deviceFactsSchema>

/** What a budget changed in a test: `from` and `to` are counts, bytes of the largest file, or milliseconds of rest. */
export const specChangeSchema = z.object({
  code: z.enum(['fewerFiles', 'smallerFiles', 'fewerRepeats', 'shorterRest', 'testLeftOut']),
  test: z.string(),
  from: z.number().nonnegative(),
  to: z.number().nonnegative(),
})
export type SpecChange = z.infer<typeof specChangeSchema>

/** What a measurement would do, told before anything is written. */
export const measurePreviewSchema = z.object({
  directory: pathSchema,
  /** After budget and choices, every default filled in. */
  spec: wholeSpecSchema,
  /** The same as YAML, for a person to save and change. */
  specText: z.string(),
  changes: z.array(specChangeSchema),
  readOnly: z.boolean(),
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
export const sampleOperationSchema = z.enum(SAMPLE_OPERATIONS)
export type SampleOperation = z.infer<typeof sampleOperationSchema>

/** One timed operation: a whole file, or one access of a random test. */
export const measureSampleSchema = z.object({
  op: sampleOperationSchema,
  bytes: bytesSchema,
  /** Everything between asking and being done: opening, allocating, transfer, flush where asked for, closing. */
  ns: z.number().nonnegative(),
  /** Of it the transfer alone. */
  transferNs: z.number().nonnegative(),
  /** Since the first sample began. */
  startMs: durationMsSchema,
  /** Place in `spec.tests`, and which repeat of it, from 0. */
  test: countSchema,
  repeat: countSchema,
  /** Flagged, never left out: much slower than the fit, faster than the device can be, or before it had warmed up. */
  mark: z.enum(['stall', 'cacheSuspect', 'warmUp']).nullable(),
})
export type MeasureSample = z.infer<typeof measureSampleSchema>

/** Quantiles of what was seen. `spread` is a robust standard deviation (1.4826 × MAD), null for a single sample. */
export const distributionSchema = z.object({
  n: countSchema,
  min: z.number(),
  q05: z.number(),
  q25: z.number(),
  median: z.number(),
  q75: z.number(),
  q95: z.number(),
  max: z.number(),
  spread: z.number().nullable(),
})
export type Distribution = z.infer<typeof distributionSchema>

/** What one operation was found to be: time = latency + bytes / rate. Null where the samples do not tell. */
export const operationFiguresSchema = z.object({
  samples: countSchema,
  bytes: bytesSchema,
  ns: z.number().nonnegative(),
  bytesPerSecond: estimateSchema.nullable(),
  latencyNs: estimateSchema.nullable(),
  /** The size at which half of the rate is reached: latency × rate. */
  halfSpeedBytes: estimateSchema.nullable(),
  /** The same fit by another method (bisquare); if it is far off, the samples are of two kinds. */
  check: z.object({ bytesPerSecond: z.number(), latencyNs: z.number() }).nullable(),
  /** Median absolute relative distance from the fitted line; null without one. */
  dispersion: z.number().nullable(),
  /** Bytes per second of the samples. */
  rates: distributionSchema.nullable(),
  /** Times in nanoseconds of the smallest size: what one file costs apart from its bytes. */
  latencies: distributionSchema.nullable(),
  stalls: countSchema,
  cacheSuspects: countSchema,
  warmUpSamples: countSchema,
  /** First fast, then for good slower: a cache in the device that was full after `kneeBytes`. */
  knee: z
    .object({
      kneeBytes: bytesSchema,
      burstBytesPerSecond: z.number(),
      sustainedBytesPerSecond: z.number(),
    })
    .nullable(),
  /** From which sample on the rate was steady; null if it never was. */
  steadyFrom: countSchema.nullable(),
})
export type OperationFigures = z.infer<typeof operationFiguresSchema>

/** One row of the report: one operation of one test. */
export const testRowSchema = z.object({
  test: countSchema,
  name: z.string(),
  op: sampleOperationSchema,
  samples: countSchema,
  bytes: bytesSchema,
  smallestBytes: bytesSchema,
  largestBytes: bytesSchema,
  rates: distributionSchema,
  /** Nanoseconds. */
  times: distributionSchema,
})
export type TestRow = z.infer<typeof testRowSchema>

export const CACHE_EVIDENCE = [
  'resident',
  'deviceReads',
  'deviceWrites',
  'cachedRate',
  'linkRate',
  'memoryFileSystem',
] as const

/** Whether the figures can be the device's own, and how that is known. */
export const cacheProofSchema = z.object({
  requested: cacheModeSchema,
  obtained: cacheModeSchema,
  /** Why another mode was obtained, null if it was not. */
  because: z.string().nullable(),
  /** False: the cache answered, or may have. Such a run is kept and marked, and goes into no average. */
  plausible: z.boolean(),
  /** `holds`: speaks for the device; not: against it. `figure` and `limit` in the unit of the code (bytes, bytes/s). */
  evidence: z.array(
    z.object({
      code: z.enum(CACHE_EVIDENCE),
      holds: z.boolean(),
      figure: z.number().nullable(),
      limit: z.number().nullable(),
    }),
  ),
})
export type CacheProof = z.infer<typeof cacheProofSchema>

export const MEASURE_WARNINGS = [
  'buffered',
  'memoryFileSystem',
  'cacheSuspected',
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
/** Words for a code stand with whoever shows it; the figures fill them in. */
export const measureWarningSchema = z.object({
  code: z.enum(MEASURE_WARNINGS),
  op: sampleOperationSchema.nullable(),
  figures: z.record(z.string(), z.number()),
})
export type MeasureWarning = z.infer<typeof measureWarningSchema>

const figuresByOperation = {
  write: operationFiguresSchema.nullable(),
  read: operationFiguresSchema.nullable(),
  streamWrite: operationFiguresSchema.nullable(),
  streamRead: operationFiguresSchema.nullable(),
  randomRead: operationFiguresSchema.nullable(),
  randomWrite: operationFiguresSchema.nullable(),
}

/** A device profile: one measurement with all its samples, as `stowage measure --json` prints it. */
export const measurementDocumentSchema = z.object({
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
  writtenBytes: bytesSchema,
  readBytes: bytesSchema,
  /** Flushing after all files of a test, which is in no sample's time; 0 where each was flushed or none. */
  flushMs: durationMsSchema,
  elapsedMs: durationMsSchema,
  /** True when it ended early: the figures hold for what was done until then. */
  partial: z.boolean(),
  /** Why it ended early, null for a whole or a cancelled run. */
  error: wireErrorSchema.nullable(),
})
export type MeasurementDocument = z.infer<typeof measurementDocumentSchema>

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
})
export type MeasurementListItem = z.infer<typeof measurementListItemSchema>

/** Two measurements side by side: `ratio` is b over a, with its range; null where one of them does not know. */
export const measureComparisonSchema = z.object({
  a: measurementListItemSchema,
  b: measurementListItemSchema,
  /** Reasons to be careful with the ratios. */
  notes: z.array(
    z.enum(['differentDevices', 'differentSpecs', 'differentCacheModes', 'implausible', 'partial']),
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
