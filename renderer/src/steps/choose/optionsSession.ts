import type { Option } from '../../../../src/contract/dto/options'
import { pricesOf } from '../../../../src/contract/dto/settings'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { wipe } from '../../../../src/primitives/secretBytes'
import { runningOf } from '../../state/jobs'
import type { KeptSession } from '../../state/source/keptSession'
import type { LookSession } from '../../state/source/lookSession'
import type { SourceSession } from '../../state/source/sourceSession'
import { StepSession } from '../../state/stepSession'
import { createStore } from '../../state/store'
import type { MeasureSession } from '../measure/measureSession'
import type { PlanSession } from '../plan/planSession'
import { packingBy } from '../plan/planState'
import type { SurveySession } from '../survey/surveySession'
import { isOfOtherSource } from '../survey/surveyState'
import { placeNameOf } from './candidates/placeName'
import {
  type ChooseView,
  hasActual,
  initialOptions,
  type OptionsForm,
  optionsRequestOf,
  reduceOptions,
} from './optionsState'
import { usualMedia } from './usualMedia'

/** Everything a person can do in the Choose step; none of it rejects. */
export class OptionsSession extends StepSession<{
  readonly sources: SourceSession
  readonly kept: KeptSession
  readonly look: LookSession
  readonly survey: SurveySession
  readonly measure: MeasureSession
  readonly plan: PlanSession
  readonly draft: { survey(): Promise<void> }
}> {
  readonly store = createStore(reduceOptions, initialOptions)
  protected readonly step = 'choose'
  protected override readonly typingMs = 80
  /** The subject of the last answer; null where it has to be asked for again. */
  #answered: string | null = null

  /**
   * The step is opened, or the survey or profile behind its figures has changed. An answer that is
   * about the same is not asked for again: it is long, and so is drawing it.
   */
  async open(): Promise<void> {
    if (this.store.get().form.mediumIds.length === 0) {
      const { medium } = this.window.frame.get().settings
      const mediumIds = usualMedia(this.window.plan.store.get().media, medium)
      this.store.dispatch({ type: 'set', form: { mediumIds } })
    }
    const { view, compare } = this.store.get()
    const compared = view === 'accuracy' ? this.compare() : hasActual(compare) ? null : this.#findActual()
    if (!this.#isAnswered()) await this.look()
    await compared
  }

  /**
   * The answer may be outdated: by work that ended here, or by another program while the person was
   * there, as one that makes more options may be installed now.
   */
  forget(): void {
    this.#answered = null
  }

  /** Another archive begins: answers that are still to come are dropped. */
  empty(): void {
    this.forget()
    void this.latest(null)
    this.store.dispatch({ type: 'emptied' })
  }

  /** The figures of a survey have become more precise: so do its options, where they are shown. */
  async sharpen(surveyId: string): Promise<void> {
    if (this.store.get().document?.surveyId === surveyId) await this.look()
  }

  /** Changes a preference and asks again: at once, or when typing or dragging pauses. */
  set(form: Partial<OptionsForm>, rests = false): void {
    this.store.dispatch({ type: 'set', form })
    this.lookAgain(rests)
  }

  /** Takes a rule by folder away; it can be undone. */
  removeFolderRule(at: number): void {
    const { folderRules } = this.store.get().form
    const removed = folderRules[at]
    if (removed === undefined) return
    this.set({ folderRules: folderRules.filter((_, each) => each !== at) })
    this.window.removed(pathForDisplay(removed), () => {
      const { folderRules: now } = this.store.get().form
      this.set({ folderRules: [...new Set([...now.slice(0, at), removed, ...now.slice(at)])] })
    })
  }

  /**
   * Asks for the options of the current settings; an answer that a later change has overtaken is
   * dropped.
   */
  override async look(): Promise<void> {
    const subject = this.#subject()
    this.#answered = null
    const surveyId = this.#sourceId()
    const { form: all } = this.store.get()
    // A look does not know what lies in which folder.
    const isLook = surveyId === this.window.look.forecast()?.id
    const asked = isLook ? { ...all, folderRules: [] } : all
    const form = surveyId === undefined ? null : optionsRequestOf(surveyId, asked)
    const prices = pricesOf(this.window.frame.get().settings.prices)
    const request = form && { ...form, ...(prices.length > 0 && { prices }) }
    if (request !== null) this.store.dispatch({ type: 'asking' })
    const isNaming = this.store.get().view === 'candidates'
    const answers = await this.latest(
      request &&
        (() =>
          Promise.all([
            this.call.options.list(request),
            isNaming ? this.call.options.candidates(request) : null,
          ])),
    )
    if (answers === null) return
    const [listed, named] = answers
    const failed = [listed, named].find((each) => each?.ok === false)
    if (listed.ok && named?.ok !== false) {
      this.#answered = subject
      this.store.dispatch({ type: 'listed', document: listed.value, candidates: named && named.value })
    } else if (failed?.ok === false && failed.error.code !== 'engine-lost')
      this.store.dispatch({ type: 'problem', problem: failed.error })
    else this.store.dispatch({ type: 'lost' })
  }

  /** Puts an option next to the chosen one, or takes it away. */
  pick(id: string): void {
    this.store.dispatch({ type: 'picked', id })
  }

  async show(view: ChooseView): Promise<void> {
    this.store.dispatch({ type: 'view', view })
    if (view === 'accuracy') await this.compare()
    if (view === 'candidates' && !this.#isAnswered()) await this.look()
  }

  async compare(): Promise<void> {
    const compare = await this.ask(this.call.options.compare(undefined))
    if (compare) this.store.dispatch({ type: 'compared', compare })
  }

  /**
   * Looks for builds; until one is found there is nothing to compare, so that no failure is shown.
   */
  async #findActual(): Promise<void> {
    const found = await this.call.options.compare(undefined)
    if (found.ok) this.store.dispatch({ type: 'compared', compare: found.value })
  }

  /**
   * Takes an option to the Plan step: what it packs files into, its medium and its encryption. An
   * option of a preliminary estimate is surveyed first, and planned then.
   * @param makes the plan is made at once
   */
  async planWith(option: Option, makes = false): Promise<void> {
    const { plan, draft } = this.window
    const { document } = this.store.get()
    plan.store.dispatch({ type: 'packing', packing: packingBy(option, document?.surveyId ?? '') })
    plan.chooseMedium(option.medium)
    if (document?.preliminary) {
      await draft.survey()
      return
    }
    this.window.goTo('plan')
    if (makes) await plan.start()
  }

  /** Asks where a build of this option goes; nothing is written yet. */
  async choosePlace(option: Option): Promise<void> {
    const roots = this.window.survey.store.get().document?.roots ?? []
    const { document } = this.store.get()
    if (document === null) return
    const { encryption, protection, surveyId } = document.request
    const demands = { encryption, protection }
    const place = await this.ask(
      this.call.app.chooseOptionPlace({ suggestedName: placeNameOf(option, roots) }),
    )
    if (place) this.store.dispatch({ type: 'placed', optionId: option.id, surveyId, demands, ...place })
  }

  /** @param password is overwritten; null where nothing is to be encrypted */
  async build(password: Uint8Array | null): Promise<void> {
    await this.#build(password)
    wipe(password)
  }

  /** A build ended: shows its figures with the forecast and asks for the options again. */
  async ended(buildId: string): Promise<void> {
    const built = await this.ask(this.call.options.built({ buildId }))
    this.store.dispatch(built ? { type: 'built', built } : { type: 'ended' })
    await Promise.all([this.look(), this.compare()])
  }

  #isAnswered(): boolean {
    const { view, candidates } = this.store.get()
    return this.#answered === this.#subject() && (view !== 'candidates' || candidates !== null)
  }

  /**
   * The survey of what is in hand; as long as there is none, the look at it. Without either the
   * survey that is shown.
   */
  #sourceId(): string | undefined {
    const { survey, sources, kept, look } = this.window
    const state = survey.store.get()
    const isSurveyed =
      state.document !== null && !isOfOtherSource(state, sources.store.get(), kept.store.get().rules)
    return (isSurveyed ? undefined : look.forecast()?.id) ?? state.document?.id
  }

  /** All that an answer depends on. */
  #subject(): string {
    const survey = this.window.survey.store.get().document
    const profiles = this.window.measure.store.get().list.map(({ id }) => id)
    return JSON.stringify([this.#sourceId(), survey?.createdWallMs, profiles, this.store.get().form])
  }

  async #build(password: Uint8Array | null): Promise<void> {
    const { inHand } = this.store.get()
    if (inHand === null || runningOf(this.window.jobs.get(), 'option')) return
    const { optionId, surveyId, path, replaces, discard, demands } = inHand
    // Never plain because a password is missing.
    if (demands.encryption !== 'none' && password === null) return
    this.window.clear('choose')
    const request = { surveyId, optionId, path, ...demands, password, force: replaces, discard }
    const asks = () => this.ask(this.call.options.build(request))
    if (await this.window.startJob('option', asks)) this.store.dispatch({ type: 'started' })
  }
}
