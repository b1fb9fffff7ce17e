import type { Estimate } from '../../primitives/estimate'

/** What the estimates take from a survey: the figures of its document, by their names there. */
export interface SurveyFacts {
  readonly totals: {
    readonly files: number
    readonly folders: number
    readonly bytes: number
    readonly symlinks: number
    readonly emptyFiles: number
    readonly hardLinks: number
    readonly sparseBytes: number
    readonly slackBytes: number | null
  }
  readonly fixedBlocks: readonly {
    readonly blockSize: number
    readonly blocks: number
    readonly uniqueBlocks: number
    readonly uniqueBytes: number
    readonly low: number
    readonly high: number
    readonly zeroBytes: number
    readonly exact: boolean
  }[]
  readonly chunked: readonly {
    readonly chunker: string
    readonly chunks: number
    readonly uniqueChunks: number
    readonly uniqueBytes: number
    readonly low: number
    readonly high: number
  }[]
  readonly compression: readonly {
    readonly codec: string
    readonly scope: 'file' | 'record'
    readonly recordSize: number | null
    readonly predictedBytes: number
    readonly low: number
    readonly high: number
    readonly bytesPerSecond: number
    /** Of the codec's own program, where it was timed. */
    readonly toolBytesPerSecond?: number | undefined
    /** Of one core unpacking; absent in surveys of before it was measured. */
    readonly unpackBytesPerSecond?: number | undefined
  }[]
  readonly combined: readonly {
    readonly method: 'deduplicate-compress' | 'compress-deduplicate' | 'zfs'
    readonly codec: string
    readonly recordSize: number | null
    readonly sectorBytes: number
    readonly predictedBytes: number
    readonly low: number
    readonly high: number
    readonly tableEntries: number
    readonly tableEntriesLow: number
    readonly tableEntriesHigh: number
  }[]
  readonly solid: readonly {
    readonly codec: string
    readonly dictionaryBytes: number
    readonly order: string
    readonly predictedBytes: number
    readonly low: number
    readonly high: number
    /** Of one core on streams of that length of what had not been seen before; absent where it is not known. */
    readonly speed?: { readonly bytesPerSecond: number; readonly streamBytes: number } | undefined
    readonly reuse?: ReuseFacts | undefined
  }[]
  readonly grouped: readonly {
    readonly codec: string
    readonly dictionaryBytes: number
    readonly by: 'titles' | 'groups'
    readonly archives: number
    readonly predictedBytes: number
    readonly low: number
    readonly high: number
    /** Archives that differ from all others byte for byte, and their bytes. */
    readonly distinctArchives: number
    readonly distinctBytes: number
    readonly largestBytes: number
    readonly reuse?: ReuseFacts | undefined
  }[]
  readonly fragments: readonly {
    readonly codec: string
    readonly blockSize: number
    readonly predictedBytes: number
    readonly low: number
    readonly high: number
  }[]
  readonly duplicateFiles: { readonly groups: number; readonly files: number; readonly bytes: number }
  readonly sizeHistogram: readonly {
    readonly fromBytes: number
    readonly toBytes: number | null
    readonly files: number
    readonly bytes: number
  }[]
  /** Of the pass: how fast the source could be read. */
  readonly passSeconds: number
  /** The largest file; of the catalog. */
  readonly largestFileBytes: number
  /** The mean length of a path below its root, in bytes; of the catalog. */
  readonly pathBytes: number
}

/** What does not stand within one dictionary before, and what is in patterns such as zeros; all other bytes repeat. */
interface ReuseFacts {
  readonly novelBytes: number
  readonly quietBytes: number
}

/** Rates of the device that the result is written to. */
export interface TargetFacts {
  readonly writeBytesPerSecond: Estimate
  readonly readBytesPerSecond: Estimate
  /** Seconds that one file costs apart from its bytes. */
  readonly writeLatencySeconds: Estimate
  readonly readLatencySeconds: Estimate
}

/** A medium as options know it: capacity null is one volume without a limit. */
export interface MediumFacts {
  readonly id: string
  readonly name: string
  readonly kind: 'image' | 'folder' | 'disk'
  readonly capacityBytes: number | null
  readonly sectorBytes: number
  /** Rates of a drive for it; null: the target's. */
  readonly writeBytesPerSecond: Estimate | null
  readonly readBytesPerSecond: Estimate | null
  /** Seconds for each volume apart from its bytes: lead-in, closing, changing. */
  readonly volumeSeconds: Estimate | null
}

export interface MachineFacts {
  readonly system: 'linux' | 'macos' | 'windows'
  readonly cores: number
  readonly memoryBytes: number
  /**
   * How fast one of its cores is against the one on which the programs' own work was measured (a virtual Xeon of 2.x GHz), as a factor
   * above 1 where it is faster. Absent where that is not known: then the ranges are wider.
   */
  readonly pace?: number | undefined
}

/** What earlier builds of a variant say of its forecasts. */
export interface CalibrationFacts {
  readonly variant: string
  readonly figure: 'bytes' | 'buildSeconds' | 'ramBytes'
  readonly factor: number
  readonly builds: number
  readonly spread: number | null
}

export interface OptionFacts {
  readonly survey: SurveyFacts
  readonly target: TargetFacts
  readonly machine: MachineFacts
  /** Empty where calibration is switched off. */
  readonly calibration: readonly CalibrationFacts[]
  /** Memory of one entry of a deduplication table. */
  readonly tableEntryBytes: number
}
