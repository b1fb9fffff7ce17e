import { z } from 'zod'
import { priceSchema } from '../media/price'
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
} from '../scalars'
import { unreadSchema } from '../survey/surveyDocument'
import { MOST_NAMED, NAMEABLE } from '../survey/typeCompression'

export const OPTIONS_SCHEMA = 'stowage.options/1'
export const OPTION_BUILD_SCHEMA = 'stowage.optionBuild/1'
export const COMPARE_SCHEMA = 'stowage.compare/1'

/**
 * The medium of options that are not divided: one volume without a limit, on the device of the
 * profile.
 */
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
const goalSchema = z.enum(GOALS)
export type Goal = z.infer<typeof goalSchema>

export const SYSTEMS = ['linux', 'macos', 'windows'] as const
const systemSchema = z.enum(SYSTEMS)
export type System = z.infer<typeof systemSchema>

export const optionEncryptionSchema = z.enum(['none', 'aes-128', 'aes-256'])
export type OptionEncryption = z.infer<typeof optionEncryptionSchema>

/** How much each figure matters, 0 (nothing) to 1; none of them is a share of the others. */
const goalWeightsSchema = z.object({
  bytes: z.number().min(0).max(1),
  volumes: z.number().min(0).max(1),
  /** Building and writing count as one time. */
  buildSeconds: z.number().min(0).max(1),
  restoreSeconds: z.number().min(0).max(1),
  /** The most of building and using. */
  ramBytes: z.number().min(0).max(1),
  portability: z.number().min(0).max(1),
})
export type GoalWeights = z.infer<typeof goalWeightsSchema>
/** The figures that people weigh against each other. */
export const MERITS = goalWeightsSchema.keyof().options

const NO_LIMITS: OptionLimits = {
  bytes: null,
  volumes: null,
  seconds: null,
  ramBytes: null,
  readableOn: [],
  inPlace: false,
  container: null,
}

/**
 * The limits that an option has to meet; null where there is none. The upper end of a figure's
 * range decides.
 */
const optionLimitsSchema = z.object({
  bytes: bytesSchema.nullable().default(null),
  volumes: countSchema.nullable().default(null),
  /** Building and writing together. */
  seconds: z.number().positive().nullable().default(null),
  /** The most of building and using. */
  ramBytes: bytesSchema.nullable().default(null),
  /** Systems on which it has to be readable with what is free to get. */
  readableOn: z.array(systemSchema).default([]),
  /** Files must be usable in place, without unpacking. */
  inPlace: z.boolean().default(false),
  /** The container, by its permanent name; null: any. */
  container: z.string().max(64).nullable().default(null),
})
export type OptionLimits = z.infer<typeof optionLimitsSchema>

export const shareSchema = z.number().min(0).max(1)

/** The same with every default filled in, as a document has it. */
export const optionsRequestSchema = z.object({
  surveyId: idSchema,
  /** `disk`, or media of the catalogue. */
  mediumIds: z.array(mediumIdSchema).min(1).max(8).default([DISK_MEDIUM]),
  goal: goalSchema.default('balanced'),
  /** The weights of the goal `own`; otherwise without meaning. */
  weights: goalWeightsSchema.nullable().default(null),
  encryption: optionEncryptionSchema.default('none'),
  /** Redundancy as a share of what is stored: 0.1 is 10 %. */
  protection: shareSchema.default(0),
  limits: optionLimitsSchema.default(NO_LIMITS),
  /** Memory of one entry of a deduplication table. */
  /** Types of files that are stored as they are; options that cannot do that are refused. */
  storeAsIs: z.array(z.string().regex(NAMEABLE)).max(MOST_NAMED).optional(),
  tableEntryBytes: z.number().int().min(16).max(4096).default(320),
  /** The device profile of the target; null: the newest plausible one that was written and read. */
  measurementId: idSchema.nullable().default(null),
  /** Without meaning: earlier versions multiplied times by factors from earlier builds. */
  calibrate: z.boolean().default(false),
  /** The prices that the person has noted, of any media. */
  prices: z.array(priceSchema).max(200).optional(),
  /** The permanent name of an option by folder, which is listed too. */
  byFolder: z.string().min(1).max(1000).optional(),
  /** True: the document has `reductions`. */
  withReductions: z.boolean().optional(),
})
export type OptionsRequest = z.infer<typeof optionsRequestSchema>

/** A request as a document has it: everything is filled in. */
const filledRequestSchema = optionsRequestSchema as unknown as z.ZodType<OptionsRequest, OptionsRequest>

/**
 * The action that gives access to the files: open them in place as in a folder, mount the container
 * first, or unpack it.
 */
const readingTaskSchema = z.enum(['open', 'mount', 'unpack'])
export type ReadingTask = z.infer<typeof readingTaskSchema>

/**
 * Who can read it: a program and the systems that it runs on. `since` is the oldest version known
 * to read it.
 */
const optionReaderSchema = z.object({
  task: readingTaskSchema,
  systems: z.array(systemSchema),
  tool: z.string(),
  since: z.string().nullable(),
  source: z.string(),
})

/**
 * One way to read an option on one system. `builtIn`: with the system's own means, otherwise with a
 * free program.
 */
const readingWaySchema = z.object({
  task: readingTaskSchema,
  system: systemSchema,
  tool: z.string(),
  since: z.string().nullable(),
  builtIn: z.boolean(),
})
export type ReadingWay = z.infer<typeof readingWaySchema>

/** The later uses of an option, apart from reading it. */
const optionAllowsSchema = z.object({
  /** Files can be added to what was built, without building it again. Never on write-once discs. */
  addLater: z.boolean(),
  /** Earlier states of the files are kept in it. */
  history: z.boolean(),
  /** It opens in place or mounts on some system. */
  mount: z.boolean(),
  /** Encryption that the format has, whether or not it is requested. */
  encrypt: z.array(optionEncryptionSchema),
  /** Each volume of several is restored without the others. */
  volumesAlone: z.boolean(),
})
export type OptionAllows = z.infer<typeof optionAllowsSchema>

/**
 * The actions that Stowage has for an option on this machine: plan, build and `restore` it; `plan`
 * it, with a script that builds it on another system; only `build` it; or only `forecast` it. Only
 * the first two are recommended.
 */
const optionHereSchema = z.object({
  can: z.enum(['restore', 'plan', 'build', 'forecast']),
  /** Why it is not more. */
  because: z.string().nullable(),
})
export type OptionHere = z.infer<typeof optionHereSchema>

const optionRiskSchema = z.object({ code: z.string(), text: z.string() })
export type OptionRisk = z.infer<typeof optionRiskSchema>

/** Times in seconds, one after the other: building does not overlap with writing. */
const optionEstimateSchema = z.object({
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
  /** The time of all cores together while it is built. */
  cpuSeconds: estimateSchema,
  /** How many files lie on the medium. */
  storedFiles: estimateSchema,
})
export type OptionEstimate = z.infer<typeof optionEstimateSchema>

export const OPTION_FIGURES = optionEstimateSchema.keyof().options

/**
 * One figure of two options: `ratio` is the other's over this one's, below 1 where the other is
 * better.
 */
const figureRatioSchema = z.object({
  figure: z.enum([...OPTION_FIGURES, 'portability']),
  ratio: z.number().nonnegative(),
})

/** The bands of a sparse bundle. */
const optionBandsSchema = z.object({
  /** The size of one band. */
  bytes: bytesSchema,
  /** How many there are when the disk in it is full, and when it holds the source. */
  whenFull: countSchema,
  inUse: countSchema,
  /**
   * `sweep`: the band sweep of the target disk recommends them; `rule`: the number of bands does.
   */
  from: z.enum(['sweep', 'rule']),
  because: z.string(),
})
export type OptionBands = z.infer<typeof optionBandsSchema>

const optionSchema = z.object({
  /** Permanent: variant and medium, `7z-solid-64m-content@bd-r-25`. */
  id: z.string().max(1160),
  /** Permanent names of the registry. */
  variant: z.string(),
  family: z.string(),
  /** In words. */
  name: z.string(),
  /** The kind in two to five words, the same for all variants of a kind. */
  shortName: z.string(),
  container: z.string(),
  /**
   * none, duplicates, compression, solid, blocks, chunks, blocks+compression, chunks+compression.
   */
  reduction: z.string(),
  codec: z.string().nullable(),
  recordBytes: bytesSchema.nullable(),
  dictionaryBytes: bytesSchema.nullable(),
  chunker: z.string().nullable(),
  /** The order of the files in a solid archive. */
  order: z.string().nullable(),
  encryption: optionEncryptionSchema,
  protection: z.number(),
  medium: mediumIdSchema,
  mediumName: z.string(),
  estimate: optionEstimateSchema,
  /** All volumes of one copy, by the price of the medium; absent without one. */
  cost: z
    .object({
      value: z.number().nonnegative(),
      low: z.number().nonnegative(),
      high: z.number().nonnegative(),
      price: priceSchema,
    })
    .optional(),
  /**
   * `inPlace`: open as a folder is; `mount`: after mounting; `extract`: after unpacking what is
   * wanted.
   */
  access: z.enum(['inPlace', 'mount', 'extract']),
  readers: z.array(optionReaderSchema),
  /** The same by task and system, the easiest first. */
  ways: z.array(readingWaySchema),
  allows: optionAllowsSchema,
  /**
   * 0 to 1: share of systems that read it with their own means, or half of that with a free
   * program.
   */
  portability: z.number().min(0).max(1),
  risks: z.array(optionRiskSchema),
  notes: z.array(z.string()),
  /** The bands of a sparse bundle; null for all else. */
  bands: optionBandsSchema.nullable(),
  /** True where it is compared and nothing is as good in every figure and better in one. */
  pareto: z.boolean(),
  /**
   * Null on the Pareto front, and where it is not compared: it breaks a limit, or Stowage cannot
   * carry it out.
   */
  beatenBy: z.object({ id: z.string(), figures: z.array(figureRatioSchema), because: z.string() }).nullable(),
  /** Limits that it does not meet, by the names of `limits`. */
  breaks: z.array(z.string()),
  /** If Stowage can build it here, and the reason why it cannot. */
  build: z.object({ possible: z.boolean(), because: z.string().nullable() }),
  /** The form in which a plan on its medium packs the files, or why there can be no such plan. */
  plan: z.object({
    form: z.enum(['plain', 'archive', 'many', 'repository', 'macImage']).nullable(),
    because: z.string().nullable(),
  }),
  here: optionHereSchema,
  /** Lower is better; its place for the goal. */
  score: z.number(),
})
export type Option = z.infer<typeof optionSchema>

/** Limits that no option meets: the nearest option, and the limits to relax for it. */
const impossibleSchema = z.object({
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

/** The best option for a goal on one medium, with the reason in one sentence. */
const recommendationSchema = z.object({
  goal: goalSchema,
  medium: mediumIdSchema,
  id: z.string(),
  because: z.string(),
})
export type Recommendation = z.infer<typeof recommendationSchema>

/** Rates of the target as the estimates took them. */
const targetRatesSchema = z.object({
  writeBytesPerSecond: estimateSchema,
  readBytesPerSecond: estimateSchema,
  writeLatencySeconds: estimateSchema,
  readLatencySeconds: estimateSchema,
  measurementId: idSchema.nullable(),
  deviceName: z.string().nullable(),
})
export type TargetRates = z.infer<typeof targetRatesSchema>

const calibrationRowSchema = z.object({
  family: z.string(),
  /** Null: every variant of the family that has no row of its own. */
  variant: z.string().nullable(),
  figure: z.enum(['cpuSeconds', 'buildSeconds']),
  /** The factor of forecasts. */
  factor: z.number().positive(),
  builds: countSchema.min(1),
  /** Relative half-width of the 95 % range of single builds about it. */
  spread: z.number().nonnegative(),
})

/** The result of one reduction of the source on a disk. */
const reductionSchema = z.object({
  /** The recipe's permanent name. */
  variant: z.string(),
  title: z.string(),
  /** The sector size of a pool of ZFS; otherwise null. */
  sectorBytes: bytesSchema.nullable(),
  bytes: estimateSchema,
  buildSeconds: estimateSchema,
  /**
   * Memory of the table of blocks: with an entry for every block, and for every distinct one, which
   * is what is needed.
   */
  table: z.object({ allBytes: bytesSchema, distinctBytes: estimateSchema }).nullable(),
})
export type Reduction = z.infer<typeof reductionSchema>

/** Every way to store a source, as `stowage options --json` prints it. */
export const optionsDocumentSchema = z.object({
  schema: z.literal(OPTIONS_SCHEMA),
  createdWallMs: wallMsSchema,
  surveyId: idSchema,
  request: filledRequestSchema,
  source: z.object({
    roots: z.array(pathSchema),
    files: countSchema,
    bytes: bytesSchema,
    partial: z.boolean(),
    /** As the survey has it; absent where it is whole. */
    unread: unreadSchema.optional(),
  }),
  machine: z.object({ system: z.string(), cores: countSchema, memoryBytes: bytesSchema }),
  target: targetRatesSchema,
  /** Empty: factors that earlier versions multiplied times by. */
  calibration: z.array(calibrationRowSchema),
  /**
   * The chosen one, then by score; then those that cannot be carried out, then those that break a
   * limit.
   */
  options: z.array(optionSchema),
  /** For every goal the best on each medium, in the order of the request. */
  recommended: z.array(recommendationSchema),
  /**
   * The best for the goal on all media, with the reason in one sentence; null where nothing meets
   * the limits.
   */
  chosen: z.object({ id: z.string(), because: z.string() }).nullable(),
  /** The best for every preset. */
  presets: z.array(z.object({ goal: goalSchema, id: z.string(), because: z.string() })),
  impossible: impossibleSchema.nullable(),
  /** Every reduction, whatever the media and the limits; only where it was asked for. */
  reductions: z.array(reductionSchema).optional(),
  /**
   * Present where the figures are those of a look at the source: what it has read, and how long a
   * survey would take; and the goals that only a survey decides, whose best option is that of what
   * a look knows.
   */
  preliminary: z
    .object({ readBytes: bytesSchema, surveySeconds: estimateSchema, undecided: z.array(goalSchema) })
    .optional(),
  /** The gaps of the figures, and how to fill them: a measurement, samples. */
  advice: z.array(z.object({ code: z.string(), text: z.string() })),
  elapsedMs: durationMsSchema,
})
export type OptionsDocument = z.infer<typeof optionsDocumentSchema>

/** The figures in which a person notices a gain, the most noticed first. */
export const NOTICED_GAINS = [
  'volumes',
  'bytes',
  'portability',
  'buildSeconds',
  'restoreSeconds',
] as const satisfies readonly (typeof MERITS)[number][]
export type NoticedGain = (typeof NOTICED_GAINS)[number]

/**
 * An option under the name that a person knows it by; without one where there is none, with the
 * reason either way.
 */
const candidateSchema = z.object({
  kind: z.enum(['best', 'plain', 'smallest', 'vault']),
  option: optionSchema.nullable(),
  because: z.string(),
  /** True for the recommended option for the goal of the request. */
  recommended: z.boolean(),
  /** The first noticeable gain over the plain files of the same list; null where there is none. */
  gain: z.enum(NOTICED_GAINS).nullable(),
})
export type Candidate = z.infer<typeof candidateSchema>

/**
 * The candidates on one medium: plain files, the smallest packing, an encrypted vault, and what is
 * recommended if it is none.
 */
export const mediumCandidatesSchema = z.object({
  medium: mediumIdSchema,
  candidates: z.array(candidateSchema),
})
export type MediumCandidates = z.infer<typeof mediumCandidatesSchema>

const builtFiguresSchema = z.object({
  bytes: bytesSchema,
  buildSeconds: z.number().nonnegative(),
  /** The peak memory of the program that built it; null where it is unknown. */
  ramBytes: bytesSchema.nullable(),
  /**
   * User and system time of the programs and of Stowage's own threads; null where it is unknown.
   */
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
  /** The command, for people. */
  command: z.string(),
  /**
   * As it was forecast before; `uncalibrated` differs from it only in builds of earlier versions.
   */
  forecast: z.object({ bytes: estimateSchema, buildSeconds: estimateSchema, ramBytes: estimateSchema }),
  uncalibrated: z.object({
    bytes: z.number(),
    buildSeconds: z.number(),
    ramBytes: z.number(),
    /** Absent in older builds. */
    cpuSeconds: z.number().optional(),
  }),
  actual: builtFiguresSchema,
  /**
   * Mean number of cores that anything else kept busy during the build; null but in builds of
   * earlier versions.
   */
  otherCores: z.number().nonnegative().nullable().optional(),
  /**
   * The digest of one file that is the same on every rebuild; null for repositories and folders.
   */
  sha256: sha256Schema.nullable(),
  /** Parts of the source that are left out or stored in another form, in words. */
  notes: z.array(z.string()),
})
export type OptionBuild = z.infer<typeof optionBuildSchema>

/**
 * One figure of one build: `error` is (forecast - actual) / actual, above 0 where too much was
 * forecast.
 */
const comparedFigureSchema = z.object({
  forecast: estimateSchema,
  actual: z.number(),
  error: z.number(),
  /**
   * As `error`, but in builds of earlier versions: without the factors that times were multiplied
   * by.
   */
  uncalibratedError: z.number(),
  /** True when the range held the actual figure. */
  held: z.boolean(),
})
export type ComparedFigure = z.infer<typeof comparedFigureSchema>

/** Forecast vs. actual, of everything that was ever built here. */
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
  /** Discs and images that runs of plans made, forecast vs. actual: sectors are exact. */
  runs: z.array(
    z.object({
      runId: idSchema,
      startedWallMs: wallMsSchema,
      planId: idSchema,
      volumes: countSchema,
      /** The sector of its medium; that of a disc where the plan was removed. */
      sectorBytes: bytesSchema,
      forecastSectors: countSchema,
      actualSectors: countSchema,
    }),
  ),
  /** Steps of builds, writes and verifications of plans, newest first. */
  times: z.array(
    z.object({
      runId: idSchema,
      startedWallMs: wallMsSchema,
      planId: idSchema,
      volumes: countSchema,
      step: z.enum(['pack', 'build', 'write', 'verify']),
      forecast: estimateSchema,
      actualSeconds: z.number().nonnegative(),
      /** The error of the forecast, relative to the actual time. */
      error: z.number(),
      held: z.boolean(),
    }),
  ),
})
export type CompareDocument = z.infer<typeof compareDocumentSchema>
