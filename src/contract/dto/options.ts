import { z } from 'zod'
import {
  bytesSchema,
  countSchema,
  durationMsSchema,
  estimateSchema,
  idSchema,
  mediumIdSchema,
  pathSchema,
  sha256Schema,
  wallMsSchema,
} from './scalars'

export const OPTIONS_SCHEMA = 'stowage.options/1'
export const OPTION_BUILD_SCHEMA = 'stowage.optionBuild/1'
export const COMPARE_SCHEMA = 'stowage.compare/1'

/** The medium of options that are not divided: one volume without a limit, on the device of the profile. */
export const DISK_MEDIUM = 'disk'

/** Presets in plain words; `own` takes the request's weights. */
export const GOALS = [
  'balanced',
  'smallest',
  'fastestBuild',
  'fastestRestore',
  'anywhere',
  'live',
  'own',
] as const
export const goalSchema = z.enum(GOALS)
export type Goal = z.infer<typeof goalSchema>

export const SYSTEMS = ['linux', 'macos', 'windows'] as const
export const systemSchema = z.enum(SYSTEMS)
export type System = z.infer<typeof systemSchema>

export const optionEncryptionSchema = z.enum(['none', 'aes-128', 'aes-256'])
export type OptionEncryption = z.infer<typeof optionEncryptionSchema>

/** How much each figure matters, 0 (nothing) to 1; none of them is a share of the others. */
export const goalWeightsSchema = z.object({
  bytes: z.number().min(0).max(1),
  buildSeconds: z.number().min(0).max(1),
  restoreSeconds: z.number().min(0).max(1),
  ramBytes: z.number().min(0).max(1),
  volumes: z.number().min(0).max(1),
  portability: z.number().min(0).max(1),
})
export type GoalWeights = z.infer<typeof goalWeightsSchema>

const limitShape = {
  bytes: bytesSchema.nullable(),
  volumes: countSchema.nullable(),
  /** Building and writing together. */
  seconds: z.number().positive().nullable(),
  /** The most of building and using. */
  ramBytes: bytesSchema.nullable(),
  /** Systems on which it has to be readable with what is free to get. */
  readableOn: z.array(systemSchema),
  /** Files must be usable in place, without unpacking. */
  inPlace: z.boolean(),
  /** The container, by its permanent name; null: any. */
  container: z.string().max(64).nullable(),
}
/** What an option has to keep to; null where there is no limit. The upper end of a figure's range decides. */
const wholeLimitsSchema = z.object(limitShape)
export type OptionLimits = z.infer<typeof wholeLimitsSchema>

export const NO_LIMITS: OptionLimits = {
  bytes: null,
  volumes: null,
  seconds: null,
  ramBytes: null,
  readableOn: [],
  inPlace: false,
  container: null,
}
const optionLimitsSchema = z.object({
  bytes: limitShape.bytes.default(null),
  volumes: limitShape.volumes.default(null),
  seconds: limitShape.seconds.default(null),
  ramBytes: limitShape.ramBytes.default(null),
  readableOn: limitShape.readableOn.default([]),
  inPlace: limitShape.inPlace.default(false),
  container: limitShape.container.default(null),
})

const requestShape = {
  surveyId: idSchema,
  /** `disk`, or media of the catalogue. */
  mediumIds: z.array(mediumIdSchema).min(1).max(8),
  goal: goalSchema,
  /** Of the goal `own`; otherwise without meaning. */
  weights: goalWeightsSchema.nullable(),
  encryption: optionEncryptionSchema,
  /** Redundancy as a share of what is stored: 0.1 is 10 %. */
  protection: z.number().min(0).max(1),
  limits: wholeLimitsSchema,
  /** Memory of one entry of a deduplication table. */
  tableEntryBytes: z.number().int().min(16).max(4096),
  /** The device profile of the target; null: the newest plausible one that was written and read. */
  measurementId: idSchema.nullable(),
  /** Whether figures are corrected by what earlier builds came to. */
  calibrate: z.boolean(),
}
/** The same with every default filled in, as a document has it. */
const wholeOptionsRequestSchema = z.object(requestShape)
export const optionsRequestSchema = z.object({
  surveyId: requestShape.surveyId,
  mediumIds: requestShape.mediumIds.default([DISK_MEDIUM]),
  goal: requestShape.goal.default('balanced'),
  weights: requestShape.weights.default(null),
  encryption: requestShape.encryption.default('none'),
  protection: requestShape.protection.default(0),
  limits: optionLimitsSchema.default(NO_LIMITS),
  tableEntryBytes: requestShape.tableEntryBytes.default(320),
  measurementId: requestShape.measurementId.default(null),
  calibrate: requestShape.calibrate.default(true),
})
export type OptionsRequest = z.infer<typeof wholeOptionsRequestSchema>

/** Who can read it: a program and the systems that it runs on. `since` is the oldest version known to read it. */
export const optionReaderSchema = z.object({
  systems: z.array(systemSchema),
  tool: z.string(),
  since: z.string().nullable(),
  source: z.string(),
})
export type OptionReader = z.infer<typeof optionReaderSchema>

export const optionRiskSchema = z.object({ code: z.string(), text: z.string() })
export type OptionRisk = z.infer<typeof optionRiskSchema>

/** Times in seconds, one after the other: building does not overlap with writing. */
export const optionEstimateSchema = z.object({
  /** On the medium: container, redundancy and rounding included. */
  bytes: estimateSchema,
  volumes: estimateSchema,
  buildSeconds: estimateSchema,
  /** Onto the medium; 0 where building writes it already. */
  writeSeconds: estimateSchema,
  verifySeconds: estimateSchema,
  /** Everything back as plain files. */
  restoreSeconds: estimateSchema,
  /** One file of the source's mean size, without the time to find and load a volume. */
  fetchSeconds: estimateSchema,
  /** The most while it is built. */
  ramBytes: estimateSchema,
  /** While it is used. */
  useRamBytes: estimateSchema,
  /** Of all cores together while it is built. */
  cpuSeconds: estimateSchema,
  /** How many files lie on the medium. */
  storedFiles: estimateSchema,
})
export type OptionEstimate = z.infer<typeof optionEstimateSchema>
export const OPTION_FIGURES = [
  'bytes',
  'volumes',
  'buildSeconds',
  'writeSeconds',
  'verifySeconds',
  'restoreSeconds',
  'fetchSeconds',
  'ramBytes',
  'useRamBytes',
  'cpuSeconds',
  'storedFiles',
] as const
export type OptionFigure = keyof OptionEstimate

/** One figure of two options: `ratio` is the other's over this one's, below 1 where the other is better. */
export const figureRatioSchema = z.object({
  figure: z.enum([...OPTION_FIGURES, 'portability']),
  ratio: z.number().nonnegative(),
})

export const optionSchema = z.object({
  /** Permanent: variant and medium, `7z-solid-64m-content@bd-r-25`. */
  id: z.string().max(160),
  /** Permanent names of the registry. */
  variant: z.string(),
  family: z.string(),
  /** In words. */
  name: z.string(),
  container: z.string(),
  /** none, duplicates, compression, solid, blocks, chunks, blocks+compression, chunks+compression. */
  reduction: z.string(),
  codec: z.string().nullable(),
  recordBytes: bytesSchema.nullable(),
  dictionaryBytes: bytesSchema.nullable(),
  chunker: z.string().nullable(),
  /** Of the files in a solid archive. */
  order: z.string().nullable(),
  encryption: optionEncryptionSchema,
  protection: z.number(),
  medium: mediumIdSchema,
  mediumName: z.string(),
  estimate: optionEstimateSchema,
  /** `inPlace`: open as a folder is; `mount`: after mounting; `extract`: after unpacking what is wanted. */
  access: z.enum(['inPlace', 'mount', 'extract']),
  readers: z.array(optionReaderSchema),
  /** 0 to 1: share of systems that read it with their own means, or half of that with a free program. */
  portability: z.number().min(0).max(1),
  risks: z.array(optionRiskSchema),
  notes: z.array(z.string()),
  /** True where nothing is as good in every figure and better in one. */
  pareto: z.boolean(),
  /** Null on the front. */
  beatenBy: z.object({ id: z.string(), figures: z.array(figureRatioSchema), because: z.string() }).nullable(),
  /** Limits that it does not keep to, by the names of `limits`. */
  breaks: z.array(z.string()),
  /** Whether Stowage can build it here, and why not. */
  build: z.object({ possible: z.boolean(), because: z.string().nullable() }),
  /** Lower is better; its place for the goal. */
  score: z.number(),
})
export type Option = z.infer<typeof optionSchema>

/** A wish that cannot be had: the option that comes closest, and what would have to give. */
export const impossibleSchema = z.object({
  because: z.string(),
  nearest: z.string().nullable(),
  relax: z.array(
    z.object({
      limit: z.string(),
      /** In the limit's unit; null where it is not a number. */
      from: z.number().nullable(),
      to: z.number().nullable(),
      text: z.string(),
    }),
  ),
})
export type Impossible = z.infer<typeof impossibleSchema>

/** Rates of the target as the estimates took them. */
export const targetRatesSchema = z.object({
  writeBytesPerSecond: estimateSchema,
  readBytesPerSecond: estimateSchema,
  writeLatencySeconds: estimateSchema,
  readLatencySeconds: estimateSchema,
  measurementId: idSchema.nullable(),
  deviceName: z.string().nullable(),
})
export type TargetRates = z.infer<typeof targetRatesSchema>

export const calibrationRowSchema = z.object({
  variant: z.string(),
  figure: z.enum(['bytes', 'buildSeconds', 'ramBytes']),
  /** What forecasts are multiplied by. */
  factor: z.number().positive(),
  builds: countSchema.min(1),
  /** Relative half-width of the range that it leaves; null for a single build. */
  spread: z.number().nonnegative().nullable(),
})
export type CalibrationRow = z.infer<typeof calibrationRowSchema>

export const optionsDocumentSchema = z.object({
  schema: z.literal(OPTIONS_SCHEMA),
  createdWallMs: wallMsSchema,
  surveyId: idSchema,
  request: wholeOptionsRequestSchema,
  source: z.object({
    roots: z.array(pathSchema),
    files: countSchema,
    bytes: bytesSchema,
    partial: z.boolean(),
  }),
  machine: z.object({ system: z.string(), cores: countSchema, memoryBytes: bytesSchema }),
  target: targetRatesSchema,
  calibration: z.array(calibrationRowSchema),
  /** By score, best first; those that break a limit behind the others. */
  options: z.array(optionSchema),
  /** The best for the goal, with the reason in two sentences; null where nothing keeps to the limits. */
  chosen: z.object({ id: z.string(), because: z.string() }).nullable(),
  /** The best for every preset. */
  presets: z.array(z.object({ goal: goalSchema, id: z.string(), because: z.string() })),
  impossible: impossibleSchema.nullable(),
  /** What the figures lack, and what to do about it: a measurement, samples. */
  advice: z.array(z.object({ code: z.string(), text: z.string() })),
  elapsedMs: durationMsSchema,
})
/** Every way to store a source, as `stowage options --json` prints it. */
export type OptionsDocument = z.infer<typeof optionsDocumentSchema>

export const optionBuildRequestSchema = z.object({
  surveyId: idSchema,
  /** An option's id or a variant's name. */
  optionId: z.string().min(1).max(160),
  /** A file, or a folder for repositories and sets of archives: made by the build. */
  path: pathSchema,
  /** What it must be beside the files: a builder that cannot carry this out refuses. */
  encryption: requestShape.encryption.default('none'),
  protection: requestShape.protection.default(0),
  force: z.boolean().default(false),
  /** Remove it again when it has been measured: only the figures are kept. */
  discard: z.boolean().default(false),
  /** Whether the forecast that the build is compared with uses what earlier builds taught. */
  calibrate: requestShape.calibrate.default(true),
})
export type OptionBuildRequest = z.infer<typeof optionBuildRequestSchema>

const builtFiguresSchema = z.object({
  bytes: bytesSchema,
  buildSeconds: z.number().nonnegative(),
  /** Of the program that built it, the most; null where it cannot be told. */
  ramBytes: bytesSchema.nullable(),
  cpuSeconds: z.number().nonnegative().nullable(),
})

export const optionBuildSchema = z.object({
  schema: z.literal(OPTION_BUILD_SCHEMA),
  id: idSchema,
  createdWallMs: wallMsSchema,
  surveyId: idSchema,
  sourceBytes: bytesSchema,
  sourceFiles: countSchema,
  roots: z.array(pathSchema),
  variant: z.string(),
  family: z.string(),
  name: z.string(),
  path: pathSchema,
  discarded: z.boolean(),
  tool: z.string(),
  version: z.string(),
  /** What was run, for people. */
  command: z.string(),
  /** As it was forecast before, calibrated or not, and without any calibration. */
  forecast: z.object({ bytes: estimateSchema, buildSeconds: estimateSchema, ramBytes: estimateSchema }),
  uncalibrated: z.object({ bytes: z.number(), buildSeconds: z.number(), ramBytes: z.number() }),
  actual: builtFiguresSchema,
  /** Of one file that is the same on every rebuild; null for repositories and folders. */
  sha256: sha256Schema.nullable(),
  /** What of the source is not in it, or only in another form, in words. */
  notes: z.array(z.string()),
})
export type OptionBuild = z.infer<typeof optionBuildSchema>

/** One figure of one build: `error` is (forecast - actual) / actual, above 0 where too much was forecast. */
export const comparedFigureSchema = z.object({
  forecast: estimateSchema,
  actual: z.number(),
  error: z.number(),
  /** The same without calibration. */
  uncalibratedError: z.number(),
  /** Whether the range held the actual figure. */
  held: z.boolean(),
})

export const compareDocumentSchema = z.object({
  schema: z.literal(COMPARE_SCHEMA),
  /** Newest first. */
  builds: z.array(
    optionBuildSchema.extend({
      errors: z.object({
        bytes: comparedFigureSchema,
        buildSeconds: comparedFigureSchema,
        ramBytes: comparedFigureSchema.nullable(),
      }),
    }),
  ),
  calibration: z.array(calibrationRowSchema),
  /** Medians of the errors' sizes, and how many ranges held. */
  summary: z.array(
    z.object({
      figure: z.enum(['bytes', 'buildSeconds', 'ramBytes']),
      builds: countSchema,
      medianError: z.number().nonnegative(),
      held: countSchema,
    }),
  ),
  /** Discs and images that runs of plans made, forecast beside fact: sectors are exact. */
  runs: z.array(
    z.object({
      runId: idSchema,
      startedWallMs: wallMsSchema,
      planId: idSchema,
      volumes: countSchema,
      forecastSectors: countSchema,
      actualSectors: countSchema,
    }),
  ),
})
/** Forecast against fact, of everything that was ever built here. */
export type CompareDocument = z.infer<typeof compareDocumentSchema>
