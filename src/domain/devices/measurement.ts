import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  estimateSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from '../scalars'
import { type Distribution, distributionSchema } from '../statistics/quantiles'
import { bandEncryptionSchema, containerChoiceSchema } from './bandKind'
import { wholeSpecSchema } from './testSpec'

export type { Distribution }

export const MEASUREMENT_SCHEMA = 'stowage.measurement/1'

/** Direct (uncached) or buffered (cached) reading and writing. */
export const cacheModeSchema = z.enum(['uncached', 'buffered'])
export type CacheMode = z.infer<typeof cacheModeSchema>

/** The medium in a drive, as the drive reports it. */
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

/**
 * The device that a folder lies on, from the system's own sources; null is what they do not tell.
 */
export const deviceFactsSchema = z.object({
  /** Names the device in the catalog: the same after a restart and at another mount point. */
  key: z.string().min(1).max(400),
  /** For people: model, or what else names it. */
  name: z.string(),
  model: z.string().nullable(),
  kind: z.enum(['ssd', 'hdd', 'usb', 'network', 'optical', 'memory', 'virtual', 'unknown']),
  bus: z.string().nullable(),
  fileSystem: z.string().nullable(),
  mountPoint: pathSchema.nullable(),
  capacityBytes: bytesSchema.nullable(),
  freeBytes: bytesSchema.nullable(),
  /** The rate that the link to the device can carry; nothing faster can come from the device. */
  linkBytesPerSecond: z.number().positive().nullable(),
  optical: opticalMediumSchema.nullable(),
})
export type DeviceFacts = z.infer<typeof deviceFactsSchema>

/**
 * A change that a budget made to a test: `from` and `to` are counts, bytes of the largest file, or
 * milliseconds of rest.
 */
export const specChangeSchema = z.object({
  code: z.enum(['fewerFiles', 'smallerFiles', 'fewerRepeats', 'shorterRest', 'testLeftOut']),
  test: z.string(),
  from: z.number().nonnegative(),
  to: z.number().nonnegative(),
})
export type SpecChange = z.infer<typeof specChangeSchema>

export const SAMPLE_OPERATIONS = [
  'write',
  'read',
  'streamWrite',
  'streamRead',
  'randomRead',
  'randomWrite',
  /** A file is read, compressed, written and flushed; bytes are those read. */
  'compress',
] as const
export const sampleOperationSchema = z.enum(SAMPLE_OPERATIONS)
export type SampleOperation = z.infer<typeof sampleOperationSchema>

/** One timed operation: a whole file, or one access of a random test. */
export const measureSampleSchema = z.object({
  op: sampleOperationSchema,
  bytes: bytesSchema,
  /**
   * Everything between asking and being done: opening, allocating, transfer, flush where asked for,
   * closing.
   */
  ns: z.number().nonnegative(),
  /** The transfer's part of it. */
  transferNs: z.number().nonnegative(),
  /** Since the first sample began. */
  startMs: durationMsSchema,
  /** Place in `spec.tests`, and which repeat of it, from 0. */
  test: countSchema,
  repeat: countSchema,
  /**
   * Flagged, never left out: much slower than the fit, faster than the device can be, or before it
   * had warmed up.
   */
  mark: z.enum(['stall', 'cacheSuspect', 'warmUp']).nullable(),
})
export type MeasureSample = z.infer<typeof measureSampleSchema>

/**
 * The fitted figures of one operation: time = latency + bytes / rate. Null where the samples do not
 * show them.
 */
const operationFiguresSchema = z.object({
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
const testRowSchema = z.object({
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

/** The verdict if the figures can be the device's own, and its evidence. */
const cacheProofSchema = z.object({
  requested: cacheModeSchema,
  obtained: cacheModeSchema,
  /** Why another mode was obtained, null if it was not. */
  because: z.string().nullable(),
  /**
   * False: the cache answered, or may have. Such a run is kept and marked, and goes into no
   * average.
   */
  plausible: z.boolean(),
  /**
   * `holds`: speaks for the device; not: against it. `figure` and `limit` in the unit of the code
   * (bytes, bytes/s).
   */
  evidence: z.array(
    z.object({
      code: z.enum(['resident', 'deviceReads', 'deviceWrites', 'cachedRate', 'linkRate', 'memoryFileSystem']),
      holds: z.boolean(),
      figure: z.number().nullable(),
      limit: z.number().nullable(),
    }),
  ),
})
export type CacheProof = z.infer<typeof cacheProofSchema>

/** Whoever shows it has the words for the code; the figures fill them in. */
const measureWarningSchema = z.object({
  code: z.enum([
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
  ]),
  op: sampleOperationSchema.nullable(),
  figures: z.record(z.string(), z.number()),
})
export type MeasureWarning = z.infer<typeof measureWarningSchema>

export const figuresByOperation = {
  write: operationFiguresSchema.nullable(),
  read: operationFiguresSchema.nullable(),
  streamWrite: operationFiguresSchema.nullable(),
  streamRead: operationFiguresSchema.nullable(),
  randomRead: operationFiguresSchema.nullable(),
  randomWrite: operationFiguresSchema.nullable(),
  /** Documents of earlier versions have none. */
  compress: operationFiguresSchema.nullable().optional(),
}

/**
 * The states of a container that is measured: new; written once more over what is there; filled,
 * most of it deleted and what was deleted written again.
 */
export const CONTAINER_STATES = ['fresh', 'rewritten', 'refilled'] as const
export type ContainerState = (typeof CONTAINER_STATES)[number]

const containerStateSchema = z.object({
  samples: z.array(measureSampleSchema),
  tests: z.array(testRowSchema),
  write: operationFiguresSchema.nullable(),
  read: operationFiguresSchema.nullable(),
  randomRead: operationFiguresSchema.nullable(),
  randomWrite: operationFiguresSchema.nullable(),
})

/** Bytes that a container occupies on the disk, and its bands there; null where it has none. */
const inUseSchema = z.object({ bytes: bytesSchema, bands: countSchema.nullable() })
export type InUse = z.infer<typeof inUseSchema>

/** One for each repeat of each test, which has a container of its own. Bytes on the disk. */
const occupiedSchema = z.object({
  test: countSchema,
  repeat: countSchema,
  /** The disk in the container: all ranges one after another. */
  diskBytes: bytesSchema,
  freshBytes: bytesSchema,
  /** After all was written once more; null where it was stopped before. */
  rewrittenBytes: bytesSchema.nullable(),
})

/**
 * The measured cost of one of Stowage's containers. In it each file is a range: there is no file
 * system.
 */
const containerMeasurementSchema = containerChoiceSchema.extend({
  /** Null where there are no bands. */
  bandSize: bytesSchema.nullable(),
  occupied: z.array(occupiedSchema),
  /**
   * The same ranges written and read a second time. The figures of the document are of a fresh
   * container.
   */
  rewritten: containerStateSchema,
})
export type ContainerMeasurement = z.infer<typeof containerMeasurementSchema>

/** One of the containers of a measurement of every kind. */
const containerOfAllSchema = containerMeasurementSchema.extend({
  fresh: containerStateSchema,
  /** After most was deleted: the same ranges written and read again where they lay. */
  refilled: containerStateSchema,
  occupied: z.array(
    occupiedSchema.extend({
      /** Full, after most was deleted, and full again; null where it was stopped before. */
      full: inUseSchema.nullable(),
      deleted: inUseSchema.nullable(),
      refilled: inUseSchema.nullable(),
    }),
  ),
})
export type ContainerOfAll = z.infer<typeof containerOfAllSchema>

/** A kind of image that was not measured, and why. */
const notMeasuredSchema = z.object({
  kind: z.string(),
  encryption: bandEncryptionSchema,
  reason: z.string(),
})
export type NotMeasured = z.infer<typeof notMeasuredSchema>

/**
 * A device profile: one measurement with all its samples, as `stowage measure --json` prints it.
 */
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
  /** Absent where the disk itself was measured. */
  container: containerMeasurementSchema.optional(),
  /**
   * Every kind of container, one after another. Absent where one of them or the disk was measured;
   * with it the document has no samples and figures of its own.
   */
  containers: z.array(containerOfAllSchema).optional(),
  /** With `containers`: the kinds of images that are not among them. */
  notMeasured: z.array(notMeasuredSchema).optional(),
  /** Bytes that `compress` read and stored; absent where nothing was compressed. */
  compressed: z.object({ bytes: bytesSchema, storedBytes: bytesSchema }).optional(),
  writtenBytes: bytesSchema,
  readBytes: bytesSchema,
  /**
   * Flushing after all files of a test, which is in no sample's time; 0 where each was flushed or
   * none.
   */
  flushMs: durationMsSchema,
  elapsedMs: durationMsSchema,
  /** True when it ended early: the figures hold for what was done until then. */
  partial: z.boolean(),
  /** Why it ended early, null for a whole or a cancelled run. */
  error: wireErrorSchema.nullable(),
})
export type MeasurementDocument = z.infer<typeof measurementDocumentSchema>
