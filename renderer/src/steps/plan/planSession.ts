import type { JobEnd } from '../../../../src/contract/dto/job'
import type { Placement, PlanListItem, PlanSearch, VolumeFolder } from '../../../../src/contract/dto/plan'
import type { WireError } from '../../../../src/primitives/appError'
import { runningOf } from '../../state/jobs'
import { SessionPart } from '../../state/stepSession'
import { createStore } from '../../state/store'
import type { SurveySession } from '../survey/surveySession'
import { isSamePlacement } from './placement'
import { initialPlan, LABEL_PREFIX, reducePlan } from './planState'

/** Everything a person can do in the Plan step; none of it rejects. */
export class PlanSession extends SessionPart<{ readonly survey: SurveySession }> {
  readonly store = createStore(reducePlan, initialPlan)
  protected readonly step = 'plan'
  #exporting: { planId: string; directory: string } | null = null

  chooseMedium(mediumId: string): void {
    this.store.dispatch({ type: 'medium', mediumId })
  }

  /** Sets the medium of new plans: also of the next one, where none is shown. */
  setUsualMedium(medium: string): void {
    if (this.store.get().document === null) this.chooseMedium(medium)
    void this.window.saveSettings({ medium })
  }

  /** Makes a plan of what is chosen; true when its job has started. */
  async start(): Promise<boolean> {
    const { document } = this.window.survey.store.get()
    const { mediumId, labelPrefix, packing, builder, placement } = this.store.get()
    if (!document || mediumId === '') return false
    this.window.clear('plan')
    const prefix = labelPrefix !== null && LABEL_PREFIX.test(labelPrefix) ? { labelPrefix } : {}
    const packed = packing && {
      recipe: packing.recipe,
      encryption: packing.encryption,
      joined: packing.joined,
    }
    const built = builder === undefined ? {} : { builder }
    const placed = Object.keys(placement).length === 0 ? {} : { placement }
    const spoken = this.window.frame.get().language === 'de' ? { language: 'de' as const } : {}
    const request = {
      surveyId: document.id,
      mediumId,
      ...prefix,
      ...packed,
      ...built,
      ...spoken,
      ...placed,
    }
    return this.window.startJob('plan', () => this.ask(this.call.plan.start(request)))
  }

  /** Changes what is wanted of the discs. Where there is a plan, it is made again at once. */
  async place(placement: Placement): Promise<void> {
    await this.#place({ placement })
  }

  /** Takes the last change back. */
  async undo(): Promise<void> {
    const placement = this.store.get().before.at(-1)
    if (placement) await this.#place({ placement, isBack: true })
  }

  /** No plan came of what was asked for; why is reported apart. */
  notPlanned(): void {
    this.store.dispatch({ type: 'notPlanned' })
  }

  async #place(change: { placement: Placement; isBack?: boolean }): Promise<void> {
    const { document, placement } = this.store.get()
    if (runningOf(this.window.jobs.get(), 'plan') || isSamePlacement(placement, change.placement)) return
    this.store.dispatch({ type: 'placed', ...change })
    if (document !== null && !(await this.start())) this.notPlanned()
  }

  /**
   * Asks for a folder and exports the shown plan there; with `force` into the folder that was
   * refused before.
   */
  async export(force = false): Promise<void> {
    await this.window.startJob('export', () => this.#export(force))
  }

  /** Asks which builders of images this machine has. */
  async loadBuilders(): Promise<void> {
    const builders = await this.call.plan.builders(undefined)
    if (builders.ok) this.store.dispatch({ type: 'builders', builders: builders.value })
  }

  /**
   * A page of a folder of a disc of the shown plan; null where it could not be loaded. It is empty
   * for a plan from elsewhere, whose files the catalog does not have.
   */
  async folder(
    planId: string,
    volume: number,
    folder: string,
    offset: number,
    limit: number,
  ): Promise<VolumeFolder | null> {
    const page = await this.call.plan.folder({ planId, volume, folder, offset, limit })
    if (!page.ok && page.error.code === 'not-found') return { total: 0, rows: [] }
    return this.ask(Promise.resolve(page))
  }

  /** The discs of a plan that hold what is searched for; null where it could not be searched. */
  async search(planId: string, pattern: string): Promise<PlanSearch | null> {
    return this.ask(this.call.plan.search({ planId, pattern }))
  }

  /** A plan was made. */
  async ended(planId: string): Promise<void> {
    const document = await this.ask(this.call.plan.get({ planId }))
    if (document) this.store.dispatch({ type: 'loaded', document, exportedTo: null })
  }

  /** The folder of a plan as the catalog has it, else the folder that was asked for. */
  exported(setAside: JobEnd['setAside'], plans: readonly PlanListItem[]): void {
    if (!this.#exporting) return
    const { planId, directory } = this.#exporting
    const item = plans.find((plan) => plan.id === planId)
    this.store.dispatch({ type: 'exported', planId, directory: item?.directory ?? directory, setAside })
    this.#exporting = null
  }

  exportFailed(error: WireError): void {
    // What is there already is a question, which the Plan step asks of the plan that it shows.
    const isShown = this.store.get().document?.id === this.#exporting?.planId
    if (error.code === 'exists' && this.#exporting && isShown)
      this.store.dispatch({ type: 'refused', directory: this.#exporting.directory })
    else this.window.failed(error, 'plan')
  }

  async #export(force: boolean): Promise<{ jobId: string } | null> {
    const { document, refusedDirectory } = this.store.get()
    if (!document) return null
    const directory =
      force && refusedDirectory !== null
        ? refusedDirectory
        : await this.ask(this.call.app.chooseDirectory({ purpose: 'export' }))
    if (!directory) return null
    this.window.clear('plan')
    this.store.dispatch({ type: 'refused', directory: null })
    this.#exporting = { planId: document.id, directory }
    const result = await this.call.plan.export({ planId: document.id, directory, force })
    if (result.ok) return result.value
    this.exportFailed(result.error)
    return null
  }
}
