/**
 * The room `catalog` keeps surveys, measurements, plans, runs and copies in one SQLite database.
 * How: `openCatalog` brings its schema up to date by numbered migrations, with a write-ahead log;
 * `stores` has the rows of each subject.
 * Not here: shapes of documents and rules about them (`src/domain`).
 */

import type {
  FoundFile,
  PlanDocument,
  PlanEntry,
  PlanListItem,
  PlanSearch,
  PlanSearchRequest,
  PlanVolume,
  VolumeFolder,
  VolumeFolderRequest,
} from '../../contract/dto/plan'
import type {
  DuplicateGroup,
  GroupedBy,
  MissingSha256,
  Skipped,
  SurveyDocument,
  SurveyListItem,
} from '../../contract/dto/survey'
import type { ProjectPlan } from '../../domain/sets/projectPlan'
import type { PlaceStore } from '../files/scratch'
import type { FileRow, FileSha256, NewEntry, NumberedFile, SurveyEntry } from './entry'
import type { EntryCells } from './entryCells'
import type { HeldFiles, HeldVolumes } from './heldFile'
import type { Removed } from './removable'
import type { SourceEntry } from './sourceFiles'
import type { ArchiveStore } from './stores/archiveStore'
import type { AskedStore } from './stores/askedStore'
import type { CheckIntervals } from './stores/checkIntervals'
import type { DrillStore } from './stores/drillStore'
import type { EventStore } from './stores/eventStore'
import type { IdentityStore } from './stores/identityStore'
import type { MeasureStore } from './stores/measureStore'
import type { OptionStore } from './stores/optionStore'
import type { StoredHistoryLine } from './stores/planHistory'
import type { VerifiedFiles } from './verifiedFile'

/** The groupings of files that only the survey knows; titles follow from names. */
export type FileGrouping = Exclude<GroupedBy, 'titles'>

/**
 * Files of groups: the ids of their entries, in the order of root and path, and the number of each
 * one's group.
 */
export interface GroupedIds {
  readonly ids: Uint32Array
  readonly groups: Uint32Array
  /** Names of groups by their numbers; absent where they have none, as groups of shared data. */
  readonly names?: readonly string[]
}

/** The forecast of what each file adds to its archive, by the IDs of their entries. */
export interface FileForecasts {
  readonly ids: Uint32Array
  readonly bytes: Float32Array
}

/**
 * Receives a survey's entries while the pass goes on; nothing is visible to readers until `finish`.
 */
export interface SurveyWriter {
  add(entries: Iterable<NewEntry>): void
  /**
   * Adds those of the entries that their cells describe completely: files that were read, folders,
   * further names of files.
   */
  addCells(entries: EntryCells): void
  skip(skipped: Skipped): void
  /**
   * To be called once all entries are added, if some are further names of files: decides which name
   * is the file. Gives the further names' bytes.
   */
  linkNames(): number
  /**
   * Stores what is known while the pass still runs: if the process ends now, this is the survey,
   * with its first `entries` entries. Their contents must be in the survey's sketch on disk by
   * then.
   */
  checkpoint(document: SurveyDocument, entries: number): void
  /** Records that the sketch on disk holds the contents of the survey's first `entries` entries. */
  sketched(entries: number): void
  /** Keeps an order of files, by the ids of their entries. After the last `add` and `linkNames`. */
  contentOrder(ids: Uint32Array): void
  /**
   * Keeps groups of files. After the last `add` and `linkNames`. What they do not name is a group
   * of its own.
   */
  fileGroups(by: FileGrouping, groups: GroupedIds): void
  /** Keeps the bytes that each file adds to its archive. After the last `add` and `linkNames`. */
  packedFiles(by: GroupedBy, packed: FileForecasts): void
  /** Makes the survey visible. May be called again with more figures. */
  finish(document: SurveyDocument): void
  /** Throws away what was added. Safe after `finish`, where it does nothing. */
  discard(): void
}

/**
 * The engine's memory. One writer, in this process; every change is a transaction, so a killed
 * engine leaves old or new.
 */
export interface Catalog
  extends MeasureStore,
    OptionStore,
    PlaceStore,
    EventStore,
    CheckIntervals,
    AskedStore,
    ArchiveStore,
    DrillStore,
    IdentityStore {
  /** `earlierId` names the survey that entries with a `trustedEntry` are known from. */
  beginSurvey(surveyId: string, earlierId?: string): SurveyWriter
  /**
   * Surveys of exactly these roots, the newest first, and how many of their entries their sketch
   * holds (0 without one).
   */
  earlierSurveys(roots: readonly string[]): { surveyId: string; sketchedEntries: number }[]
  /**
   * Files that the sketch knows among the entries `from` (included) to `to`, last changed before a
   * time. For slices, not for all at once.
   */
  fileRows(surveyId: string, from: number, to: number, beforeNs: bigint): FileRow[]
  /** The files that the pass numbered, in the order in which they were met. */
  numberedFiles(surveyId: string): IterableIterator<NumberedFile>
  /** The roots of all surveys, each once. */
  surveyedRoots(): string[]
  /** The IDs of all surveys, also those that are being made, and of the latter alone. */
  surveyIds(): { readonly all: ReadonlySet<string>; readonly open: ReadonlySet<string> }
  /** @throws AppError `not-found`; `catalog-broken` for a survey whose document is damaged */
  survey(surveyId: string): SurveyDocument
  /**
   * The same, but null for a survey whose document is damaged, which is noted once. @throws
   * AppError `not-found`
   */
  readableSurvey(surveyId: string): SurveyDocument | null
  /** Newest first, without those whose document is damaged, which are noted once. */
  surveys(): SurveyListItem[]
  /** Entries in the order of root and path (bytewise), folders before what they hold. */
  surveyEntries(surveyId: string): IterableIterator<SurveyEntry>
  /**
   * The same with less of each, in the order in which they were met. @throws AppError `not-found`
   */
  sourceFiles(surveyId: string, withTimes?: boolean): IterableIterator<SourceEntry>
  /**
   * The files in the order in which a solid archive of them is smallest; null if the survey has not
   * looked for it. @throws AppError `not-found`
   */
  contentOrder(surveyId: string): IterableIterator<SurveyEntry> | null
  /** The same order by the ids of the entries. @throws AppError `not-found` */
  contentOrderIds(surveyId: string): Uint32Array | null
  /**
   * The files group by group, in each by their paths (bytewise); null if the survey has not looked
   * for such groups.
   * @throws AppError `not-found`
   */
  fileGroups(surveyId: string, by: FileGrouping): IterableIterator<readonly SurveyEntry[]> | null
  /** The same by the ids of the entries. @throws AppError `not-found` */
  fileGroupIds(surveyId: string, by: FileGrouping): GroupedIds | null
  /**
   * The bytes that each file adds to its archive, without lists; null if the survey has no such
   * forecast.
   * @throws AppError `not-found`
   */
  packedFiles(surveyId: string, by: GroupedBy): FileForecasts | null
  /**
   * The entries that the survey could not read, in the order they were met: all, or at most `limit`
   * from the `offset`-th on.
   */
  surveySkips(surveyId: string, offset?: number, limit?: number): IterableIterator<Skipped>
  /**
   * Notes that a person knows of the silent changes that a survey names.
   * @throws AppError `not-found`, `nothing-to-do` where it names none
   */
  acknowledgeChanges(surveyId: string, nowWallMs: number): void
  /** Files that have content and no SHA-256. @throws AppError `not-found` */
  missingSha256(surveyId: string): MissingSha256
  /**
   * Adds SHA-256 that was computed after the survey, in one transaction; what the survey has stays.
   * Does nothing for a survey that was removed meanwhile.
   * @param everyFile no file with content is without it now: the survey's document says so from
   *   then on
   */
  keepSha256(surveyId: string, digests: Iterable<FileSha256>, everyFile: boolean): void
  /** Groups of files with the same content, those first whose copies occupy the most. */
  duplicateFiles(surveyId: string, limit: number): DuplicateGroup[]
  /**
   * Stores a plan with every entry of each volume, in one transaction.
   * @param withdrawn stores it as `withdrawPlan` leaves it
   * @param history what its index says of the earlier plans that it adds to
   */
  savePlan(
    document: PlanDocument,
    volumes: Iterable<{ index: number; entries: Iterable<PlanEntry> }>,
    withdrawn?: boolean,
    history?: Iterable<StoredHistoryLine>,
  ): void
  /** @throws AppError `not-found`; `catalog-broken` for a plan whose document is damaged */
  plan(planId: string): PlanDocument
  /** Newest first, without those whose document is damaged, which are noted once. */
  plans(): PlanListItem[]
  /** The same plans with their documents, in the same order. */
  listedPlans(): { readonly item: PlanListItem; readonly plan: PlanDocument }[]
  /** Those of a project, newest first. */
  projectPlans(projectId: string): ProjectPlan[]
  /** The volumes of all plans, with their labels. */
  planVolumeLabels(): { planId: string; volume: number; label: string }[]
  planEntries(planId: string, volumeIndex: number): IterableIterator<PlanEntry>
  /** The lines that its index has of earlier plans, in their order. */
  planHistory(planId: string): IterableIterator<string>
  /** A page of what lies in a folder of a volume of a plan. @throws AppError `not-found` */
  volumeFolder(request: VolumeFolderRequest): VolumeFolder
  /** The volumes of a plan with files or folders of a name. @throws AppError `not-found` */
  searchPlan(request: PlanSearchRequest): PlanSearch
  /** The files that are on volumes whose last verification found them good. */
  verifiedFiles(): VerifiedFiles
  /** The files and links on volumes of plans. */
  heldFiles(volumes: HeldVolumes): HeldFiles
  /**
   * Remembers on which volumes the files of a packed plan are, in one transaction. Plans of other
   * catalogs are ignored.
   * @param places for each path of a file its volume
   * @param held the same by paths as the index has them, of contents that the history names
   */
  planPacked(
    planId: string,
    volumes: readonly PlanVolume[],
    places: ReadonlyMap<string, number>,
    held?: ReadonlyMap<string, number>,
  ): void
  /** Remembers where a plan was exported to, and brings it back if it was withdrawn. */
  planExported(planId: string, directory: string): void
  /**
   * Takes a plan that was never exported out of `plans` and `find`, until it is exported. It can be
   * exported by its id until this process ends, however it ends.
   */
  withdrawPlan(planId: string): void
  /** The data folder, and where the plans of the catalog were exported to. */
  ownPlaces(): { readonly dataFolder: string; readonly plans: readonly { id: string; directory: string }[] }
  /**
   * Files whose name or path matches a `namePattern`.
   * @param planIds only those on volumes of these plans
   */
  find(pattern: string, limit: number, planIds?: readonly string[]): FoundFile[]
  /**
   * Removes surveys, plans, measurements, band sweeps, option builds, runs and checks by their ids,
   * in one transaction.
   * @throws AppError `refused` for an id that is not there and a survey that is needed; nothing
   *   is removed then
   */
  remove(ids: readonly string[]): Removed[]
  /** Gives the memory of the page caches back; they fill again when the catalog is used. */
  freeCaches(): void
  close(): void
}
