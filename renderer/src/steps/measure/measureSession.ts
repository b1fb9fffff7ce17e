import { runningOf } from '../../state/jobs'
import { StepSession } from '../../state/stepSession'
import { type MeasureForm, requestOf } from './measureState'

/** Everything a person can do in the Measure step; none of it rejects. */
export class MeasureSession extends StepSession {
  async choosePlace(): Promise<void> {
    const path = await this.ask(this.call.app.chooseDirectory({ purpose: 'measure' }))
    if (path !== null) this.set({ place: { path, mayWrite: true } })
  }

  /** Changes what is set and looks at what that would do: at once, or when typing rests. */
  set(form: Partial<MeasureForm>, typed = false): void {
    this.stores.measure.dispatch({ type: 'set', form })
    this.lookAgain(typed)
  }

  /**
   * Asks what the current form would write; an answer that a later change has overtaken is dropped.
   */
  override async look(): Promise<void> {
    const request = this.#request()
    const result = await this.latest(request && (() => this.call.measure.preview(request)))
    if (result === null) return
    if (result.ok) this.stores.measure.dispatch({ type: 'previewed', preview: result.value })
    else if (result.error.code !== 'engine-lost')
      this.stores.measure.dispatch({ type: 'problem', problem: result.error })
  }

  async start(): Promise<void> {
    const request = this.#request()
    if (request === null || runningOf(this.stores.jobs.get(), 'measure')) return
    this.stores.frame.dispatch({ type: 'cleared', step: 'measure' })
    this.stores.measure.dispatch({ type: 'started' })
    await this.startJob('measure', () => this.ask(this.call.measure.start(request)))
  }

  /** Shows a measurement of the catalog. */
  async open(measurementId: string): Promise<void> {
    const document = await this.ask(this.call.measure.get({ measurementId }))
    if (document) this.stores.measure.dispatch({ type: 'loaded', document })
  }

  /** Sets everything as the shown measurement had it. */
  again(): void {
    const { document } = this.stores.measure.get()
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
    const shown = this.stores.measure.get().document
    if (measurementId === null || !shown) {
      this.stores.measure.dispatch({ type: 'compared', other: null })
      return
    }
    const [document, comparison] = await Promise.all([
      this.ask(this.call.measure.get({ measurementId })),
      this.ask(this.call.measure.compare({ a: measurementId, b: shown.id })),
    ])
    if (document && comparison && this.stores.measure.get().document?.id === shown.id)
      this.stores.measure.dispatch({ type: 'compared', other: { document, comparison } })
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
    if (list.ok) this.stores.measure.dispatch({ type: 'listed', list: list.value })
  }

  #request() {
    const survey = this.stores.survey.get().document
    return requestOf(this.stores.measure.get().form, survey?.id ?? null)
  }
}
