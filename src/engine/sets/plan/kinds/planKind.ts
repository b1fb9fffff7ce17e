import type { PlanDocument, PlanRequest, PlanTimes } from '../../../../contract/dto/plan'
import type { SurveyDocument } from '../../../../contract/dto/survey'
import type { Medium } from '../../../../domain/media/medium'
import type { FirstMedia } from '../../../../domain/sets/mixedMedia'
import type { Assignment, InventoryItem } from '../../../../domain/sets/packing/inventory'
import type { PackingPlacement } from '../../../../domain/sets/packing/placedTrees'
import type { Placement } from '../../../../domain/sets/placement'
import type { ParityDisc } from '../../../../domain/sets/protection/setParity'
import type { PlaceNotes } from '../../../files/scratch'
import type { SourceEntries } from '../../../survey/sourceEntries'
import type { PlanBeforeSizing } from '../../volume/lists/planBeforeSizing'
import type { BurnsCatalog } from '../earlierBurns'
import type { OpenedEarlier } from '../earlierPlan'
import type { Layout } from '../layoutVolumes'
import type { PackingCatalog } from '../packedPlan'
import type { PlanLines } from '../planLines'

/** A plan as it is asked for, before its source is read. */
export interface AskedPlan {
  readonly request: PlanRequest
  readonly medium: Medium
  readonly media: FirstMedia
  readonly survey: SurveyDocument
  /** The plan that it adds to; null for one that holds everything. */
  readonly earlier: OpenedEarlier | null
  readonly labelPrefix: string
  readonly catalog: PackingCatalog & BurnsCatalog & PlaceNotes
  readonly signal: AbortSignal
}

/** The source of a plan, with the person's constraints on where it lies. */
export interface PlacedContent {
  readonly source: SourceEntries
  readonly placement: Placement | undefined
  /** The part of it that decides where files lie; absent where it does not. */
  readonly placing?: PackingPlacement | undefined
}

/** The facts that a layout follows from, besides the source. */
export interface Laying {
  readonly plan: PlanBeforeSizing
  /** The medium as data may fill it: with parity, a smaller one than asked for. */
  readonly medium: Medium
  /** The name of Stowage's own folder on the volumes. */
  readonly payloadName: string
  readonly lines: PlanLines
  /** As that of `layoutVolumes`. */
  readonly onProgress: (round: number, sized: number, volumes: number) => void
}

/**
 * A kind of plans: plain files, or packed ones. It answers what kinds have different answers to,
 * so that nothing else asks which kind a plan is; growth and parity are the same for all kinds.
 */
export interface PlanKind {
  /** The facts in the plan's document that only this kind has. */
  readonly facts: Pick<PlanDocument, 'packing' | 'equalFiles'>
  /** True where files may be split, so that parts of them are hashed. */
  readonly splitsFiles: boolean
  /**
   * The kind of a plan that adds new items to earlier ones.
   * @throws AppError `nothing-to-do` where these alone make no plan of this kind
   */
  ofNew(items: readonly InventoryItem[], all: readonly InventoryItem[]): PlanKind
  /** The items as they are packed, once digests are known. */
  items(placed: PlacedContent, files: ReadonlyMap<number, string>): readonly InventoryItem[]
  readonly layout: {
    /**
     * Lays out before the source is read for its digests, so that what cannot be is refused first;
     * null where digests are needed. A plan that adds to none takes this layout.
     * @throws AppError as `layOut`
     */
    beforeDigests(placed: PlacedContent, medium: Medium): Promise<Layout | null>
    /** @throws AppError `cannot-fit`, `refused`, `nothing-to-do`, `cancelled`, … */
    layOut(placed: PlacedContent, laying: Laying): Promise<Layout>
  }
  readonly lines: {
    /** @throws AppError `not-found` where the survey lacks what they need */
    of(source: SourceEntries, files: ReadonlyMap<number, string>): PlanLines
    /** The order of the files of a volume in its list. */
    inOrder(): (all: readonly Assignment[]) => readonly Assignment[]
  }
  readonly problems: {
    ofNames(source: SourceEntries): PlanDocument['problems']
    ofVolumes(
      layout: Layout,
      plan: Pick<PlanDocument, 'volumes' | 'totals' | 'placement' | 'parity'>,
    ): PlanDocument['problems']
  }
  /** The times of the plan; null where nothing can be said of them. */
  times(layout: Layout, source: SourceEntries, parity: readonly ParityDisc[]): Promise<PlanTimes | null>
}
