import type { Client } from '../../../../../src/contract/defineSchema'
import type { RendererSchema } from '../../../../../src/contract/rendererSchema'
import type { Result } from '../../../../../src/primitives/result'
import { runningOf } from '../../../state/jobs'
import type { Stores } from '../../../state/windowStores'
import { type BandsForm, type BandsState, sweepRequestOf } from './bandsState'

/** What is typed is looked at once the person rests. */
const TYPING_MS = 300

/** Everything a person can do about band sizes; none of it rejects. */
export class BandsSession {
  readonly #call: Client<RendererSchema>
  readonly #stores: Pick<Stores, 'frame' | 'jobs' | 'bands' | 'measure'>
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

  /** Shows the disk or the band sizes; a folder that was chosen for one is there for the other. */
  show(view: BandsState['view']): void {
    this.#stores.bands.dispatch({ type: 'view', view })
    const chosen = this.#stores.measure.get().form.place
    if (view === 'bands' && this.#stores.bands.get().form.place === null && chosen?.mayWrite)
      this.set({ place: chosen.path })
  }

  async choosePlace(): Promise<void> {
    const path = await this.#ask(this.#call.app.chooseDirectory({ purpose: 'measure' }))
    if (path !== null) this.set({ place: path })
  }

  /** Changes what is set and looks at what that would do: at once, or when typing rests. */
  set(form: Partial<BandsForm>, typed = false): void {
    this.#stores.bands.dispatch({ type: 'set', form })
    clearTimeout(this.#typing)
    this.#turn += 1
    if (typed) this.#typing = setTimeout(() => void this.look(), TYPING_MS)
    else void this.look()
  }

  /** Asks what the form as it stands would write; an answer that a later change has overtaken is dropped. */
  async look(): Promise<void> {
    const request = sweepRequestOf(this.#stores.bands.get().form)
    this.#turn += 1
    const turn = this.#turn
    if (request === null) return
    const result = await this.#call.bands.preview(request)
    if (turn !== this.#turn) return
    if (result.ok) this.#stores.bands.dispatch({ type: 'previewed', preview: result.value })
    else if (result.error.code !== 'engine-lost')
      this.#stores.bands.dispatch({ type: 'problem', problem: result.error })
  }

  async start(): Promise<void> {
    const request = sweepRequestOf(this.#stores.bands.get().form)
    if (request === null || runningOf(this.#stores.jobs.get(), 'bands', 'measure')) return
    this.#stores.frame.dispatch({ type: 'cleared', step: 'measure' })
    this.#stores.bands.dispatch({ type: 'started' })
    const started = await this.#ask(this.#call.bands.start(request))
    if (started) this.#stores.jobs.dispatch({ type: 'started', jobId: started.jobId, kind: 'bands' })
  }

  /** Shows a sweep of the catalog. */
  async open(sweepId: string): Promise<void> {
    const document = await this.#ask(this.#call.bands.get({ sweepId }))
    if (document) this.#stores.bands.dispatch({ type: 'loaded', document })
  }

  /** A sweep ended and left this one in the catalog. */
  async ended(sweepId: string): Promise<void> {
    await this.open(sweepId)
    await this.loadList()
    // The free space may have changed.
    await this.look()
  }

  /** Its absence is told by the engine's own state. */
  async loadList(): Promise<void> {
    const list = await this.#call.bands.list(undefined)
    if (list.ok) this.#stores.bands.dispatch({ type: 'listed', list: list.value })
  }
}
