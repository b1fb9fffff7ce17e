import type { Emit, Handlers } from '../contract/defineSchema'
import type { SurveyMerge } from '../contract/dto/surveyMerge'
import type { EngineSchema } from '../contract/engineSchema'
import type { CatalogExport } from '../domain/fingerprints/catalogNote'
import type { FingerprintCheck } from '../domain/fingerprints/fingerprintCheck'
import type { LookDocument } from '../domain/look/lookDocument'
import type { ProjectPlan } from '../domain/sets/projectPlan'
import type { ProjectName } from '../domain/survey/projectName'
import { type Clock, systemClock } from '../primitives/clock'
import { archiveCalls } from './calls/archiveCalls'
import { catalogCalls } from './calls/catalogCalls'
import { checkCalls } from './calls/checkCalls'
import { copyCalls } from './calls/copyCalls'
import { drillCalls } from './calls/drillCalls'
import type { EngineParts } from './calls/engineParts'
import { imageCalls } from './calls/imageCalls'
import { jobCalls } from './calls/jobCalls'
import { machineCalls } from './calls/machineCalls'
import { measureCalls } from './calls/measureCalls'
import { optionCalls } from './calls/optionCalls'
import { planCalls } from './calls/planCalls'
import { restoreCalls } from './calls/restoreCalls'
import { romCalls } from './calls/romCalls'
import { runCalls } from './calls/runCalls'
import { surveyCalls } from './calls/surveyCalls'
import type { Catalog } from './catalog/catalog'
import { openCatalog } from './catalog/openCatalog'
import type { Removed } from './catalog/removable'
import { type CatalogExportRequest, catalogExportJob } from './catalogExport/exportCatalog'
import { removeAbandonedSamples } from './codecs/sampleFolder'
import { removeLeftOvers } from './devices/leftOvers'
import { type FileSystems, fileSystems } from './files/fileSystems'
import { type Recovered, recoverLeftOvers, replaceFile } from './files/place'
import type { Pieces } from './files/write'
import { checkFingerprints } from './fingerprints/checkFingerprints'
import { type FleetWork, fleetWork } from './fleet/fleetWork'
import { saveOrderList } from './forecast/solid/orderList'
import { jobRunner } from './jobs/jobRunner'
import { KeptResults } from './jobs/keptResults'
import { LongAnswers } from './jobs/longAnswers'
import { type NewId, newId as randomId } from './jobs/newId'
import { trimHeaps } from './native/loadAddon'
import { checkExportPlace } from './sets/export/exportPlan'
import { followPlan } from './sets/export/setAside'
import { OpenedSets } from './sets/restore/openedSets'
import { projectPlans } from './sets/runs/projectHistory'
import { saveSketchFile } from './survey/sketchFile'
import { sketchFolder } from './survey/sketchFolder'
import { openSurveyFile, saveSurveyFile } from './survey/surveyFile'
import { mergeSurveys } from './survey/surveyMerge'
import type { SourceWalk } from './survey/walk/walkJob'

const CHECKPOINT_MS = 30_000
/** Each holds the folders of a source: the window asks about the last two. */
const WALKS_KEPT = 4

export interface Engine {
  readonly handlers: Handlers<EngineSchema>
  /**
   * The left-overs of killed processes that were removed or put back at the start, and those that
   * could not be, in words.
   */
  readonly leftOvers: Recovered
  /**
   * Brings a saved survey into the catalog; gives its id. For the command line: its paths come from
   * the person directly.
   */
  openSurveyFile(file: string): Promise<string>
  saveSurveyFile(surveyId: string, file: string, force: boolean): Promise<void>
  /** Writes what `mergeSurveys` needs of a survey to one file, for another machine. */
  saveSketchFile(surveyId: string, file: string, force: boolean): Promise<void>
  /** The union of surveys, each named by its ID or by such a file. */
  mergeSurveys(inputs: readonly string[]): Promise<SurveyMerge>
  /** Checks the fingerprints in these folders: see `fingerprints/checkFingerprints.ts`. */
  checkFingerprints(folders: readonly string[]): Promise<FingerprintCheck>
  readonly fleet: FleetWork
  /** Starts a job that writes what the catalog knows of copies as Parquet. */
  exportCatalog(request: CatalogExportRequest): { jobId: string }
  /** The result of such a job. @throws AppError `not-found` */
  exportedCatalog(exportId: string): CatalogExport
  /**
   * Removes what the catalog knows under these ids, or nothing where one cannot be removed; surveys
   * go with their sketches.
   */
  removeFromCatalog(ids: readonly string[]): Removed[]
  saveOrderList(surveyId: string, file: string, force: boolean): Promise<void>
  /**
   * The plans of a project that the catalog knows, and those in folders of plans and on volumes.
   * @throws AppError `bad-input` for one of another project
   */
  projectPlans(project: ProjectName, paths: readonly string[]): Promise<ProjectPlan[]>
  /**
   * Checks if a plan can be exported there, without leaving anything.
   * @throws AppError as the export would
   */
  checkExportPlace(directory: string, force: boolean): Promise<void>
  /** Writes a file of the person's choice whole, or not at all. */
  saveFile(file: string, force: boolean, pieces: () => Pieces): Promise<void>
  /** Cancels what runs, waits for it and closes the catalog. */
  close(): Promise<void>
}

/**
 * The engine's composition root: opens the catalog in the data folder and answers the schema's
 * calls. The window's engine process and the command line both run this.
 * @throws AppError when the catalog cannot be opened
 */
export function createEngine(options: {
  dataDir: string
  emit: Emit<EngineSchema>
  clock?: Clock
  /** Random ones if not given. */
  newId?: NewId
  /** How often a long survey is made safe against the end of the process. */
  checkpointMs?: number
  /** Those on which copies of volumes are looked for. */
  fileSystems?: FileSystems
}): Engine {
  const { emit } = options
  const { clock = systemClock, newId = randomId, checkpointMs = CHECKPOINT_MS } = options
  const catalog = openCatalog(options.dataDir)
  const sketches = sketchFolder(options.dataDir)
  sketches.removeOthers(catalog.surveyIds)
  const leftOvers = leftOversOf(catalog, clock)
  removeAbandonedSamples()
  /** Memory that a job needed is given back before the next one. */
  const giveMemoryBack = (): void => {
    catalog.freeCaches()
    trimHeaps().catch(() => {})
  }
  const runner = jobRunner(
    clock,
    {
      progress: (progress) => emit('job', 'progress', progress),
      live: (figures) => emit('survey', 'live', figures),
      measured: (figures) => emit('measure', 'live', figures),
      swept: (figures) => emit('bands', 'live', figures),
      ended(end) {
        emit('job', 'ended', end)
        giveMemoryBack()
      },
    },
    newId,
  )
  const keptAnswers = new LongAnswers()
  const walks = new KeptResults<SourceWalk>('walk', WALKS_KEPT)
  const looks = new KeptResults<LookDocument>('look')
  const safeAnswers = new LongAnswers()
  const catalogExports = new KeptResults<CatalogExport>('export of the catalog')
  const copiesOn = options.fileSystems ?? fileSystems
  const openedSets = new OpenedSets({ notes: catalog, catalog })
  const remove = (ids: readonly string[]): Removed[] => {
    const removed = catalog.remove(ids)
    sketches.removeOthers(catalog.surveyIds)
    return removed
  }
  const parts: EngineParts = {
    catalog,
    clock,
    start: (job) => ({ jobId: runner.start(job).jobId }),
    giveMemoryBack,
  }
  return {
    handlers: {
      ...jobCalls(runner),
      ...surveyCalls(parts, { sketches, checkpointMs, answers: keptAnswers, walks, looks }),
      ...measureCalls(parts),
      ...optionCalls(parts, looks),
      ...romCalls(parts),
      ...planCalls(parts, walks),
      ...archiveCalls(parts, newId),
      ...runCalls(parts),
      ...copyCalls(parts, { fileSystems: copiesOn, answers: safeAnswers }),
      ...checkCalls(parts),
      ...restoreCalls(parts, openedSets),
      ...drillCalls(parts, openedSets),
      ...imageCalls(parts),
      ...machineCalls(parts, options.dataDir),
      ...catalogCalls(parts, remove),
    },
    leftOvers,
    openSurveyFile: (file) => openSurveyFile(catalog, file),
    removeFromCatalog: remove,
    saveOrderList: (surveyId, file, force) => saveOrderList(catalog, surveyId, file, force),
    projectPlans: (project, paths) => projectPlans(catalog, project, paths),
    checkExportPlace: (directory, force) => checkExportPlace(catalog, directory, force),
    saveFile: (file, force, pieces) => replaceFile(catalog, file, force, pieces),
    saveSurveyFile: (surveyId, file, force) => saveSurveyFile(catalog, surveyId, file, force),
    saveSketchFile: (surveyId, file, force) => saveSketchFile(catalog, sketches, surveyId, file, force),
    mergeSurveys: (inputs) => mergeSurveys(catalog, sketches, inputs),
    checkFingerprints,
    fleet: fleetWork({ notes: catalog, dataDir: options.dataDir, start: parts.start }),
    exportCatalog: (request) =>
      parts.start(catalogExportJob(request, catalogExports, catalog, { fileSystems: copiesOn })),
    exportedCatalog: (exportId) => catalogExports.get(exportId),
    async close() {
      openedSets.closeAll()
      await runner.close()
      await keptAnswers.close()
      await safeAnswers.close()
      await sketches.settled()
      catalog.close()
    },
  }
}

/**
 * Removes or puts back what killed processes left. What a killed measurement left goes first;
 * nothing is asked of the addon when there is nothing.
 */
function leftOversOf(catalog: Catalog, clock: Clock): Recovered {
  const measured = removeLeftOvers(catalog, clock)
  const recovered = recoverLeftOvers(catalog, (aside) => followPlan(catalog, aside))
  return {
    removed: [...measured.removed, ...recovered.removed],
    putBack: recovered.putBack,
    kept: recovered.kept,
    problems: [...measured.problems, ...recovered.problems],
  }
}
