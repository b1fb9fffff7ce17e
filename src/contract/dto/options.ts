import { z } from 'zod'
import type {
  CalibrationRow,
  Candidate,
  CompareDocument,
  ComparedFigure,
  Goal,
  GoalWeights,
  Impossible,
  MediumCandidates,
  Option,
  OptionAllows,
  OptionBands,
  OptionBuild,
  OptionEncryption,
  OptionEstimate,
  OptionHere,
  OptionLimits,
  OptionReader,
  OptionRisk,
  OptionsDocument,
  OptionsRequest,
  ReadingTask,
  ReadingWay,
  Recommendation,
  Reduction,
  System,
  TargetRates,
} from '../../domain/options/optionsDocument'
import { exactly } from '../exactly'
import { optionalPasswordSchema } from './password'
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

export type * from '../../domain/options/optionsDocument'

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
const goalSchema = exactly<Goal>()(z.enum(GOALS))

export const SYSTEMS = ['linux', 'macos', 'windows'] as const
const systemSchema = exactly<System>()(z.enum(SYSTEMS))

export const optionEncryptionSchema = exactly<OptionEncryption>()(z.enum(['none', 'aes-128', 'aes-256']))

const goalWeightsSchema = exactly<GoalWeights>()(
  z.object({
    bytes: z.number().min(0).max(1),
    buildSeconds: z.number().min(0).max(1),
    restoreSeconds: z.number().min(0).max(1),
    ramBytes: z.number().min(0).max(1),
    volumes: z.number().min(0).max(1),
    portability: z.number().min(0).max(1),
  }),
)

const NO_LIMITS: OptionLimits = {
  bytes: null,
  volumes: null,
  seconds: null,
  ramBytes: null,
  readableOn: [],
  inPlace: false,
  container: null,
}
const optionLimitsSchema = exactly<OptionLimits>()(
  z.object({
    bytes: bytesSchema.nullable().default(null),
    volumes: countSchema.nullable().default(null),
    seconds: z.number().positive().nullable().default(null),
    ramBytes: bytesSchema.nullable().default(null),
    readableOn: z.array(systemSchema).default([]),
    inPlace: z.boolean().default(false),
    container: z.string().max(64).nullable().default(null),
  }),
)

const shareSchema = z.number().min(0).max(1)

export const optionsRequestSchema = exactly<OptionsRequest>()(
  z.object({
    surveyId: idSchema,
    mediumIds: z.array(mediumIdSchema).min(1).max(8).default([DISK_MEDIUM]),
    goal: goalSchema.default('balanced'),
    weights: goalWeightsSchema.nullable().default(null),
    encryption: optionEncryptionSchema.default('none'),
    protection: shareSchema.default(0),
    limits: optionLimitsSchema.default(NO_LIMITS),
    tableEntryBytes: z.number().int().min(16).max(4096).default(320),
    measurementId: idSchema.nullable().default(null),
    calibrate: z.boolean().default(true),
    withReductions: z.boolean().optional(),
  }),
)

/** A request as a document has it: everything is filled in. */
const filledRequestSchema = optionsRequestSchema as unknown as z.ZodType<OptionsRequest, OptionsRequest>

const readingTaskSchema = exactly<ReadingTask>()(z.enum(['open', 'mount', 'unpack']))

const optionReaderSchema = exactly<OptionReader>()(
  z.object({
    task: readingTaskSchema,
    systems: z.array(systemSchema),
    tool: z.string(),
    since: z.string().nullable(),
    source: z.string(),
  }),
)

const readingWaySchema = exactly<ReadingWay>()(
  z.object({
    task: readingTaskSchema,
    system: systemSchema,
    tool: z.string(),
    since: z.string().nullable(),
    builtIn: z.boolean(),
  }),
)

const optionAllowsSchema = exactly<OptionAllows>()(
  z.object({
    addLater: z.boolean(),
    history: z.boolean(),
    mount: z.boolean(),
    encrypt: z.array(optionEncryptionSchema),
    volumesAlone: z.boolean(),
  }),
)

const optionHereSchema = exactly<OptionHere>()(
  z.object({
    can: z.enum(['restore', 'plan', 'build', 'forecast']),
    because: z.string().nullable(),
  }),
)

const optionRiskSchema = exactly<OptionRisk>()(z.object({ code: z.string(), text: z.string() }))

const optionEstimateSchema = exactly<OptionEstimate>()(
  z.object({
    bytes: estimateSchema,
    volumes: estimateSchema,
    buildSeconds: estimateSchema,
    writeSeconds: estimateSchema,
    verifySeconds: estimateSchema,
    restoreSeconds: estimateSchema,
    fetchSeconds: estimateSchema,
    ramBytes: estimateSchema,
    useRamBytes: estimateSchema,
    cpuSeconds: estimateSchema,
    storedFiles: estimateSchema,
  }),
)
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
const figureRatioSchema = z.object({
  figure: z.enum([...OPTION_FIGURES, 'portability']),
  ratio: z.number().nonnegative(),
})

const optionBandsSchema = exactly<OptionBands>()(
  z.object({
    bytes: bytesSchema,
    whenFull: countSchema,
    inUse: countSchema,
    from: z.enum(['sweep', 'rule']),
    because: z.string(),
  }),
)

const optionSchema = exactly<Option>()(
  z.object({
    id: z.string().max(160),
    variant: z.string(),
    family: z.string(),
    name: z.string(),
    shortName: z.string(),
    container: z.string(),
    reduction: z.string(),
    codec: z.string().nullable(),
    recordBytes: bytesSchema.nullable(),
    dictionaryBytes: bytesSchema.nullable(),
    chunker: z.string().nullable(),
    order: z.string().nullable(),
    encryption: optionEncryptionSchema,
    protection: z.number(),
    medium: mediumIdSchema,
    mediumName: z.string(),
    estimate: optionEstimateSchema,
    access: z.enum(['inPlace', 'mount', 'extract']),
    readers: z.array(optionReaderSchema),
    ways: z.array(readingWaySchema),
    allows: optionAllowsSchema,
    portability: z.number().min(0).max(1),
    risks: z.array(optionRiskSchema),
    notes: z.array(z.string()),
    bands: optionBandsSchema.nullable(),
    pareto: z.boolean(),
    beatenBy: z
      .object({ id: z.string(), figures: z.array(figureRatioSchema), because: z.string() })
      .nullable(),
    breaks: z.array(z.string()),
    build: z.object({ possible: z.boolean(), because: z.string().nullable() }),
    plan: z.object({
      form: z.enum(['plain', 'archive', 'many', 'repository', 'macImage']).nullable(),
      because: z.string().nullable(),
    }),
    here: optionHereSchema,
    score: z.number(),
  }),
)

const impossibleSchema = exactly<Impossible>()(
  z.object({
    because: z.string(),
    nearest: z.string().nullable(),
    relax: z.array(
      z.object({
        limit: z.string(),
        from: z.number().nullable(),
        to: z.number().nullable(),
        text: z.string(),
      }),
    ),
  }),
)

const recommendationSchema = exactly<Recommendation>()(
  z.object({ goal: goalSchema, medium: mediumIdSchema, id: z.string(), because: z.string() }),
)

const targetRatesSchema = exactly<TargetRates>()(
  z.object({
    writeBytesPerSecond: estimateSchema,
    readBytesPerSecond: estimateSchema,
    writeLatencySeconds: estimateSchema,
    readLatencySeconds: estimateSchema,
    measurementId: idSchema.nullable(),
    deviceName: z.string().nullable(),
  }),
)

const calibrationRowSchema = exactly<CalibrationRow>()(
  z.object({
    family: z.string(),
    variant: z.string().nullable(),
    figure: z.enum(['cpuSeconds', 'buildSeconds']),
    factor: z.number().positive(),
    builds: countSchema.min(1),
    spread: z.number().nonnegative(),
  }),
)

const reductionSchema = exactly<Reduction>()(
  z.object({
    variant: z.string(),
    title: z.string(),
    sectorBytes: bytesSchema.nullable(),
    bytes: estimateSchema,
    buildSeconds: estimateSchema,
    table: z.object({ allBytes: bytesSchema, distinctBytes: estimateSchema }).nullable(),
  }),
)

export const optionsDocumentSchema = exactly<OptionsDocument>()(
  z.object({
    schema: z.literal(OPTIONS_SCHEMA),
    createdWallMs: wallMsSchema,
    surveyId: idSchema,
    request: filledRequestSchema,
    source: z.object({
      roots: z.array(pathSchema),
      files: countSchema,
      bytes: bytesSchema,
      partial: z.boolean(),
    }),
    machine: z.object({ system: z.string(), cores: countSchema, memoryBytes: bytesSchema }),
    target: targetRatesSchema,
    calibration: z.array(calibrationRowSchema),
    options: z.array(optionSchema),
    recommended: z.array(recommendationSchema),
    chosen: z.object({ id: z.string(), because: z.string() }).nullable(),
    presets: z.array(z.object({ goal: goalSchema, id: z.string(), because: z.string() })),
    impossible: impossibleSchema.nullable(),
    reductions: z.array(reductionSchema).optional(),
    advice: z.array(z.object({ code: z.string(), text: z.string() })),
    elapsedMs: durationMsSchema,
  }),
)

const candidateSchema = exactly<Candidate>()(
  z.object({
    kind: z.enum(['plain', 'smallest', 'vault']),
    option: optionSchema.nullable(),
    because: z.string(),
  }),
)

/** In the order of the requested media. */
export const mediumCandidatesSchema = z.array(
  exactly<MediumCandidates>()(z.object({ medium: mediumIdSchema, candidates: z.array(candidateSchema) })),
)

export const optionBuildRequestSchema = z.object({
  surveyId: idSchema,
  /** An option's id or a variant's name. */
  optionId: z.string().min(1).max(160),
  /** A file, or a folder for repositories and sets of archives: made by the build. */
  path: pathSchema,
  /** Requirements besides the files; a builder that cannot meet them refuses. */
  encryption: optionEncryptionSchema.default('none'),
  protection: shareSchema.default(0),
  /** Needed with encryption and refused without it. */
  password: optionalPasswordSchema,
  force: z.boolean().default(false),
  /** Remove it again when it has been measured: only the figures are kept. */
  discard: z.boolean().default(false),
  /** Whether the forecast that the build is compared with uses what earlier builds taught. */
  calibrate: z.boolean().default(true),
})
export type OptionBuildRequest = z.infer<typeof optionBuildRequestSchema>

const builtFiguresSchema = z.object({
  bytes: bytesSchema,
  buildSeconds: z.number().nonnegative(),
  ramBytes: bytesSchema.nullable(),
  cpuSeconds: z.number().nonnegative().nullable(),
})

export const optionBuildSchema = exactly<OptionBuild>()(
  z.object({
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
    command: z.string(),
    forecast: z.object({ bytes: estimateSchema, buildSeconds: estimateSchema, ramBytes: estimateSchema }),
    uncalibrated: z.object({
      bytes: z.number(),
      buildSeconds: z.number(),
      ramBytes: z.number(),
      cpuSeconds: z.number().optional(),
    }),
    actual: builtFiguresSchema,
    otherCores: z.number().nonnegative().nullable().optional(),
    sha256: sha256Schema.nullable(),
    notes: z.array(z.string()),
  }),
)

const comparedFigureSchema = exactly<ComparedFigure>()(
  z.object({
    forecast: estimateSchema,
    actual: z.number(),
    error: z.number(),
    uncalibratedError: z.number(),
    held: z.boolean(),
  }),
)

export const compareDocumentSchema = exactly<CompareDocument>()(
  z.object({
    schema: z.literal(COMPARE_SCHEMA),
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
    summary: z.array(
      z.object({
        figure: z.enum(['bytes', 'buildSeconds', 'ramBytes']),
        builds: countSchema,
        medianError: z.number().nonnegative(),
        held: countSchema,
      }),
    ),
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
    times: z.array(
      z.object({
        runId: idSchema,
        startedWallMs: wallMsSchema,
        planId: idSchema,
        volumes: countSchema,
        step: z.enum(['pack', 'build', 'write', 'verify']),
        forecast: estimateSchema,
        actualSeconds: z.number().nonnegative(),
        error: z.number(),
        held: z.boolean(),
      }),
    ),
  }),
)
