import type { Emit, Handlers } from '../contract/defineSchema'
import type { SurveyMerge } from '../contract/dto/surveyMerge'
import type { EngineSchema } from '../contract/engineSchema'
import { listMedia, resolveMedium } from '../domain/media/resolveMedium'
import { type Clock, systemClock } from '../primitives/clock'
import { openCatalog } from './catalog/openCatalog'
import { buildJob } from './jobs/buildJob'
import { exportJob } from './jobs/exportJob'
import type { Job } from './jobs/jobContext'
import { jobRunner } from './jobs/jobRunner'
import { planJob } from './jobs/planJob'
import { verifyJob } from './jobs/verifyJob'
import { newId } from './newId'
import { mediaCatalogue } from './planning/mediaCatalogue'
import { openPlanFolder } from './runs/planFolder'
import { makeSampleSource } from './sample/sampleSource'
import { saveSketchFile } from './survey/sketchFile'
import { sketchFolder } from './survey/sketchFolder'
import { openSurveyFile, saveSurveyFile } from './survey/surveyFile'
import { surveyJob } from './survey/surveyJob'
import { mergeSurveys } from './survey/surveyMerge'

const CHECKPOINT_MS = 30_000

export interface Engine {
  readonly handlers: Handlers<EngineSchema>
  /** Brings a saved survey into the catalog; gives its id. For the command line: its paths come from the person directly. */
  openSurveyFile(file: string): Promise<string>
  saveSurveyFile(surveyId: string, file: string, force: boolean): Promise<void>
  /** Writes what `mergeSurveys` needs of a survey to one file, for another machine. */
  saveSketchFile(surveyId: string, file: string, force: boolean): Promise<void>
  /** What surveys, each named by its id or by such a file, hold together. */
  mergeSurveys(inputs: readonly string[]): Promise<SurveyMerge>
  /** Cancels what runs, waits for it and closes the catalog. */
  close(): Promise<void>
}

/**
 * The engine's composition root: opens the catalog in the data folder and answers the schema's calls. The window's engine
 * process and the command line both run this.
 * @throws AppError when the catalog cannot be opened
 */
export function createEngine(options: {
  dataDir: string
  emit: Emit<EngineSchema>
  clock?: Clock
  /** How often a long survey is made safe against the end of the process. */
  checkpointMs?: number
}): Engine {
  const { emit } = options
  const clock = options.clock ?? systemClock
  const catalog = openCatalog(options.dataDir)
  const sketches = sketchFolder(options.dataDir)
  sketches.removeOthers(catalog.surveyIds())
  const { checkpointMs = CHECKPOINT_MS } = options
  const runner = jobRunner(
    clock,
    {
      progress: (progress) => emit('job', 'progress', progress),
      live: (figures) => emit('survey', 'live', figures),
      ended: (end) => emit('job', 'ended', end),
    },
    () => newId('j'),
  )
  const start = (job: Job): { jobId: string } => ({ jobId: runner.start(job).jobId })

  return {
    handlers: {
      job: {
        list: () => runner.list(),
        cancel: ({ jobId }) => runner.cancel(jobId),
        pause: ({ jobId }) => runner.pause(jobId),
        resume: ({ jobId }) => runner.resume(jobId),
      },
      survey: {
        start: (request) =>
          start(surveyJob(request, { catalog, sketches, newId: () => newId('s'), checkpointMs })),
        get: ({ surveyId }) => catalog.survey(surveyId),
        list: () => catalog.surveys(),
        duplicates: ({ surveyId, limit }) => catalog.duplicateFiles(surveyId, limit),
        skips: ({ surveyId, offset, limit }) => [...catalog.surveySkips(surveyId, offset, limit)],
      },
      media: {
        list: () => listMedia(mediaCatalogue),
        get: ({ mediumId }) => resolveMedium(mediaCatalogue, mediumId),
      },
      plan: {
        start: (request) => start(planJob({ catalog }, request)),
        get: ({ planId }) => catalog.plan(planId),
        list: () => catalog.plans(),
        open: async ({ directory }) => (await openPlanFolder(directory)).plan,
        export: (request) => start(exportJob({ catalog }, request)),
      },
      run: {
        build: (request) => start(buildJob({ catalog }, request)),
        verify: (request) => start(verifyJob({ catalog }, request)),
        get: ({ runId }) => catalog.run(runId),
      },
      sample: {
        make: ({ directory }) => makeSampleSource(directory),
      },
      catalog: {
        find: ({ pattern, limit }) => catalog.find(pattern, limit),
      },
    },
    openSurveyFile: (file) => openSurveyFile(catalog, file),
    saveSurveyFile: (surveyId, file, force) => saveSurveyFile(catalog, surveyId, file, force),
    saveSketchFile: (surveyId, file, force) => saveSketchFile(catalog, sketches, surveyId, file, force),
    mergeSurveys: (inputs) => mergeSurveys(catalog, sketches, inputs),
    async close() {
      await runner.close()
      await sketches.settled()
      catalog.close()
    },
  }
}
