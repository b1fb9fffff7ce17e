import type { Option } from '../../../../src/contract/dto/options'
import { wipe } from '../../../../src/primitives/secretBytes'
import { runningOf } from '../../state/jobs'
import { StepSession } from '../../state/stepSession'
import { usualMedia } from '../source/answers'
import { placeNameOf } from './candidates/placeName'
import { type ChooseView, type OptionsForm, optionsRequestOf } from './optionsState'

/** Everything a person can do in the Choose step; none of it rejects. */
export class OptionsSession extends StepSession {
  protected override readonly typingMs = 80

  /** The step is opened, or the survey or profile behind its figures has changed. */
  async open(): Promise<void> {
    const { options, frame, plan } = this.stores
    if (options.get().form.mediumIds.length === 0) {
      const mediumIds = usualMedia(plan.get().media, frame.get().settings.mediumId)
      options.dispatch({ type: 'set', form: { mediumIds } })
    }
    await this.look()
    if (options.get().view === 'accuracy') await this.compare()
  }

  /** The figures of a survey have become more precise: so do its options, where they are shown. */
  async sharpen(surveyId: string): Promise<void> {
    if (this.stores.options.get().document?.surveyId === surveyId) await this.look()
  }

  /** Changes a preference and asks again: at once, or when typing or dragging pauses. */
  set(form: Partial<OptionsForm>, rests = false): void {
    this.stores.options.dispatch({ type: 'set', form })
    this.lookAgain(rests)
  }

  /**
   * Asks for the options of the current settings; an answer that a later change has overtaken is
   * dropped.
   */
  override async look(): Promise<void> {
    const { options, survey } = this.stores
    const surveyId = survey.get().document?.id
    const request = surveyId === undefined ? null : optionsRequestOf(surveyId, options.get().form)
    if (request !== null) options.dispatch({ type: 'asking' })
    const isNaming = options.get().view === 'candidates'
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
    if (listed.ok && named?.ok !== false)
      options.dispatch({ type: 'listed', document: listed.value, candidates: named && named.value })
    else if (failed?.ok === false && failed.error.code !== 'engine-lost')
      options.dispatch({ type: 'problem', problem: failed.error })
    else options.dispatch({ type: 'lost' })
  }

  /** Puts an option next to the chosen one, or takes it away. */
  pick(id: string): void {
    this.stores.options.dispatch({ type: 'picked', id })
  }

  async show(view: ChooseView): Promise<void> {
    this.stores.options.dispatch({ type: 'view', view })
    if (view === 'accuracy') await this.compare()
    if (view === 'candidates') await this.look()
  }

  async compare(): Promise<void> {
    const compare = await this.ask(this.call.options.compare(undefined))
    if (compare) this.stores.options.dispatch({ type: 'compared', compare })
  }

  /** Asks where a build of this option goes; nothing is written yet. */
  async choosePlace(option: Option): Promise<void> {
    const roots = this.stores.survey.get().document?.roots ?? []
    const { document } = this.stores.options.get()
    if (document === null) return
    const { encryption, protection, surveyId } = document.request
    const demands = { encryption, protection }
    const place = await this.ask(
      this.call.app.chooseOptionPlace({ suggestedName: placeNameOf(option, roots) }),
    )
    if (place)
      this.stores.options.dispatch({ type: 'placed', optionId: option.id, surveyId, demands, ...place })
  }

  /** @param password is overwritten; null where nothing is to be encrypted */
  async build(password: Uint8Array | null): Promise<void> {
    await this.#build(password)
    wipe(password)
  }

  /** A build ended: shows its figures with the forecast and asks for the options again. */
  async ended(buildId: string): Promise<void> {
    const built = await this.ask(this.call.options.built({ buildId }))
    this.stores.options.dispatch(built ? { type: 'built', built } : { type: 'ended' })
    await Promise.all([this.look(), this.compare()])
  }

  async #build(password: Uint8Array | null): Promise<void> {
    const { inHand } = this.stores.options.get()
    if (inHand === null || runningOf(this.stores.jobs.get(), 'option')) return
    const { optionId, surveyId, path, replaces, discard, demands } = inHand
    // Never plain because a password is missing.
    if (demands.encryption !== 'none' && password === null) return
    this.stores.frame.dispatch({ type: 'cleared', step: 'choose' })
    const request = { surveyId, optionId, path, ...demands, password, force: replaces, discard }
    const asks = () => this.ask(this.call.options.build(request))
    if (await this.startJob('option', asks)) this.stores.options.dispatch({ type: 'started' })
  }
}
