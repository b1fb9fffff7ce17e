import { runningOf } from '../../state/jobs'
import { StepSession } from '../../state/stepSession'
import { createStore } from '../../state/store'
import type { SurveySession } from '../survey/surveySession'
import { initialMeasure, type MeasureForm, reduceMeasure, requestOf } from './measureState'

/** Everything a person can do in the Measure step; none of it rejects. */
export class MeasureSession extends StepSession<{ readonly survey: SurveySession }> {
  readonly store = createStore(reduceMeasure, initialMeasure)
  protected readonly step = 'measure'

  async choosePlace(): Promise<void> {
    const path = await this.ask(this.call.app.chooseDirectory({ purpose: 'measure' }))
    if (path !== null) this.set({ place: { path, mayWrite: true } })
  }

  /** Changes what is set and looks at what that would do: at once, or when typing rests. */
  set(form: Partial<MeasureForm>, typed = false): void {
    this.store.dispatch({ type: 'set', form })
    this.lookAgain(typed)
  }

  /**
   * Asks what the current form would write; an answer that a later change has overtaken is dropped.
   */
  override async look(): Promise<void> {
    const request = this.#request()
    const result = await this.latest(request && (() => this.call.measure.preview(request)))
    if (result === null) return
    if (result.ok) this.store.dispatch({ type: 'previewed', preview: result.value })
    else if (result.error.code !== 'engine-lost')
      this.store.dispatch({ type: 'problem', problem: result.error })
  }

  async start(): Promise<void> {
    const request = this.#request()
    if (request === null || runningOf(this.window.jobs.get(), 'measure')) return
    this.window.clear('measure')
    this.store.dispatch({ type: 'started' })
    await this.window.startJob('measure', () => this.ask(this.call.measure.start(request)))
  }

  /** Shows a measurement of the catalog. */
  async open(measurementId: string): Promise<void> {
    const document = await this.ask(this.call.measure.get({ measurementId }))
    if (document) this.store.dispatch({ type: 'loaded', document })
  }

  /** Sets everything as the shown measurement had it. */
  again(): void {
    const { document } = this.store.get()
    if (!document) return
    const { id, directory, readOnly, spec, container } = document
    this.set({
      place: { path: directory, mayWrite: !readOnly },
      spec: 'again',
      again: { id, name: spec.name },
      budget: '',
      cache: 'spec',
      readOnly,
      inside: container?.kind ?? 'disk',
      encryption: container?.encryption ?? null,
    })
  }

  /** Lays the shown measurement over an earlier one; null takes it away. */
  async compareWith(measurementId: string | null): Promise<void> {
    const shown = this.store.get().document
    if (measurementId === null || !shown) {
      this.store.dispatch({ type: 'compared', other: null })
      return
    }
    const [document, comparison] = await Promise.all([
      this.ask(this.call.measure.get({ measurementId })),
      this.ask(this.call.measure.compare({ a: measurementId, b: shown.id })),
    ])
    if (document && comparison && this.store.get().document?.id === shown.id)
      this.store.dispatch({ type: 'compared', other: { document, comparison } })
  }

  /** A measurement ended and left this one in the catalog. */
  async ended(measurementId: string): Promise<void> {
    await this.open(measurementId)
    await this.loadList()
    // The free space has changed, and what was agreed to is done.
    await this.look()
  }

  /** The engine's own state reports its absence. */
  async loadList(): Promise<void> {
    const list = await this.call.measure.list(undefined)
    if (list.ok) this.store.dispatch({ type: 'listed', list: list.value })
  }

  #request() {
    const survey = this.window.survey.store.get().document
    return requestOf(this.store.get().form, survey?.id ?? null)
  }
}
