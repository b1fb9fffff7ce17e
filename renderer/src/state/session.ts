import type { Client } from '../../../src/contract/defineSchema'
import type { JobEnd } from '../../../src/contract/dto/job'
import type { Option } from '../../../src/contract/dto/options'
import { MOST_SOURCES, type Skipped } from '../../../src/contract/dto/survey'
import type { RendererSchema, Settings, WindowApi } from '../../../src/contract/rendererSchema'
import type { WireError } from '../../../src/primitives/appError'
import type { Result } from '../../../src/primitives/result'
import { t } from '../copy'
import { RunSession } from '../steps/building/runSession'
import type { Kept } from '../steps/catalog/catalogState'
import { CheckSession } from '../steps/catalog/checkSession'
import { RestoreSession } from '../steps/catalog/restoreSession'
import { OptionsSession } from '../steps/choose/optionsSession'
import { ImagesSession } from '../steps/images/imagesSession'
import { BandsSession } from '../steps/measure/bands/bandsSession'
import { MeasureSession } from '../steps/measure/measureSession'
import { LABEL_PREFIX, packingBy } from '../steps/plan/planState'
import { samePaths } from '../steps/source/sourcesState'
import type { Step } from './frame'
import { jobStarter, type StartJob } from './jobStarter'
import { runningOf } from './jobs'
import { createStores, type Stores } from './windowStores'

/** The step on the screen that a kind of job belongs to. */
const STEP_OF: Record<JobEnd['kind'], Step> = {
  survey: 'survey',
  measure: 'measure',
  bands: 'measure',
  plan: 'plan',
  export: 'plan',
  build: 'build',
  verify: 'build',
  write: 'build',
  restore: 'catalog',
  check: 'catalog',
  image: 'images',
  option: 'choose',
}

/**
 * Everything a person can do in the window, as functions that end in the stores; none of them
 * rejects.
 */
export class Session {
  readonly stores: Stores
  /** Actions of the Measure step. */
  readonly measure: MeasureSession
  /** And in the Images step. */
  readonly images: ImagesSession
  /** Actions on band sizes in the Measure step. */
  readonly bands: BandsSession
  /** And in the Choose step. */
  readonly options: OptionsSession
  /** Actions on an exported plan. */
  readonly runs: RunSession
  /** Actions to restore files. */
  readonly restore: RestoreSession
  /** And to verify discs and images. */
  readonly check: CheckSession
  readonly #api: WindowApi
  readonly #call: Client<RendererSchema>
  readonly #startJob: StartJob
  #exporting: { planId: string; directory: string } | null = null
  #searchTurn = 0
  #sharpening = false

  constructor(api: WindowApi, stores: Stores = createStores()) {
    this.#api = api
    this.#call = api.call
    this.stores = stores
    this.#startJob = jobStarter(stores.jobs)
    this.measure = new MeasureSession(api.call, stores, (asked) => this.#ask('measure', asked))
    this.images = new ImagesSession(api.call, stores, (asked) => this.#ask('images', asked))
    this.bands = new BandsSession(api.call, stores, (asked) => this.#ask('measure', asked))
    this.options = new OptionsSession(api.call, stores, (asked) => this.#ask('choose', asked))
    this.runs = new RunSession(api.call, stores, (asked) => this.#ask('build', asked))
    this.restore = new RestoreSession(api.call, stores, (asked) => this.#ask('catalog', asked))
    this.check = new CheckSession(api.call, stores, (asked) => this.#ask('catalog', asked))
  }

  /**
   * Listens to the engine and loads what the window starts with. Returns what ends the listening.
   */
  start(): () => void {
    const { job, survey, measure, bands, app } = this.#call
    const ends = [
      job.progress((progress) => this.stores.jobs.dispatch({ type: 'progress', progress })),
      job.ended((end) => void this.#ended(end)),
      survey.live((live) => {
        this.stores.survey.dispatch({ type: 'live', live })
        if (live.surveyId !== undefined) void this.#sharpen(live.surveyId)
      }),
      measure.live((live) => this.stores.measure.dispatch({ type: 'live', live })),
      bands.live((live) => this.stores.bands.dispatch({ type: 'live', live })),
      app.sourcesGiven((sources) => {
        if (this.images.takesDropped(sources)) return
        this.stores.sources.dispatch({ type: 'added', sources })
        if (!runningOf(this.stores.jobs.get(), 'survey')) this.goTo('source')
      }),
      app.engineState((life) => {
        this.stores.frame.dispatch({ type: 'engine', life })
        if (life.state === 'lost') this.stores.jobs.dispatch({ type: 'lost' })
        if (life.state === 'ready') void this.#loadLists().then(() => this.#lookAgain())
      }),
      app.failure((error) => this.#failed(error, null)),
    ]
    void this.#open()
    return () => {
      for (const end of ends) end()
    }
  }

  goTo(step: Step): void {
    this.stores.frame.dispatch({ type: 'step', step })
  }

  dismiss(id: number): void {
    this.stores.frame.dispatch({ type: 'dismissed', id })
  }

  /** Shown at once, kept by main; the engine's answer corrects what it could not keep. */
  async saveSettings(settings: Partial<Settings>): Promise<void> {
    this.stores.frame.dispatch({ type: 'settings', settings })
    const saved = await this.#ask(null, this.#call.app.saveSettings(settings))
    if (saved) this.stores.frame.dispatch({ type: 'settings', settings: saved })
  }

  async chooseSources(kind: 'folders' | 'files'): Promise<void> {
    const sources = await this.#ask('source', this.#call.app.chooseSources({ kind }))
    if (!sources || sources.length === 0) return
    this.stores.sources.dispatch({ type: 'added', sources })
    this.goTo('source')
  }

  async takeSample(): Promise<void> {
    const sources = await this.#ask('source', this.#call.app.sampleSource(undefined))
    if (sources) this.stores.sources.dispatch({ type: 'added', sources })
  }

  removeSource(path: string): void {
    this.stores.sources.dispatch({ type: 'removed', path })
  }

  /** Real File objects of a drop; the paths come back as sources given. */
  async giveDropped(files: readonly unknown[]): Promise<void> {
    if (this.#areTooMany(files)) return
    try {
      await this.#api.giveDropped(files)
    } catch (thrown) {
      this.#failed(
        { code: 'refused', message: thrown instanceof Error ? thrown.message : String(thrown) },
        'source',
      )
    }
  }

  /** @param full also files that have not changed since an earlier survey */
  async startSurvey(full = false): Promise<void> {
    const paths = this.stores.sources.get().list.map((source) => source.path)
    if (paths.length === 0 || runningOf(this.stores.jobs.get(), 'survey')) return
    this.#clear('source', 'survey')
    if (this.#areTooMany(paths)) return
    const { sha256, samples } = this.stores.frame.get().settings
    const asks = () =>
      this.#ask(
        'source',
        this.#call.survey.start({ paths, sha256: sha256 && samples !== 'quick', samples, full }),
      )
    if (!(await this.#startJob('survey', asks))) return
    this.stores.survey.dispatch({ type: 'started', samples })
    this.goTo('survey')
  }

  /** Asks for the groups of duplicates of a survey, unless they are known. */
  async loadDuplicates(surveyId: string): Promise<void> {
    if (this.stores.survey.get().duplicates?.surveyId === surveyId) return
    const groups = await this.#ask('survey', this.#call.survey.duplicates({ surveyId, limit: 1000 }))
    if (groups) this.stores.survey.dispatch({ type: 'duplicates', surveyId, groups })
  }

  /** Asks what a plan of a survey reads for SHA-256. Without an answer nothing is shown of it. */
  async loadMissingSha256(surveyId: string): Promise<void> {
    const missing = await this.#call.survey.missingSha256({ surveyId })
    if (missing.ok) this.stores.survey.dispatch({ type: 'missingSha256', surveyId, missing: missing.value })
  }

  /**
   * A page of what a survey could not read; null when it could not be loaded; the failure is
   * reported then.
   */
  async skips(surveyId: string, offset: number, limit: number): Promise<readonly Skipped[] | null> {
    return this.#ask('survey', this.#call.survey.skips({ surveyId, offset, limit }))
  }

  async cancel(jobId: string): Promise<void> {
    this.stores.jobs.dispatch({ type: 'cancelling', jobId })
    await this.#ask(null, this.#call.job.cancel({ jobId }))
  }

  async pause(jobId: string): Promise<void> {
    await this.#ask(null, this.#call.job.pause({ jobId }))
  }

  async resume(jobId: string): Promise<void> {
    await this.#ask(null, this.#call.job.resume({ jobId }))
  }

  chooseMedium(mediumId: string): void {
    this.stores.plan.dispatch({ type: 'medium', mediumId })
    void this.saveSettings({ mediumId })
  }

  /** Takes an option to the Plan step: what it packs files into, its medium and its encryption. */
  planWith(option: Option): void {
    const surveyId = this.stores.options.get().document?.surveyId ?? ''
    this.stores.plan.dispatch({ type: 'packing', packing: packingBy(option, surveyId) })
    this.chooseMedium(option.medium)
    this.goTo('plan')
  }

  /**
   * Takes a candidate to the Plan step and makes the plan: its medium and all else were asked for
   * before.
   */
  async planCandidate(option: Option): Promise<void> {
    this.planWith(option)
    await this.startPlan()
  }

  async startPlan(): Promise<void> {
    const document = this.stores.survey.get().document
    const { mediumId, labelPrefix, packing } = this.stores.plan.get()
    if (!document || mediumId === '') return
    this.#clear('plan')
    const prefix = labelPrefix !== null && LABEL_PREFIX.test(labelPrefix) ? { labelPrefix } : {}
    const packed = packing && {
      recipe: packing.recipe,
      encryption: packing.encryption,
      joined: packing.joined,
    }
    const request = { surveyId: document.id, mediumId, ...prefix, ...packed }
    await this.#startJob('plan', () => this.#ask('plan', this.#call.plan.start(request)))
  }

  /**
   * Asks for a folder and exports the shown plan there; with `force` into the folder that was
   * refused before.
   */
  async exportPlan(force = false): Promise<void> {
    await this.#startJob('export', () => this.#export(force))
  }

  async #export(force: boolean): Promise<{ jobId: string } | null> {
    const { document, refusedDirectory } = this.stores.plan.get()
    if (!document) return null
    const directory =
      force && refusedDirectory !== null
        ? refusedDirectory
        : await this.#ask('plan', this.#call.app.chooseDirectory({ purpose: 'export' }))
    if (!directory) return null
    this.#clear('plan')
    this.stores.plan.dispatch({ type: 'refused', directory: null })
    this.#exporting = { planId: document.id, directory }
    const result = await this.#call.plan.export({ planId: document.id, directory, force })
    if (result.ok) return result.value
    this.#exportFailed(result.error)
    return null
  }

  async showFolder(path: string, step: Step): Promise<void> {
    await this.#ask(step, this.#call.app.showFolder({ path }))
  }

  /** Opens an exported plan for building: the given folder, or one that the person chooses. */
  async openExported(directory?: string): Promise<void> {
    const { directory: shown } = this.stores.build.get()
    if (shown !== null && runningOf(this.stores.jobs.get(), 'build', 'verify', 'write')) {
      // What runs belongs to the set that is shown.
      if (directory !== shown) this.#failed({ code: 'usage', message: t('build.busy') }, 'build')
      return this.goTo('build')
    }
    const chosen =
      directory ?? (await this.#ask('build', this.#call.app.chooseDirectory({ purpose: 'openPlan' })))
    if (!chosen) return
    this.#clear('build')
    const plan = await this.#ask('build', this.#call.plan.open({ directory: chosen }))
    if (!plan) return
    const runs = await this.#ask('build', this.#call.plan.runs({ directory: chosen }))
    this.stores.build.dispatch({ type: 'opened', directory: chosen, plan })
    for (const run of runs ?? []) this.stores.build.dispatch({ type: 'ran', run })
    if (runs) this.stores.build.dispatch({ type: 'writing', open: false })
    this.stores.jobs.dispatch({ type: 'replaced', kinds: ['build', 'verify', 'write'] })
    this.goTo('build')
  }

  typePattern(pattern: string): void {
    if (pattern === '') this.#searchTurn += 1
    this.stores.catalog.dispatch({ type: 'typed', pattern })
  }

  /**
   * Searches for what is typed. An answer that a later search has overtaken, or that is not wanted
   * any more, is dropped.
   */
  async find(): Promise<void> {
    const { pattern } = this.stores.catalog.get()
    if (pattern.trim() === '') return
    this.#searchTurn += 1
    const turn = this.#searchTurn
    this.#clear('catalog')
    this.stores.catalog.dispatch({ type: 'searching' })
    const files = await this.#ask('catalog', this.#call.catalog.find({ pattern, limit: 10_000 }))
    if (turn !== this.#searchTurn) return
    this.stores.catalog.dispatch(files ? { type: 'found', pattern, files } : { type: 'searchFailed' })
  }

  /** Asks before a plan or a survey is removed; null takes the question back. */
  askToRemove(kept: Kept | null): void {
    this.stores.catalog.dispatch({ type: 'removing', kept })
  }

  /** Removes from the catalog what the person was asked about. */
  async remove(): Promise<void> {
    const { removing } = this.stores.catalog.get()
    if (!removing) return
    this.askToRemove(null)
    this.#clear('catalog')
    await this.#ask('catalog', this.#call.catalog.remove({ id: removing.id }))
    await this.#refreshCatalog()
  }

  async openSurvey(surveyId: string): Promise<void> {
    const document = await this.#ask('catalog', this.#call.survey.get({ surveyId }))
    if (!document) return
    this.stores.survey.dispatch({ type: 'loaded', document })
    this.stores.jobs.dispatch({ type: 'replaced', kinds: ['survey'] })
    this.stores.sources.dispatch({ type: 'replaced', sources: [] })
    this.goTo('survey')
  }

  async openPlan(planId: string): Promise<void> {
    const document = await this.#ask('catalog', this.#call.plan.get({ planId }))
    if (!document) return
    const item = this.stores.catalog.get().plans.find((plan) => plan.id === planId)
    this.stores.plan.dispatch({ type: 'loaded', document, exportedTo: item?.directory ?? null })
    this.stores.jobs.dispatch({ type: 'replaced', kinds: ['plan', 'export'] })
    if (this.stores.survey.get().document?.id !== document.surveyId) {
      const survey = await this.#ask('catalog', this.#call.survey.get({ surveyId: document.surveyId }))
      if (survey) {
        this.stores.survey.dispatch({ type: 'loaded', document: survey })
        this.stores.jobs.dispatch({ type: 'replaced', kinds: ['survey'] })
        if (!samePaths(this.#paths(), survey.roots))
          this.stores.sources.dispatch({ type: 'replaced', sources: [] })
      }
    }
    // The options of its survey have the words for what it packs into.
    if (document.packing) void this.options.open()
    this.goTo('plan')
  }

  /** Offers text to be saved as a file; true when it was. */
  async saveText(suggestedName: string, text: string): Promise<boolean> {
    const path = await this.#ask(null, this.#call.app.saveText({ suggestedName, text }))
    return path !== null
  }

  /** True when one survey cannot take as many sources; then it also shows a message. */
  #areTooMany({ length: count }: readonly unknown[]): boolean {
    const isOver = count > MOST_SOURCES
    if (isOver) {
      const message = t('source.tooMany', { count, most: MOST_SOURCES })
      this.#failed({ code: 'bad-input', message }, 'source')
      this.goTo('source')
    }
    return isOver
  }

  #paths(): string[] {
    return this.stores.sources.get().list.map((source) => source.path)
  }

  async #open(): Promise<void> {
    const state = await this.#ask(null, this.#call.app.state(undefined))
    if (!state) return
    const { version, settings, engine, sources } = state
    this.stores.frame.dispatch({ type: 'opened', version, settings, engine })
    this.stores.plan.dispatch({ type: 'medium', mediumId: settings.mediumId })
    this.stores.sources.dispatch({ type: 'added', sources })
    await this.#loadLists()
    if (state.surveyAtOnce && sources.length > 0) await this.startSurvey()
  }

  /**
   * Loads the lists that the engine holds. The engine's own state reports its absence, not once per
   * list.
   */
  async #loadLists(): Promise<void> {
    const [media, jobs] = await Promise.all([
      this.#call.media.list(undefined),
      this.#call.job.list(undefined),
      this.#refreshCatalog(),
      this.measure.loadList(),
      this.images.loadCatalogue(),
      this.bands.loadList(),
    ])
    if (media.ok) this.stores.plan.dispatch({ type: 'media', media: media.value })
    else if (media.error.code !== 'engine-lost') this.#failed(media.error, null)
    if (jobs.ok) this.stores.jobs.dispatch({ type: 'listed', jobs: jobs.value })
  }

  /** Asks a new engine again for all that a dead one was asked for. */
  #lookAgain(): void {
    void this.measure.look()
    void this.bands.look()
    if (this.stores.options.get().document) void this.options.look()
  }

  async #refreshCatalog(): Promise<void> {
    const [surveys, plans] = await Promise.all([
      this.#call.survey.list(undefined),
      this.#call.plan.list(undefined),
      this.check.refresh(),
    ])
    if (surveys.ok) this.stores.catalog.dispatch({ type: 'surveys', surveys: surveys.value })
    if (plans.ok) this.stores.catalog.dispatch({ type: 'plans', plans: plans.value })
    const failed = [surveys, plans].find((result) => !result.ok)
    if (failed && !failed.ok && failed.error.code !== 'engine-lost') this.#failed(failed.error, 'catalog')
  }

  async #ended(end: JobEnd): Promise<void> {
    const step = STEP_OF[end.kind]
    if (end.kind === 'export' && end.error) this.#exportFailed(end.error)
    else if (end.kind === 'restore' && end.error && this.restore.locked(end.error)) {
      // The Catalog step asks for the password.
    } else if (end.kind === 'check' && end.resultId !== null) {
      // The Catalog step shows what was found.
    } else if (end.error && end.outcome !== 'cancelled') this.#failed(end.error, step, end.kind)
    else if (end.outcome === 'interrupted')
      this.#failed({ code: 'interrupted', message: t(`interrupted.${end.kind}`) }, step)
    if (end.resultId !== null && end.outcome !== 'interrupted') await this.#loadResult(end, end.resultId)
    else if (end.kind === 'survey') this.stores.survey.dispatch({ type: 'ended', outcome: end.outcome })
    else if (end.kind === 'measure') this.stores.measure.dispatch({ type: 'ended' })
    else if (end.kind === 'image') this.stores.images.dispatch({ type: 'ended' })
    else if (end.kind === 'bands') this.stores.bands.dispatch({ type: 'ended' })
    else if (end.kind === 'option') this.stores.options.dispatch({ type: 'ended' })
    this.stores.jobs.dispatch({ type: 'ended', end })
    if (end.outcome === 'done' || end.resultId !== null) await this.#refreshCatalog()
    if (end.kind === 'export' && end.outcome === 'done') this.#exported(end.setAside)
  }

  async #loadResult(end: JobEnd, resultId: string): Promise<void> {
    switch (end.kind) {
      case 'survey': {
        const document = await this.#ask('survey', this.#call.survey.get({ surveyId: resultId }))
        if (document) this.stores.survey.dispatch({ type: 'loaded', document })
        await this.options.sharpen(resultId)
        return
      }
      case 'measure':
        return this.measure.ended(resultId)
      case 'image':
        return this.images.ended(resultId)
      case 'bands':
        return this.bands.ended(resultId)
      case 'option':
        return this.options.ended(resultId)
      case 'restore':
        return this.restore.ended(resultId)
      case 'check':
        return this.check.ended(resultId)
      case 'plan': {
        const document = await this.#ask('plan', this.#call.plan.get({ planId: resultId }))
        if (document) this.stores.plan.dispatch({ type: 'loaded', document, exportedTo: null })
        return
      }
      case 'build':
      case 'verify':
      case 'write':
        return this.runs.ended(resultId)
      case 'export':
    }
  }

  /**
   * A survey has read everything: from now on there are options, which sharpen with its samples.
   */
  async #sharpen(surveyId: string): Promise<void> {
    if (this.#sharpening) return
    this.#sharpening = true
    const read = await this.#call.survey.get({ surveyId })
    // What was asked may have ended meanwhile, with a document of its own.
    const isRunning = runningOf(this.stores.jobs.get(), 'survey') !== null
    if (read.ok && isRunning) {
      this.stores.survey.dispatch({ type: 'read', document: read.value })
      await this.options.sharpen(surveyId)
    }
    this.#sharpening = false
  }

  /** The folder of a plan as the catalog has it, else the folder that was asked for. */
  #exported(setAside: JobEnd['setAside']): void {
    if (!this.#exporting) return
    const { planId, directory } = this.#exporting
    const item = this.stores.catalog.get().plans.find((plan) => plan.id === planId)
    this.stores.plan.dispatch({
      type: 'exported',
      planId,
      directory: item?.directory ?? directory,
      setAside,
    })
    this.#exporting = null
  }

  #exportFailed(error: WireError): void {
    // What is there already is a question, which the Plan step asks of the plan that it shows.
    const isShown = this.stores.plan.get().document?.id === this.#exporting?.planId
    if (error.code === 'exists' && this.#exporting && isShown)
      this.stores.plan.dispatch({ type: 'refused', directory: this.#exporting.directory })
    else this.#failed(error, 'plan')
  }

  async #ask<T>(step: Step | null, asked: Promise<Result<T>>): Promise<T | null> {
    const result = await asked
    if (result.ok) return result.value
    this.#failed(result.error, step)
    return null
  }

  #failed(error: WireError, step: Step | null, job?: JobEnd['kind']): void {
    if (error.code === 'cancelled') return
    this.stores.frame.dispatch({ type: 'failed', error, step, ...(job && { job }) })
  }

  #clear(...steps: Step[]): void {
    for (const step of steps) this.stores.frame.dispatch({ type: 'cleared', step })
  }
}
