import type { Emit, Handlers } from '../contract/defineSchema'
import type { CheckDocument } from '../contract/dto/check'
import type { RebuildDocument } from '../contract/dto/rebuild'
import type { RepairDocument } from '../contract/dto/repair'
import type { RestoreDocument } from '../contract/dto/restore'
import type { SurveyMerge } from '../contract/dto/surveyMerge'
import type { EngineSchema } from '../contract/engineSchema'
import { listMedia, resolveMedium } from '../domain/media/resolveMedium'
import { COPIES_SCHEMA, type CopiesDocument } from '../domain/sets/copies/copy'
import type { KnownCopy } from '../domain/sets/copies/volumeCopies'
import type { ProjectPlan } from '../domain/sets/projectPlan'
import type { ProjectName } from '../domain/survey/projectName'
import { type Clock, systemClock } from '../primitives/clock'
import { wipe } from '../primitives/secretBytes'
import { openCatalog } from './catalog/openCatalog'
import { ownFolders } from './catalog/ownFolders'
import type { Removed } from './catalog/removable'
import { removeAbandonedSamples } from './codecs/sampleFolder'
import { planBandSweep } from './devices/bands/planning'
import { compareMeasurements } from './devices/compareMeasurements'
import { removeLeftOvers } from './devices/leftOvers'
import { measureJob, sweepJob } from './devices/measureJob'
import { planMeasurement } from './devices/preview'
import { doctor } from './doctor/doctor'
import { type FileSystems, fileSystems } from './files/fileSystems'
import { replaceFile, type Settled, settleLeftOvers } from './files/place'
import { useWorkFolder } from './files/workFolder'
import type { Pieces } from './files/write'
import { saveOrderList } from './forecast/solid/orderList'
import { imageCalls } from './images/imageCalls'
import type { Job } from './jobs/jobContext'
import { jobRunner } from './jobs/jobRunner'
import { KeptResults } from './jobs/keptResults'
import { LongAnswers } from './jobs/longAnswers'
import { type NewId, newId as randomId } from './jobs/newId'
import { wipingJob } from './jobs/wipingJob'
import { mediaCatalogue } from './media/mediaCatalogue'
import { trimHeaps } from './native/loadAddon'
import { compareDocument } from './options/compareDocument'
import { optionCandidates } from './options/optionCandidates'
import { optionJob } from './options/optionJob'
import { optionsDocument } from './options/optionsDocument'
import { makeSampleSource } from './sample/sampleSource'
import { buildJob } from './sets/building/buildJob'
import { checkJob } from './sets/check/checkJob'
import { copiesDue } from './sets/copies/copiesDue'
import { knownCopies, withoutPlaces } from './sets/copies/knownCopies'
import { lookAtCopies } from './sets/copies/lookAtCopies'
import { noteCopies } from './sets/copies/noteCopies'
import { safeSource } from './sets/copies/safeSource'
import { surveyOf } from './sets/copies/surveyOf'
import { exportJob } from './sets/export/exportJob'
import { checkExportPlace } from './sets/export/exportPlan'
import { followPlan } from './sets/export/setAside'
import { comparePlans } from './sets/plan/comparePlans'
import { compareProtection } from './sets/plan/compareProtection'
import { planJob } from './sets/plan/planJob'
import { keepAsked } from './sets/queue/keepAsked'
import { queueOf } from './sets/queue/queueOf'
import { rebuildJob } from './sets/repair/rebuildJob'
import { repairJob } from './sets/repair/repairJob'
import { OpenedSets } from './sets/restore/openedSets'
import { restoreJob } from './sets/restore/restoreJob'
import { runsOfFolder, runsOfPlan } from './sets/runs/knownRuns'
import { projectPlanAt } from './sets/runs/projectHistory'
import { verifyJob } from './sets/verify/verifyJob'
import { openPlanFolder } from './sets/volume/planFolder'
import { findDrives } from './sets/write/drives'
import { writeJob } from './sets/write/writeJob'
import { surveyKept } from './survey/kept/surveyKept'
import { saveSketchFile } from './survey/sketchFile'
import { sketchFolder } from './survey/sketchFolder'
import { openSurveyFile, saveSurveyFile } from './survey/surveyFile'
import { surveyJob } from './survey/surveyJob'
import { mergeSurveys } from './survey/surveyMerge'
import { type SourceWalk, walkJob } from './survey/walk/walkJob'

const CHECKPOINT_MS = 30_000
/** Each holds the folders of a source: the window asks about the last two. */
const WALKS_KEPT = 4

export interface Engine {
  readonly handlers: Handlers<EngineSchema>
  /**
   * The left-overs of killed processes that were removed or put back at the start, and those that
   * could not be, in words.
   */
  readonly leftOvers: Settled
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
  const { clock = systemClock, newId = randomId } = options
  const looking = { fileSystems: options.fileSystems ?? fileSystems }
  const catalog = openCatalog(options.dataDir)
  const sketches = sketchFolder(options.dataDir)
  sketches.removeOthers(catalog.surveyIds)
  const { checkpointMs = CHECKPOINT_MS } = options
  // What a killed measurement left is removed first; nothing is asked of the addon when there is nothing.
  const measured = removeLeftOvers(catalog, clock)
  const settled = settleLeftOvers(catalog, (aside) => followPlan(catalog, aside))
  removeAbandonedSamples()
  const leftOvers = {
    removed: [...measured.removed, ...settled.removed],
    putBack: settled.putBack,
    kept: settled.kept,
    problems: [...measured.problems, ...settled.problems],
  }
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
  const walks = new KeptResults<SourceWalk>('walk', WALKS_KEPT)
  const keptAnswers = new LongAnswers()
  const safeAnswers = new LongAnswers()
  const restores = new KeptResults<RestoreDocument>('restore')
  const openedSets = new OpenedSets({ notes: catalog, catalog })
  const unrecorded = new KeptResults<CheckDocument>('check')
  const repairs = new KeptResults<RepairDocument>('repair')
  const rebuilds = new KeptResults<RebuildDocument>('rebuild')
  const start = (job: Job): { jobId: string } => ({ jobId: runner.start(job).jobId })
  const copiesDocument = (copies: readonly KnownCopy[]): CopiesDocument => ({
    schema: COPIES_SCHEMA,
    atWallMs: clock.wallMs(),
    copies: copies.map(withoutPlaces),
  })
  const remove = (ids: readonly string[]): Removed[] => {
    const removed = catalog.remove(ids)
    sketches.removeOthers(catalog.surveyIds)
    return removed
  }

  return {
    handlers: {
      job: {
        list: () => runner.list(),
        cancel: ({ jobId }) => runner.cancel(jobId),
        pause: ({ jobId }) => runner.pause(jobId),
        resume: ({ jobId }) => runner.resume(jobId),
        proceed: ({ jobId, answer }) => runner.proceed(jobId, answer),
      },
      survey: {
        start: (request) => start(surveyJob(request, { catalog, sketches, checkpointMs })),
        walk: (request) => start(walkJob(request, { walks, leaveOut: ownFolders(catalog) })),
        walked: ({ walkId }) => walks.get(walkId).document,
        folder: ({ walkId, path }) => walks.get(walkId).tree.folder(path),
        get: ({ surveyId }) => catalog.survey(surveyId),
        list: () => catalog.surveys(),
        duplicates: ({ surveyId, limit }) => catalog.duplicateFiles(surveyId, limit),
        kept: (request) =>
          keptAnswers.answer(request.surveyId, (pause) => surveyKept(catalog, request, pause)),
        stopKept: ({ surveyId }) => keptAnswers.stop(surveyId),
        acknowledge({ surveyId }) {
          catalog.acknowledgeChanges(surveyId, clock.wallMs())
          return catalog.survey(surveyId)
        },
        missingSha256: ({ surveyId }) => catalog.missingSha256(surveyId),
        skips: ({ surveyId, offset, limit }) => [...catalog.surveySkips(surveyId, offset, limit)],
      },
      measure: {
        preview: async (request) => (await planMeasurement(request, catalog)).preview,
        start: (request) => start(measureJob(request, catalog)),
        list: () => catalog.measurements(),
        get: ({ measurementId }) => catalog.measurement(measurementId),
        compare: ({ a, b }) => compareMeasurements(catalog.measurement(a), catalog.measurement(b)),
      },
      bands: {
        preview: async (request) => (await planBandSweep(request)).preview,
        start: (request) => start(sweepJob(request, catalog)),
        list: () => catalog.sweeps(),
        get: ({ sweepId }) => catalog.sweep(sweepId),
      },
      options: {
        list: (request) => optionsDocument(catalog, clock, request),
        candidates: (request) => optionCandidates(catalog, clock, request),
        build: (request) => start(wipingJob(request, optionJob(request, catalog))),
        built: ({ buildId }) => catalog.optionBuild(buildId),
        compare: () => compareDocument(catalog),
      },
      media: {
        list: () => listMedia(mediaCatalogue),
        get: ({ mediumId }) => resolveMedium(mediaCatalogue, mediumId),
      },
      plan: {
        start: (request) => start(planJob({ catalog }, request)),
        compare: (request) => comparePlans(catalog, request),
        compareProtection: (request) => compareProtection(catalog, request),
        get: ({ planId }) => catalog.plan(planId),
        list: () => catalog.plans(),
        folder: (request) => catalog.volumeFolder(request),
        search: (request) => catalog.searchPlan(request),
        async open({ directory }) {
          const { plan } = await openPlanFolder(directory)
          followPlan(catalog, directory)
          return plan
        },
        runs: async ({ directory }) => runsOfFolder(await openPlanFolder(directory), catalog),
        runsKnown: ({ planId }) => runsOfPlan(planId, catalog),
        labels: async (request) => (await import('./sets/labels/makeLabels')).makeLabels(request, catalog),
        export: (request) => start(exportJob({ catalog }, request)),
      },
      run: {
        build: (request) => start(wipingJob(request, buildJob({ catalog }, request))),
        verify: (request) => start(wipingJob(request, verifyJob({ catalog }, request))),
        write: (request) => start(wipingJob(request, writeJob({ catalog }, request))),
        drives: () => findDrives(),
        get: ({ runId }) => catalog.run(runId),
      },
      copies: {
        list: () => copiesDocument(knownCopies(catalog, clock.wallMs())),
        look: async () => copiesDocument(await lookAtCopies(knownCopies(catalog, clock.wallMs()), looking)),
        note: (request) => noteCopies(catalog, request, clock.wallMs()),
        safe: (request) =>
          safeAnswers.answer(request.surveyId, (pause) =>
            safeSource(catalog, request, { nowWallMs: clock.wallMs(), pause, looking }),
          ),
        stopSafe: ({ surveyId }) => safeAnswers.stop(surveyId),
        surveyOf: ({ paths }) => surveyOf(catalog, paths),
      },
      doctor: { report: (request) => doctor(options.dataDir, request) },
      repair: {
        start: (request) => start(repairJob({ catalog, results: repairs }, request)),
        get: ({ repairId }) => repairs.get(repairId),
      },
      rebuild: {
        start: (request) => start(rebuildJob({ catalog, results: rebuilds }, request)),
        get: ({ rebuildId }) => rebuilds.get(rebuildId),
      },
      check: {
        start: (request) => start(wipingJob(request, checkJob({ catalog, unrecorded }, request))),
        get: ({ checkId }) => unrecorded.find(checkId) ?? catalog.check(checkId),
        due: ({ everyMonths }) => copiesDue(catalog, clock.wallMs(), everyMonths),
        every: ({ ofSet, everyMonths }) => catalog.setEveryMonths(ofSet, everyMonths),
      },
      restore: {
        start(given) {
          const request = { ...given, password: given.password ?? openedSets.passwordOf(given.opened) }
          return start(
            wipingJob(request, restoreJob({ results: restores, notes: catalog, catalog }, request)),
          )
        },
        get: ({ restoreId }) => restores.get(restoreId),
        async open(request) {
          try {
            return await openedSets.open(request)
          } finally {
            wipe(request)
            giveMemoryBack()
          }
        },
        folder: (request) => openedSets.folder(request),
        search: (request) => openedSets.search(request),
        needs: (request) => openedSets.needs(request),
        identify: (request) => openedSets.identify(request),
        async queue(given) {
          const request = { ...given, password: given.password ?? openedSets.passwordOf(given.opened) }
          try {
            const queue = await queueOf(request, {
              catalog,
              notes: catalog,
              nowWallMs: clock.wallMs(),
              signal: new AbortController().signal,
            })
            keepAsked(catalog, request, queue)
            return queue
          } finally {
            wipe(request)
            giveMemoryBack()
          }
        },
        close: ({ id }) => openedSets.close(id),
      },
      asked: {
        list: () => catalog.askedRestores(),
        forget: ({ id }) => catalog.forgetAsked(id),
      },
      image: imageCalls(start, catalog),
      sample: {
        make: ({ directory }) => makeSampleSource(catalog, directory),
      },
      work: {
        use({ folder }) {
          useWorkFolder(folder)
          removeAbandonedSamples()
        },
      },
      catalog: {
        find: ({ pattern, limit }) => catalog.find(pattern, limit),
        remove: ({ id }) => {
          remove([id])
        },
      },
    },
    leftOvers,
    openSurveyFile: (file) => openSurveyFile(catalog, file),
    removeFromCatalog: remove,
    saveOrderList: (surveyId, file, force) => saveOrderList(catalog, surveyId, file, force),
    async projectPlans(project, paths) {
      const known = catalog.projectPlans(project.id)
      const plans = new Map<string, ProjectPlan>()
      for (const path of paths) {
        const plan = await projectPlanAt(path, project, catalog)
        plans.set(plan.id, plans.get(plan.id) ?? plan)
      }
      // Checks of discs are in the catalog alone.
      for (const plan of known) plans.set(plan.id, plan)
      return [...plans.values()].toSorted(
        (one, other) => (other.createdWallMs ?? 0) - (one.createdWallMs ?? 0),
      )
    },
    checkExportPlace: (directory, force) => checkExportPlace(catalog, directory, force),
    saveFile: (file, force, pieces) => replaceFile(catalog, file, force, pieces),
    saveSurveyFile: (surveyId, file, force) => saveSurveyFile(catalog, surveyId, file, force),
    saveSketchFile: (surveyId, file, force) => saveSketchFile(catalog, sketches, surveyId, file, force),
    mergeSurveys: (inputs) => mergeSurveys(catalog, sketches, inputs),
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
