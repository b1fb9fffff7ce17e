import { runningOf } from '../../../state/jobs'
import { StepSession } from '../../../state/stepSession'
import { createStore } from '../../../state/store'
import type { MeasureSession } from '../measureSession'
import { type BandsForm, type BandsState, initialBands, reduceBands, sweepRequestOf } from './bandsState'

/** Everything a person can do about band sizes; none of it rejects. */
export class BandsSession extends StepSession<{ readonly measure: MeasureSession }> {
  readonly store = createStore(reduceBands, initialBands)
  protected readonly step = 'measure'

  /** Shows the disk or the band sizes; a folder that was chosen for one is there for the other. */
  show(view: BandsState['view']): void {
    this.store.dispatch({ type: 'view', view })
    const chosen = this.window.measure.store.get().form.place
    if (view === 'bands' && this.store.get().form.place === null && chosen?.mayWrite)
      this.set({ place: chosen.path })
  }

  async choosePlace(): Promise<void> {
    const path = await this.ask(this.call.app.chooseDirectory({ purpose: 'measure' }))
    if (path !== null) this.set({ place: path })
  }

  /** Changes what is set and looks at what that would do: at once, or when typing rests. */
  set(form: Partial<BandsForm>, typed = false): void {
    this.store.dispatch({ type: 'set', form })
    this.lookAgain(typed)
  }

  /**
   * Asks what the current form would write; an answer that a later change has overtaken is dropped.
   */
  override async look(): Promise<void> {
    const request = sweepRequestOf(this.store.get().form)
    const result = await this.latest(request && (() => this.call.bands.preview(request)))
    if (result === null) return
    if (result.ok) this.store.dispatch({ type: 'previewed', preview: result.value })
    else if (result.error.code !== 'engine-lost')
      this.store.dispatch({ type: 'problem', problem: result.error })
  }

  async start(): Promise<void> {
    const request = sweepRequestOf(this.store.get().form)
    if (request === null || runningOf(this.window.jobs.get(), 'bands', 'measure')) return
    this.window.clear('measure')
    this.store.dispatch({ type: 'started' })
    await this.window.startJob('bands', () => this.ask(this.call.bands.start(request)))
  }

  /** Shows a sweep of the catalog. */
  async open(sweepId: string): Promise<void> {
    const document = await this.ask(this.call.bands.get({ sweepId }))
    if (document) this.store.dispatch({ type: 'loaded', document })
  }

  /** A sweep ended and left this one in the catalog. */
  async ended(sweepId: string): Promise<void> {
    await this.open(sweepId)
    await this.loadList()
    // The free space may have changed.
    await this.look()
  }

  /** The engine's own state reports its absence. */
  async loadList(): Promise<void> {
    const list = await this.call.bands.list(undefined)
    if (list.ok) this.store.dispatch({ type: 'listed', list: list.value })
  }
}
