import type { Estimate } from '../../primitives/estimate'

export type Goal = 'balanced' | 'smallest' | 'fastestBuild' | 'fastestRestore' | 'anywhere' | 'live' | 'own'

/** How much each figure matters, 0 (nothing) to 1; none of them is a share of the others. */
export interface GoalWeights {
  bytes: number
  buildSeconds: number
  restoreSeconds: number
  ramBytes: number
  volumes: number
  portability: number
}

export type OptionEncryption = 'none' | 'aes-128' | 'aes-256'

export type System = 'linux' | 'macos' | 'windows'

/** What an option has to meet; null where there is no limit. The upper end of a figure's range decides. */
export interface OptionLimits {
  bytes: number | null
  volumes: number | null
  /** Building and writing together. */
  seconds: number | null
  /** The most of building and using. */
  ramBytes: number | null
  /** Systems on which it has to be readable with what is free to get. */
  readableOn: System[]
  /** Files must be usable in place, without unpacking. */
  inPlace: boolean
  /** The container, by its permanent name; null: any. */
  container: string | null
}

/** The same with every default filled in, as a document has it. */
export interface OptionsRequest {
  surveyId: string
  /** `disk`, or media of the catalogue. */
  mediumIds: string[]
  goal: Goal
  /** Of the goal `own`; otherwise without meaning. */
  weights: GoalWeights | null
  encryption: OptionEncryption
  /** Redundancy as a share of what is stored: 0.1 is 10 %. */
  protection: number
  limits: OptionLimits
  /** Memory of one entry of a deduplication table. */
  tableEntryBytes: number
  /** The device profile of the target; null: the newest plausible one that was written and read. */
  measurementId: string | null
  /** Whether figures are calibrated with earlier builds. */
  calibrate: boolean
  /** Whether the document has `reductions`. */
  withReductions?: boolean | undefined
}

/** What one reduction makes of the source on a disk. */
export interface Reduction {
  /** The recipe's permanent name. */
  variant: string
  title: string
  /** Of a pool of ZFS; otherwise null. */
  sectorBytes: number | null
  bytes: Estimate
  buildSeconds: Estimate
  /** Memory of the table of blocks: with an entry for every block, and for every distinct one, which is what is needed. */
  table: { allBytes: number; distinctBytes: Estimate } | null
}

/** Rates of the target as the estimates took them. */
export interface TargetRates {
  writeBytesPerSecond: Estimate
  readBytesPerSecond: Estimate
  writeLatencySeconds: Estimate
  readLatencySeconds: Estimate
  measurementId: string | null
  deviceName: string | null
}

export interface CalibrationRow {
  family: string
  /** Null: every variant of the family that has no row of its own. */
  variant: string | null
  figure: 'cpuSeconds' | 'buildSeconds'
  /** What forecasts are multiplied by. */
  factor: number
  builds: number
  /** Relative half-width of the 95 % range of single builds about it. */
  spread: number
}

/** Times in seconds, one after the other: building does not overlap with writing. */
export interface OptionEstimate {
  /** On the medium: container, redundancy and rounding included. */
  bytes: Estimate
  volumes: Estimate
  buildSeconds: Estimate
  /** Onto the medium; 0 where building writes it already. */
  writeSeconds: Estimate
  verifySeconds: Estimate
  /** Everything back as plain files. */
  restoreSeconds: Estimate
  /** One file of the source's mean size, without the time to find and load a volume. */
  fetchSeconds: Estimate
  /** The most while it is built. */
  ramBytes: Estimate
  /** While it is used. */
  useRamBytes: Estimate
  /** Of all cores together while it is built. */
  cpuSeconds: Estimate
  /** How many files lie on the medium. */
  storedFiles: Estimate
}

/** Who can read it: a program and the systems that it runs on. `since` is the oldest version known to read it. */
export interface OptionReader {
  task: ReadingTask
  systems: System[]
  tool: string
  since: string | null
  source: string
}

/** What a person does to use the files: open them in place as in a folder, mount the container first, or unpack it. */
export type ReadingTask = 'open' | 'mount' | 'unpack'

/** One way to read an option on one system. `builtIn`: with the system's own means, otherwise with a free program. */
export interface ReadingWay {
  task: ReadingTask
  system: System
  tool: string
  since: string | null
  builtIn: boolean
}

/** What can be done with an option later, apart from reading it. */
export interface OptionAllows {
  /** Files can be added to what was built, without building it again. Never on write-once discs. */
  addLater: boolean
  /** Earlier states of the files are kept in it. */
  history: boolean
  /** It opens in place or mounts on some system. */
  mount: boolean
  /** Encryption that the format has, whether or not it is requested. */
  encrypt: OptionEncryption[]
  /** Each volume of several is restored without the others. */
  volumesAlone: boolean
}

/**
 * What Stowage can do with an option on this machine: plan, build and `restore` it; `plan` it, with a script that builds it on another
 * system; only `build` it; or only `forecast` it. Only the first two are recommended.
 */
export interface OptionHere {
  can: 'restore' | 'plan' | 'build' | 'forecast'
  /** Why it is not more. */
  because: string | null
}

export interface OptionRisk {
  code: string
  text: string
}

/** The bands of a sparse bundle. */
export interface OptionBands {
  /** Of one band. */
  bytes: number
  /** How many there are when the disk in it is full, and when it holds the source. */
  whenFull: number
  inUse: number
  /** `sweep`: the band sweep of the target disk recommends them; `rule`: the number of bands does. */
  from: 'sweep' | 'rule'
  because: string
}

export interface Option {
  /** Permanent: variant and medium, `7z-solid-64m-content@bd-r-25`. */
  id: string
  /** Permanent names of the registry. */
  variant: string
  family: string
  /** In words. */
  name: string
  /** The kind in two to five words, the same for all variants of a kind. */
  shortName: string
  container: string
  /** none, duplicates, compression, solid, blocks, chunks, blocks+compression, chunks+compression. */
  reduction: string
  codec: string | null
  recordBytes: number | null
  dictionaryBytes: number | null
  chunker: string | null
  /** Of the files in a solid archive. */
  order: string | null
  encryption: OptionEncryption
  protection: number
  medium: string
  mediumName: string
  estimate: OptionEstimate
  /** `inPlace`: open as a folder is; `mount`: after mounting; `extract`: after unpacking what is wanted. */
  access: 'inPlace' | 'mount' | 'extract'
  readers: OptionReader[]
  /** The same by task and system, the easiest first. */
  ways: ReadingWay[]
  allows: OptionAllows
  /** 0 to 1: share of systems that read it with their own means, or half of that with a free program. */
  portability: number
  risks: OptionRisk[]
  notes: string[]
  /** Of a sparse bundle; null for all else. */
  bands: OptionBands | null
  /** True where it is compared and nothing is as good in every figure and better in one. */
  pareto: boolean
  /** Null on the Pareto front, and where it is not compared: it breaks a limit, or Stowage cannot carry it out. */
  beatenBy: {
    id: string
    figures: {
      figure:
        | 'bytes'
        | 'volumes'
        | 'buildSeconds'
        | 'writeSeconds'
        | 'verifySeconds'
        | 'restoreSeconds'
        | 'fetchSeconds'
        | 'ramBytes'
        | 'useRamBytes'
        | 'cpuSeconds'
        | 'storedFiles'
        | 'portability'
      ratio: number
    }[]
    because: string
  } | null
  /** Limits that it does not meet, by the names of `limits`. */
  breaks: string[]
  /** Whether Stowage can build it here, and why not. */
  build: {
    possible: boolean
    because: string | null
  }
  /** What a plan on its medium packs the files into, or why there can be no such plan. */
  plan: {
    form: 'plain' | 'archive' | 'many' | 'repository' | 'macImage' | null
    because: string | null
  }
  here: OptionHere
  /** Lower is better; its place for the goal. */
  score: number
}

/** The best option for a goal on one medium, with the reason in one sentence. */
export interface Recommendation {
  goal: Goal
  medium: string
  id: string
  because: string
}

/** Limits that no option meets: the nearest option, and the limits to relax for it. */
export interface Impossible {
  because: string
  nearest: string | null
  relax: {
    limit: string
    /** In the limit's unit; null where it is not a number. */
    from: number | null
    to: number | null
    text: string
  }[]
}

/** Every way to store a source, as `stowage options --json` prints it. */
export interface OptionsDocument {
  schema: 'stowage.options/1'
  createdWallMs: number
  surveyId: string
  request: OptionsRequest
  source: {
    roots: string[]
    files: number
    bytes: number
    partial: boolean
  }
  machine: {
    system: string
    cores: number
    memoryBytes: number
  }
  target: TargetRates
  calibration: CalibrationRow[]
  /** The chosen one, then by score; then those that cannot be carried out, then those that break a limit. */
  options: Option[]
  /** For every goal the best on each medium, in the order of the request. */
  recommended: Recommendation[]
  /** The best for the goal on all media, with the reason in one sentence; null where nothing meets the limits. */
  chosen: {
    id: string
    because: string
  } | null
  /** The best for every preset. */
  presets: {
    goal: Goal
    id: string
    because: string
  }[]
  impossible: Impossible | null
  /** Every reduction, whatever the media and the limits; only where it was asked for. */
  reductions?: Reduction[] | undefined
  /** What the figures lack, and what to do about it: a measurement, samples. */
  advice: {
    code: string
    text: string
  }[]
  elapsedMs: number
}

/** An option under the name that a person knows it by; without one where there is none, with the reason either way. */
export interface Candidate {
  kind: 'plain' | 'smallest' | 'vault'
  option: Option | null
  because: string
}

/** The candidates on one medium: plain files, the smallest packing, an encrypted vault. */
export interface MediumCandidates {
  medium: string
  candidates: Candidate[]
}

export interface OptionBuild {
  schema: 'stowage.optionBuild/1'
  id: string
  createdWallMs: number
  surveyId: string
  sourceBytes: number
  sourceFiles: number
  roots: string[]
  variant: string
  family: string
  name: string
  path: string
  discarded: boolean
  tool: string
  version: string
  /** What was run, for people. */
  command: string
  /** As it was forecast before, calibrated or not, and without any calibration. */
  forecast: {
    bytes: Estimate
    buildSeconds: Estimate
    ramBytes: Estimate
  }
  uncalibrated: {
    bytes: number
    buildSeconds: number
    ramBytes: number
    /** Absent in older builds. */
    cpuSeconds?: number | undefined
  }
  actual: {
    bytes: number
    buildSeconds: number
    /** Of the program that built it, the most; null where it is unknown. */
    ramBytes: number | null
    /** User and system time of the programs and of Stowage's own threads; null where it is unknown. */
    cpuSeconds: number | null
  }
  /**
   * Mean number of cores that anything else kept busy during the build, or before and after it where the system does not count the
   * programs' time; null where it is unknown, absent in older builds.
   */
  otherCores?: number | null | undefined
  /** Of one file that is the same on every rebuild; null for repositories and folders. */
  sha256: string | null
  /** Parts of the source that are left out or stored in another form, in words. */
  notes: string[]
}

/** One figure of one build: `error` is (forecast - actual) / actual, above 0 where too much was forecast. */
export interface ComparedFigure {
  forecast: Estimate
  actual: number
  error: number
  /** The same without calibration. */
  uncalibratedError: number
  /** Whether the range held the actual figure. */
  held: boolean
}

/** Forecast vs. actual, of everything that was ever built here. */
export interface CompareDocument {
  schema: 'stowage.compare/1'
  /** Newest first. */
  builds: (OptionBuild & {
    errors: {
      bytes: ComparedFigure
      buildSeconds: ComparedFigure
      ramBytes: ComparedFigure | null
    }
  })[]
  calibration: CalibrationRow[]
  /** Medians of the errors' sizes, and how many ranges held. */
  summary: {
    figure: 'bytes' | 'buildSeconds' | 'ramBytes'
    builds: number
    medianError: number
    held: number
  }[]
  /** Discs and images that runs of plans made, forecast vs. actual: sectors are exact. */
  runs: {
    runId: string
    startedWallMs: number
    planId: string
    volumes: number
    forecastSectors: number
    actualSectors: number
  }[]
  /** Steps of builds, writes and verifications of plans, newest first. */
  times: {
    runId: string
    startedWallMs: number
    planId: string
    volumes: number
    step: 'pack' | 'build' | 'write' | 'verify'
    forecast: Estimate
    actualSeconds: number
    /** Of the forecast, relative to the actual time. */
    error: number
    held: boolean
  }[]
}
