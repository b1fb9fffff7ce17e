import type { JobEnd } from '../../../src/contract/dto/job'
import { t } from '../copy'
import { CatalogSession } from '../state/catalog/catalogSession'
import { CheckSession } from '../state/catalog/checkSession'
import { CopiesSession } from '../state/catalog/copiesSession'
import type { Step } from '../state/frame'
import { KeptSession } from '../state/source/keptSession'
import { LookSession } from '../state/source/lookSession'
import { SourceSession } from '../state/source/sourceSession'
import { WindowSession } from '../state/windowSession'
import { ArchiveSession } from '../steps/archive/archiveSession'
import { RunSession } from '../steps/building/runSession'
import { OptionsSession } from '../steps/choose/optionsSession'
import { AddSession } from '../steps/home/addSession'
import { HomeSession } from '../steps/home/homeSession'
import { SetSession } from '../steps/home/setSession'
import { ImagesSession } from '../steps/images/imagesSession'
import { BandsSession } from '../steps/measure/bands/bandsSession'
import { MeasureSession } from '../steps/measure/measureSession'
import { DraftSession } from '../steps/plan/draftSession'
import { PlanSession } from '../steps/plan/planSession'
import { DrillSession } from '../steps/restore/drill/drillSession'
import { RestoreSession } from '../steps/restore/restoreSession'
import { RomsSession } from '../steps/roms/romsSession'
import { HandSession } from '../steps/source/handSession'
import { ProjectSession } from '../steps/source/project/projectSession'
import { SurveySession } from '../steps/survey/surveySession'

/** After these jobs other volumes may be verified than before. */
const CHANGES_VOLUMES: ReadonlySet<JobEnd['kind']> = new Set(['build', 'write', 'verify', 'check', 'export'])

/** The step on the screen that a kind of job belongs to. */
const STEP_OF: Record<JobEnd['kind'], Step> = {
  survey: 'survey',
  walk: 'source',
  look: 'source',
  measure: 'measure',
  bands: 'measure',
  plan: 'plan',
  export: 'plan',
  build: 'build',
  verify: 'build',
  write: 'build',
  restore: 'restore',
  drill: 'restore',
  repair: 'catalog',
  check: 'catalog',
  image: 'images',
  option: 'choose',
  roms: 'roms',
  // The window does not ask for it.
  fleet: 'survey',
}

/**
 * The window's session with those of all steps. It hands each report of the engine and of main to
 * the step that it concerns.
 */
export class Session extends WindowSession {
  readonly hand = new HandSession(this)
  readonly sources = new SourceSession(this)
  readonly kept = new KeptSession(this)
  readonly look = new LookSession(this)
  readonly survey = new SurveySession(this)
  readonly measure = new MeasureSession(this)
  readonly bands = new BandsSession(this)
  readonly options = new OptionsSession(this)
  readonly plan = new PlanSession(this)
  readonly draft = new DraftSession(this)
  readonly runs = new RunSession(this)
  readonly catalog = new CatalogSession(this)
  readonly sets = new SetSession(this)
  readonly home = new HomeSession(this)
  readonly archive = new ArchiveSession(this)
  readonly adding = new AddSession(this)
  readonly restore = new RestoreSession(this)
  readonly drill = new DrillSession(this)
  readonly check = new CheckSession(this)
  readonly copies = new CopiesSession(this)
  readonly images = new ImagesSession(this)
  readonly roms = new RomsSession(this)
  readonly project = new ProjectSession(this)
  #sharpening = false

  /**
   * Listens to the engine and loads what the window starts with. Returns what ends the listening.
   */
  start(): () => void {
    const { job, survey, measure, bands, app, project } = this.call
    const ends = [
      this.kept.watch(),
      this.look.watch(),
      this.project.watch(),
      project.opened((opened) => this.project.opened(opened)),
      project.wanted((action) => void this.project.do(action)),
      job.progress((progress) => {
        this.jobs.dispatch({ type: 'progress', progress })
        if (progress.kind === 'look') void this.look.proceeded(progress.jobId)
      }),
      job.ended((end) => void this.#ended(end)),
      survey.live((live) => {
        this.survey.store.dispatch({ type: 'live', live })
        if (live.surveyId !== undefined) void this.#sharpen(live.surveyId)
      }),
      measure.live((live) => this.measure.store.dispatch({ type: 'live', live })),
      bands.live((live) => this.bands.store.dispatch({ type: 'live', live })),
      app.sourcesGiven((sources) => {
        if (this.images.takesDropped(sources) || this.restore.takesDropped(sources)) return
        if (this.roms.takesDropped(sources)) return
        void this.hand.take(sources)
      }),
      app.imageGiven((image) => void this.images.openGiven(image)),
      app.engineState((life) => {
        this.frame.dispatch({ type: 'engine', life })
        if (life.state === 'lost') {
          this.jobs.dispatch({ type: 'lost' })
          void this.plan.surveyed({ outcome: 'interrupted' })
        }
        if (life.state === 'ready') void this.#loadLists().then(() => this.#lookAgain())
      }),
      app.settingsWanted(() => this.goTo('settings')),
      app.helpWanted((help) => this.showHelp(help)),
      app.failure((error) => this.failed(error, null)),
    ]
    void this.#open()
    return () => {
      for (const end of ends) end()
    }
  }

  async #open(): Promise<void> {
    const state = await this.ask(null, this.call.app.state(undefined))
    if (!state) return
    const { version, runtime, settings, settingsFile, engine, sources } = state
    this.frame.dispatch({ type: 'opened', version, runtime, settings, settingsFile, engine })
    this.plan.store.dispatch({ type: 'medium', mediumId: settings.medium })
    if (state.project) this.project.opened(state.project)
    else void this.project.loadRecents()
    this.sources.store.dispatch({ type: 'added', sources })
    if (sources.length > 0) this.goTo('source')
    await this.#loadLists()
    if (state.surveyAtOnce && sources.length > 0) await this.survey.start()
  }

  /**
   * Loads the lists that the engine holds. The engine's own state reports its absence, not once per
   * list.
   */
  async #loadLists(): Promise<void> {
    const [media, jobs] = await Promise.all([
      this.call.media.list(undefined),
      this.call.job.list(undefined),
      this.restore.refresh().then(() => this.catalog.refresh()),
      this.measure.loadList(),
      this.images.loadCatalogue(),
      this.bands.loadList(),
    ])
    if (media.ok) this.plan.store.dispatch({ type: 'media', media: media.value })
    else if (media.error.code !== 'engine-lost') this.failed(media.error, null)
    if (jobs.ok) this.jobs.dispatch({ type: 'listed', jobs: jobs.value })
  }

  /** Asks a new engine again for all that a dead one was asked for. */
  #lookAgain(): void {
    this.kept.look()
    void this.restore.again()
    void this.runs.again()
    void this.measure.look()
    void this.bands.look()
    if (this.options.store.get().document) void this.options.look()
  }

  async #ended(end: JobEnd): Promise<void> {
    // The Source step shows all that became of a walk and of a look.
    if (end.kind === 'walk' || end.kind === 'look') {
      this.jobs.dispatch({ type: 'ended', end })
      await (end.kind === 'walk' ? this.kept : this.look).ended(end)
      if (end.kind === 'look' && end.resultId !== null) await this.options.sharpen(end.resultId)
      return
    }
    const step = STEP_OF[end.kind]
    const nothingNew = end.kind === 'plan' ? this.adding.planned(end) : null
    this.options.forget()
    if (end.kind === 'export' && end.error) this.plan.exportFailed(end.error)
    else if (end.kind === 'restore' && end.error && this.restore.locked(end.error)) {
      // The page asks for the password.
    } else if (end.kind === 'check' && end.resultId !== null) {
      // The Catalog step shows what was found.
    } else if (end.kind === 'drill' && end.resultId !== null && this.drill.store.get().isOpen) {
      // The Restore step shows what came back.
    } else if (nothingNew !== null) this.stopped(nothingNew, 'home', end.kind)
    else if (isStopped(end)) this.#showStopped(end, step)
    else if (end.error) this.failed(end.error, step, end.kind)
    if (end.resultId !== null && end.outcome !== 'interrupted') await this.#loadResult(end.kind, end.resultId)
    else if (end.kind === 'survey') this.survey.store.dispatch({ type: 'ended', outcome: end.outcome })
    else if (end.kind === 'measure') this.measure.store.dispatch({ type: 'ended' })
    else if (end.kind === 'image') this.images.store.dispatch({ type: 'ended' })
    else if (end.kind === 'roms') this.roms.store.dispatch({ type: 'ended' })
    else if (end.kind === 'bands') this.bands.store.dispatch({ type: 'ended' })
    else if (end.kind === 'option') this.options.store.dispatch({ type: 'ended' })
    else if (end.kind === 'plan') this.plan.notPlanned()
    else if (end.kind === 'restore') this.restore.notRestored()
    if (CHANGES_VOLUMES.has(end.kind)) this.survey.forgetStored()
    const following = this.runs.following(end)
    this.jobs.dispatch({ type: 'ended', end, following })
    // Nothing new is no failure of the Plan step.
    if (nothingNew !== null) this.jobs.dispatch({ type: 'replaced', kinds: ['plan'] })
    if (end.kind === 'export' && end.outcome === 'done') await this.plan.keepArchive()
    if (end.kind === 'write') await this.runs.writeEnded(end.outcome === 'done')
    if (end.outcome === 'done' || end.resultId !== null) await this.catalog.refresh()
    if (end.kind === 'survey') {
      await this.plan.surveyed(end)
      await this.adding.surveyed(end)
    }
    if (end.kind === 'build') await this.runs.buildEnded(end.outcome === 'done')
    if (end.kind === 'export' && end.outcome === 'done') {
      const directory = this.plan.exported(end.setAside, this.catalog.store.get().plans)
      if (directory !== null) await this.runs.buildAndVerify(directory)
    }
    if (following !== null) this.jobs.dispatch({ type: 'followed' })
  }

  /**
   * Says that a job was stopped and what comes next, where its step has nothing of it to show: that
   * is no failure.
   */
  #showStopped({ kind, outcome, resultId }: JobEnd, step: Step): void {
    if (outcome === 'interrupted')
      this.failed({ code: 'interrupted', message: t(`interrupted.${kind}`) }, step, kind)
    else if (resultId === null && kind !== 'survey') this.stopped(t(`cancelled.${kind}`), step, kind)
  }

  async #loadResult(kind: JobEnd['kind'], resultId: string): Promise<void> {
    switch (kind) {
      case 'survey':
        await this.survey.ended(resultId)
        return this.options.sharpen(resultId)
      case 'measure':
        return this.measure.ended(resultId)
      case 'image':
        return this.images.ended(resultId)
      case 'roms':
        return this.roms.ended(resultId)
      case 'bands':
        return this.bands.ended(resultId)
      case 'option':
        return this.options.ended(resultId)
      case 'restore':
        return this.restore.ended(resultId)
      case 'drill':
        return this.drill.ended(resultId)
      case 'check':
        return this.check.ended(resultId)
      case 'repair':
        return this.check.repaired(resultId)
      case 'plan':
        return this.plan.ended(resultId)
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
    if (await this.survey.read(surveyId)) await this.options.sharpen(surveyId)
    this.#sharpening = false
  }
}

function isStopped({ outcome }: JobEnd): boolean {
  return outcome === 'cancelled' || outcome === 'interrupted'
}
