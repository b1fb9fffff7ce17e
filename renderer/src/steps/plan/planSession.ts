import type { ArchiveDocument } from '../../../../src/contract/dto/archive'
import type { JobEnd } from '../../../../src/contract/dto/job'
import type { OptionsDocument } from '../../../../src/contract/dto/options'
import type {
  Placement,
  PlanComparison,
  PlanComparisonRequest,
  PlanListItem,
  PlanSearch,
  ProtectionComparison,
  VolumeFolder,
} from '../../../../src/contract/dto/plan'
import type { ProjectName } from '../../../../src/contract/dto/project'
import { pricesOf } from '../../../../src/contract/dto/settings'
import type { WireError } from '../../../../src/primitives/appError'
import type { Language } from '../../../../src/primitives/languages'
import { titleOfRoots } from '../../format/paths'
import { runningOf } from '../../state/jobs'
import { SessionPart } from '../../state/stepSession'
import { createStore, type Readable } from '../../state/store'
import type { SurveySession } from '../survey/surveySession'
import { addedTo, addedToBy, earlierOf, newestMade } from './growing'
import { parityAsked } from './parity'
import { isSamePlacement, ofOtherDiscs } from './placement'
import { initialPlan, LABEL_PREFIX, reducePlan } from './planState'
import { protectionAsked } from './recovery'

/** The sessions of other steps, as a plan needs them. */
interface Others {
  readonly hand: { isPlanOf(plan: { readonly surveyId: string }): boolean }
  readonly survey: SurveySession
  readonly options: { readonly store: Readable<{ readonly document: OptionsDocument | null }> }
  readonly project: {
    readonly store: Readable<{ readonly open: { readonly id: string } | null }>
    name(): ProjectName | undefined
  }
  readonly catalog: {
    readonly store: { get(): { readonly archives: { readonly archives: readonly ArchiveDocument[] } } }
  }
}

/** Everything a person can do in the Plan step; none of it rejects. */
export class PlanSession extends SessionPart<Others> {
  readonly store = createStore(reducePlan, initialPlan)
  protected readonly step = 'plan'
  #exporting: { planId: string; directory: string; isBuilt: boolean } | null = null

  /** The options that are listed: a packing is named by its option. */
  get options(): Others['options']['store'] {
    return this.window.options.store
  }

  /** The project that is open: the next plan may add to one of its plans. */
  get project(): Others['project']['store'] {
    return this.window.project.store
  }

  chooseMedium(mediumId: string): void {
    this.store.dispatch({ type: 'medium', mediumId })
  }

  /** Sets the medium of new plans: also of the next one, where none is shown. */
  setUsualMedium(medium: string): void {
    if (this.store.get().document === null) this.chooseMedium(medium)
    void this.window.saveSettings({ medium })
  }

  /** Unfolds the details of the plan, or folds them. */
  detail(isDetailed: boolean): void {
    this.store.dispatch({ type: 'detailed', isDetailed })
  }

  /** Another archive begins, on the medium of the settings. */
  empty(): void {
    this.store.dispatch({ type: 'emptied', mediumId: this.window.frame.get().settings.medium })
  }

  /**
   * Makes a plan of what is chosen; true when its job has started, or will start once the running
   * survey has the forecasts that packing needs.
   * @param isAgain the shown plan is made again with other wishes, and adds to what it added to
   */
  async start({ isAgain = false } = {}): Promise<boolean> {
    const { document } = this.window.survey.store.get()
    if (
      !document ||
      this.store.get().mediumId === '' ||
      !this.window.hand.isPlanOf({ surveyId: document.id })
    )
      return false
    if (this.store.get().packing !== null && this.waitForSurvey()) return true
    if (this.store.get().isWaiting) this.store.dispatch({ type: 'waiting', isWaiting: false })
    if (!isAgain)
      await this.findEarlier(
        this.window.catalog.store.get().archives.archives,
        this.window.project.name()?.id,
      )
    const state = this.store.get()
    const { mediumId, labelPrefix, packing, copies } = state
    const addTo = isAgain ? addedToBy(state.document) : addedTo(state)
    // Pins and labels name discs of the earlier plan.
    const isNext = addTo !== null && state.document?.id === addTo
    const placement = isNext ? ofOtherDiscs(state.placement) : state.placement
    const protection = protectionAsked(state)
    const parityDiscs = parityAsked(state)
    this.window.clear('plan')
    const prefix = labelPrefix !== null && LABEL_PREFIX.test(labelPrefix) ? { labelPrefix } : {}
    const packed = packing && {
      recipe: packing.recipe,
      encryption: packing.encryption,
      joined: packing.joined,
    }
    const placed = Object.keys(placement).length === 0 ? {} : { placement }
    const spoken = this.#language === 'en' ? {} : { language: this.#language }
    const prices = pricesOf(this.window.frame.get().settings.prices)
    const request = {
      surveyId: document.id,
      ...this.#archive(document.roots),
      mediumId,
      ...prefix,
      ...packed,
      ...spoken,
      ...placed,
      ...(protection === undefined ? {} : { protection }),
      ...(parityDiscs === 0 ? {} : { protectSet: parityDiscs }),
      ...(copies === null ? {} : { copies }),
      ...(addTo === null ? {} : { addTo }),
      ...(addTo !== null && state.recordNames ? { recordNames: true } : {}),
      ...(prices.length === 0 ? {} : { prices }),
    }
    return this.window.startJob('plan', () => this.ask(this.call.plan.start(request)))
  }

  /** Makes the plan as soon as the running survey has ended; false where none runs. */
  waitForSurvey(): boolean {
    if (!runningOf(this.window.jobs.get(), 'survey')) return false
    this.window.clear('plan')
    this.store.dispatch({ type: 'waiting', isWaiting: true })
    return true
  }

  /** A survey has ended: makes the plan that waited for its forecasts. */
  async surveyed({ outcome }: Pick<JobEnd, 'outcome'>): Promise<void> {
    if (!this.store.get().isWaiting) return
    this.store.dispatch({ type: 'waiting', isWaiting: false })
    if (outcome === 'done') await this.start()
  }

  /** The archive of a plan: the open one, or a new one with the name of the first source. */
  #archive(roots: readonly string[]): { project: ProjectName } | { beginsArchive: string } {
    const open = this.window.project.name()
    return open
      ? { project: open }
      : { beginsArchive: titleOfRoots(roots.slice(0, 1)).slice(0, LONGEST_NAME) }
  }

  /** Finds the plan of what is open that a new one adds to: the newest that was built. */
  async findEarlier(archives: readonly ArchiveDocument[], openId: string | undefined): Promise<void> {
    const planId = newestMade(archives, openId)
    const { earlier } = this.store.get()
    if (planId === (earlier?.planId ?? null)) return
    const document = planId === null ? null : await this.ask(this.call.plan.get({ planId }))
    this.store.dispatch({ type: 'earlier', earlier: document && earlierOf(document) })
  }

  /** The plans in each order; null where they could not be compared, and the reason is shown. */
  async compare(): Promise<PlanComparison | null> {
    const request = this.#compared()
    return request && this.ask(this.call.plan.compare(request))
  }

  /** The levels of protection; null where they could not be compared, and the reason is shown. */
  async compareProtection(): Promise<ProtectionComparison | null> {
    const request = this.#compared()
    return request && this.ask(this.call.plan.compareProtection(request))
  }

  /** The settings of plans that are compared; null without a survey. */
  #compared(): PlanComparisonRequest | null {
    const { document } = this.window.survey.store.get()
    const { mediumId, labelPrefix, placement, ...settings } = this.store.get()
    const protection = protectionAsked({ ...settings, mediumId })
    if (!document) return null
    this.window.clear('plan')
    return {
      surveyId: document.id,
      mediumId,
      placement,
      ...(protection === undefined ? {} : { protection }),
      ...(labelPrefix !== null && LABEL_PREFIX.test(labelPrefix) ? { labelPrefix } : {}),
    }
  }

  /** The language of what is written for a person to read. */
  get #language(): Language {
    return this.window.frame.get().language === 'de' ? 'de' : 'en'
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
    if (document !== null && !(await this.start({ isAgain: true }))) this.notPlanned()
  }

  /** Asks for a folder and exports the shown plan there. */
  async export(): Promise<void> {
    await this.window.startJob('export', async () => {
      const directory = await this.#chosenPlace()
      return directory === null ? null : this.#export(directory, { isBuilt: false })
    })
  }

  /** Exports the shown plan into the folder that was refused before. */
  async replace(): Promise<void> {
    const { refusedDirectory } = this.store.get()
    if (refusedDirectory === null) return
    const isBuilt = this.#exporting?.isBuilt ?? false
    await this.window.startJob('export', () => this.#export(refusedDirectory, { isBuilt, force: true }))
  }

  /** Asks main for the place of the shown plan, unless it is known. */
  async findPlace(planId: string): Promise<void> {
    const { document, place } = this.store.get()
    if (document?.id !== planId || place?.planId === planId) return
    const name = document.project?.name ?? titleOfRoots(document.roots)
    const inArchive =
      document.addsTo && document.project ? await this.#placeInArchive(document.project.id) : null
    const directory =
      inArchive ?? (await this.ask(this.call.app.setPlace({ name: name.slice(0, LONGEST_NAME) })))
    if (directory !== null) this.store.dispatch({ type: 'place', planId, directory })
  }

  /** The place next to the earlier plans of an archive; null where none is known. */
  async #placeInArchive(archiveId: string): Promise<string | null> {
    const addition = await this.call.archive.addition({ archiveId })
    return addition.ok ? addition.value.directory : null
  }

  /** Asks for another place. */
  async choosePlace(): Promise<void> {
    const { document } = this.store.get()
    const directory = await this.#chosenPlace()
    if (document === null || directory === null) return
    this.store.dispatch({ type: 'refused', directory: null })
    this.store.dispatch({ type: 'place', planId: document.id, directory })
  }

  /**
   * Exports the shown plan to its place unless it is exported, after which the Build step builds
   * and verifies it.
   * @returns the folder of a plan that is exported already; null else
   */
  async exportToBuild(): Promise<string | null> {
    const { document, exportedTo, place } = this.store.get()
    if (document === null || !this.window.hand.isPlanOf(document)) return null
    if (exportedTo !== null || place?.planId !== document.id) return exportedTo
    await this.window.startJob('export', () => this.#export(place.directory, { isBuilt: true }))
    return null
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

  /** Keeps what was exported as an archive, which can be opened again from then on. */
  async keepArchive(): Promise<void> {
    if (this.#exporting) await this.ask(this.call.archive.keep({ planId: this.#exporting.planId }))
  }

  /**
   * Notes the folder of a plan as the catalog has it, else the folder that was asked for.
   * @returns the folder where it is built next; null else
   */
  exported(setAside: JobEnd['setAside'], plans: readonly PlanListItem[]): string | null {
    if (!this.#exporting) return null
    const { planId, directory: asked, isBuilt } = this.#exporting
    const directory = plans.find((plan) => plan.id === planId)?.directory ?? asked
    this.store.dispatch({ type: 'exported', planId, directory, setAside })
    this.#exporting = null
    return isBuilt ? directory : null
  }

  exportFailed(error: WireError): void {
    // What is there already is a question, which the Plan step asks of the plan that it shows.
    const isShown = this.store.get().document?.id === this.#exporting?.planId
    if (error.code === 'exists' && this.#exporting && isShown)
      this.store.dispatch({ type: 'refused', directory: this.#exporting.directory })
    else this.window.failed(error, 'plan')
  }

  #chosenPlace(): Promise<string | null> {
    return this.ask(this.call.app.chooseDirectory({ purpose: 'export' }))
  }

  async #export(
    directory: string,
    { isBuilt, force = false }: { isBuilt: boolean; force?: boolean },
  ): Promise<{ jobId: string } | null> {
    const { document } = this.store.get()
    if (!document || !this.window.hand.isPlanOf(document)) return null
    this.window.clear('plan')
    this.store.dispatch({ type: 'refused', directory: null })
    this.#exporting = { planId: document.id, directory, isBuilt }
    const result = await this.call.plan.export({
      planId: document.id,
      directory,
      force,
      language: this.#language,
    })
    if (result.ok) return result.value
    this.exportFailed(result.error)
    return null
  }
}

/** Main takes so many characters of a name. */
const LONGEST_NAME = 200
