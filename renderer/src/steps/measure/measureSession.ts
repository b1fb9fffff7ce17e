import type { Client } from '../../../../src/contract/defineSchema'
import type { RendererSchema } from '../../../../src/contract/rendererSchema'
import type { Result } from '../../../../src/primitives/result'
import { runningOf } from '../../state/jobs'
import type { Stores } from '../../state/windowStores'
import { type MeasureForm, type MeasurePlace, requestOf } from './measureState'

/** What is typed is looked at once the person rests. */
const TYPING_MS = 300

/** Everything a person can do in the Measure step; none of it rejects. */
export class MeasureSession {
  readonly #call: Client<RendererSchema>
  readonly #stores: Pick<Stores, 'frame' | 'jobs' | 'measure' | 'survey'>
  /** Answers what was asked, or tells the failure in the step and answers null. */
  readonly #ask: <T>(asked: Promise<Result<T>>) => Promise<T | null>
  #turn = 0
  #typing: ReturnType<typeof setTimeout> | undefined

  constructor(
    call: Client<RendererSchema>,
    stores: Stores,
    ask: <T>(asked: Promise<Result<T>>) => Promise<T | null>,
  ) {
    this.#call = call
    this.#stores = stores
    this.#ask = ask
  }

  async choosePlace(): Promise<void> {
    const path = await this.#ask(this.#call.app.chooseDirectory({ purpose: 'measure' }))
    if (path !== null) this.takePlace({ path, mayWrite: true })
  }

  takePlace(place: MeasurePlace): void {
    this.set({ place })
  }

  /** Changes what is set and looks at what that would do: at once, or when typing rests. */
  set(form: Partial<MeasureForm>, typed = false): void {
    this.#stores.measure.dispatch({ type: 'set', form })
    clearTimeout(this.#typing)
    this.#turn += 1
    if (typed) this.#typing = setTimeout(() => void this.look(), TYPING_MS)
    else void this.look()
  }

  /** Asks what the form as it stands would write; an answer that a later change has overtaken is dropped. */
  async look(): Promise<void> {
    const request = this.#request()
    this.#turn += 1
    const turn = this.#turn
    if (request === null) return
    const result = await this.#call.measure.preview(request)
    if (turn !== this.#turn) return
    if (result.ok) this.#stores.measure.dispatch({ type: 'previewed', preview: result.value })
    else if (result.error.code !== 'engine-lost')
      this.#stores.measure.dispatch({ type: 'problem', problem: result.error })
  }

  async start(): Promise<void> {
    const request = this.#request()
    if (request === null || runningOf(this.#stores.jobs.get(), 'measure')) return
    this.#stores.frame.dispatch({ type: 'cleared', step: 'measure' })
    this.#stores.measure.dispatch({ type: 'started' })
    const started = await this.#ask(this.#call.measure.start(request))
    if (started) this.#stores.jobs.dispatch({ type: 'started', jobId: started.jobId, kind: 'measure' })
  }

  /** Shows a measurement of the catalog. */
  async open(measurementId: string): Promise<void> {
    const document = await this.#ask(this.#call.measure.get({ measurementId }))
    if (document) this.#stores.measure.dispatch({ type: 'loaded', document })
  }

  /** Sets everything as the shown measurement had it. */
  again(): void {
    const { document } = this.#stores.measure.get()
    if (!document) return
    const { id, directory, readOnly, spec } = document
    this.set({
      place: { path: directory, mayWrite: !readOnly },
      spec: 'again',
      again: { id, name: spec.name },
      budget: '',
      cache: 'spec',
      readOnly,
    })
  }

  /** Lays the shown measurement over an earlier one; null takes it away. */
  async compareWith(measurementId: string | null): Promise<void> {
    const shown = this.#stores.measure.get().document
    if (measurementId === null || !shown) {
      this.#stores.measure.dispatch({ type: 'compared', other: null })
      return
    }
    const [document, comparison] = await Promise.all([
      this.#ask(this.#call.measure.get({ measurementId })),
      this.#ask(this.#call.measure.compare({ a: measurementId, b: shown.id })),
    ])
    if (document && comparison && this.#stores.measure.get().document?.id === shown.id)
      this.#stores.measure.dispatch({ type: 'compared', other: { document, comparison } })
  }

  /** A measurement ended and left this one in the catalog. */
  async ended(measurementId: string): Promise<void> {
    await this.open(measurementId)
    await this.loadList()
    // The free space has changed, and what was agreed to is done.
    await this.look()
  }

  /** Its absence is told by the engine's own state. */
  async loadList(): Promise<void> {
    const list = await this.#call.measure.list(undefined)
    if (list.ok) this.#stores.measure.dispatch({ type: 'listed', list: list.value })
  }

  #request() {
    const survey = this.#stores.survey.get().document
    return requestOf(this.#stores.measure.get().form, survey?.id ?? null)
  }
}
