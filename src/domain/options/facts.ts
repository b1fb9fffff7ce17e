import type { Estimate } from '../../primitives/estimate'
import type { BandEncryption, BandKind } from '../devices/bandKind'
import type { BandSweepDocument } from '../devices/bands/sweepDocument'
import type { RomLayout } from '../survey/romLayout'
import type { Fragments, Grouped, SurveyDocument } from '../survey/surveyDocument'
import type { FolderPart } from './folderParts'
import type { RecipeOf } from './recipes/recipe'

/**
 * The part of a survey that estimates use: the figures of its document, and three that older
 * documents lack in this form.
 */
export interface SurveyFacts
  extends Readonly<
    Pick<
      SurveyDocument,
      | 'totals'
      | 'fixedBlocks'
      | 'chunked'
      | 'compression'
      | 'combined'
      | 'solid'
      | 'duplicateFiles'
      | 'sizeHistogram'
      | 'types'
    >
  > {
  readonly grouped: readonly Grouped[]
  /** How the DATs of the groups lay out ROM sets; null where they differ or do not say. */
  readonly romLayout: RomLayout | null
  /** Files that ROM sets need and that lie with another one alone. */
  readonly lentFiles: number
  readonly fragments: readonly Fragments[]
  /** Duration of the pass: how fast the source could be read. */
  readonly passSeconds: number
  /** Size of the largest file; its bin's upper end in older surveys. */
  readonly largestFileBytes: number
  /** Mean length of a path below its root, in bytes. */
  readonly pathBytes: number
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
   * How fast one of its cores is against the one on which the programs' own work was measured (a
   * virtual Xeon of 2.x GHz), as a factor above 1 where it is faster. Absent where that is not
   * known: then the ranges are wider.
   */
  readonly pace?: number | undefined
}

/** Rates measured inside a fresh container on the target's disk. */
export interface ContainerRates {
  readonly id: string
  readonly createdWallMs: number
  readonly kind: BandKind
  readonly encryption: BandEncryption
  readonly bandSize: number | null
  readonly writeBytesPerSecond: Estimate
  readonly readBytesPerSecond: Estimate
}

/** The files of a source by the options that rules give them to. */
export interface FolderFacts {
  readonly recipe: RecipeOf<'by-folder'>
  /** Those of each option with files. */
  readonly parts: readonly FolderPart[]
  /** The patterns of rules that no file is left for. */
  readonly unused: readonly string[]
}

export interface OptionFacts {
  readonly survey: SurveyFacts
  readonly target: TargetFacts
  readonly machine: MachineFacts
  /** The newest plausible band sweep of the target's disk; absent or null where there is none. */
  readonly sweep?: BandSweepDocument | null
  /** Plausible measurements inside containers on that disk; absent where there are none. */
  readonly containers?: readonly ContainerRates[]
  /** Absent or null where no rules by folder are given. */
  readonly folders?: FolderFacts | null
  /** Memory of one entry of a deduplication table. */
  readonly tableEntryBytes: number
}
