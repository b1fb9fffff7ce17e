import { z } from 'zod'
import { containerChoiceSchema, measuredInSchema } from '../../domain/devices/bandKind'
import {
  cacheModeSchema,
  deviceFactsSchema,
  figuresByOperation,
  measureSampleSchema,
  sampleOperationSchema,
  specChangeSchema,
} from '../../domain/devices/measurement'
import { ownTestSchema } from '../../domain/devices/ownTest'
import { MOST_DEPTH, measuredCodecSchema, wholeSpecSchema } from '../../domain/devices/testSpec'
import { MEASURE_PRESETS } from '../../domain/devices/testWords'
import {
  bytesSchema,
  countSchema,
  estimateSchema,
  idSchema,
  pathSchema,
  wallMsSchema,
  wireErrorSchema,
} from '../../domain/scalars'

export * from '../../domain/devices/bandKind'
export { bandsInUse } from '../../domain/devices/bandsInUse'
export { type ContainerRow, containerRows } from '../../domain/devices/containerRows'
export * from '../../domain/devices/measurement'
export { ownTestSchema, sizeEnds } from '../../domain/devices/ownTest'
export type { MeasuredCodec, MixedOperation } from '../../domain/devices/testSpec'
export { MEASURE_PRESETS, MEASURED_CODECS, TEST_OPERATIONS } from '../../domain/devices/testWords'

const measurePresetSchema = z.enum(MEASURE_PRESETS)
export type MeasurePreset = z.infer<typeof measurePresetSchema>

/** Where a test specification comes from. */
const specSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('preset'), preset: measurePresetSchema }),
  /** Files of the sizes that a survey found. */
  z.object({ kind: z.literal('survey'), surveyId: idSchema }),
  /** A test of a person's own. */
  z.object({ kind: z.literal('own'), test: ownTestSchema }),
  /**
   * The text of a specification file, YAML or JSON, which the next version no longer reads; `name`
   * begins its errors (`spec.yaml:12:5: …`).
   */
  z.object({ kind: z.literal('text'), text: z.string().max(1024 * 1024), name: z.string().min(1).max(4096) }),
  /** The specification of an earlier measurement. */
  z.object({ kind: z.literal('again'), measurementId: idSchema }),
])

export const measureRequestSchema = z.object({
  /**
   * The folder on the device to be measured. A folder of our own is made in it and removed again.
   */
  directory: pathSchema,
  spec: specSourceSchema,
  /** Most bytes to write altogether; null: as the specification says. */
  budgetBytes: bytesSchema.min(1).nullable().default(null),
  /** Null: as the specification says. */
  cache: cacheModeSchema.nullable().default(null),
  /** Requests in flight at once; null: as the specification says. */
  depth: z.number().int().min(1).max(MOST_DEPTH).nullable().default(null),
  /** Tests that read their files also compress such files; null: as the specification says. */
  codec: measuredCodecSchema.nullable().default(null),
  /** Reads files that are in the folder already, and writes nothing. */
  readOnly: z.boolean().default(false),
  /**
   * Measures inside containers of our own, in which each file is a range; null: the disk itself.
   */
  container: measuredInSchema.nullable().default(null),
})
export type MeasureRequest = z.infer<typeof measureRequestSchema>

/** The effects of a measurement or a sweep at its place; known before anything is written. */
export const devicePreviewSchema = z.object({
  directory: pathSchema,
  /** Written altogether, read altogether, and the most that lies on the device at one time. */
  writeBytes: bytesSchema,
  readBytes: bytesSchema,
  peakBytes: bytesSchema,
  freeBytes: bytesSchema.nullable(),
  keepFreeBytes: bytesSchema,
  /** `writeBytes` as a share of the device's capacity: above 0.05 a person should be asked. */
  shareOfCapacity: z.number().nonnegative().nullable(),
  /** Why it would be refused; null when it can start. */
  refusal: wireErrorSchema.nullable(),
  device: deviceFactsSchema,
})
export type DevicePreview = z.infer<typeof devicePreviewSchema>

export const measurePreviewSchema = devicePreviewSchema.extend({
  /** After budget and choices, every default filled in. */
  spec: wholeSpecSchema,
  changes: z.array(specChangeSchema),
  readOnly: z.boolean(),
  /** With the size of its bands; null where the disk itself is measured. */
  container: containerChoiceSchema.extend({ bandSize: bytesSchema.nullable() }).nullable(),
  /** How many containers are measured one after another; absent where that is not every kind. */
  containers: countSchema.optional(),
  files: countSchema,
})
export type MeasurePreview = z.infer<typeof measurePreviewSchema>

const containerRatesSchema = containerChoiceSchema.extend({
  bandSize: bytesSchema.nullable(),
  write: estimateSchema.nullable(),
  read: estimateSchema.nullable(),
})

/** Sent while a measurement runs, at most twice a second. */
export const measureLiveSchema = z.object({
  jobId: idSchema,
  /** The samples since the last event; of very many, evenly spread ones. */
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
  /**
   * The container that was measured, fresh, with its rates; absent where it was the disk itself.
   */
  container: containerRatesSchema.optional(),
  /** The same of every kind, where all were measured in one run. */
  containers: z
    .array(
      containerRatesSchema.extend({
        /** Bands in use when it was full, and after most was deleted; absent without bands. */
        bandsInUse: z.object({ full: countSchema, left: countSchema }).optional(),
      }),
    )
    .optional(),
})
export type MeasurementListItem = z.infer<typeof measurementListItemSchema>

/**
 * Two measurements side by side: `ratio` is b over a, with its range; null where one of them does
 * not know.
 */
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
