import type { Result } from '../../../../src/primitives/result'
import { runningOf } from '../../state/jobs'
import { StepSession } from '../../state/stepSession'
import type { Store } from '../../state/store'
import type { Timed, TimedAction, TimedState } from './timedState'

/** The calls to the engine that time something and know what was timed before. */
interface TimedCalls<T extends Timed> {
  preview(request: T['request']): Promise<Result<T['preview']>>
  start(request: T['request']): Promise<Result<{ jobId: string }>>
  get(id: string): Promise<Result<T['document']>>
  list(): Promise<Result<readonly T['item'][]>>
}

/** Everything that a measurement and a sweep let a person do; none of it rejects. */
export abstract class TimedSession<T extends Timed, Others> extends StepSession<Others> {
  abstract readonly store: {
    get(): TimedState<T>
    dispatch(action: TimedAction<T>): void
    subscribe: Store<unknown, unknown>['subscribe']
  }
  protected readonly step = 'measure'
  protected abstract readonly kind: 'measure' | 'bands'
  protected abstract readonly calls: TimedCalls<T>

  /** The request of the form; null while something is missing or wrong. */
  protected abstract request(): T['request'] | null

  async choosePlace(): Promise<void> {
    const path = await this.ask(this.call.app.chooseDirectory({ purpose: 'measure' }))
    if (path !== null) this.set({ place: { path, mayWrite: true } })
  }

  /** Changes what is set and looks at what that would do: at once, or when typing rests. */
  set(form: Partial<T['form']>, typed = false): void {
    this.store.dispatch({ type: 'set', form })
    this.lookAgain(typed)
  }

  agree(agreed: boolean): void {
    this.store.dispatch({ type: 'agreed', agreed })
  }

  /**
   * Asks what the current form would write; an answer that a later change has overtaken is dropped.
   */
  override async look(): Promise<void> {
    const request = this.request()
    const result = await this.latest(request && (() => this.calls.preview(request)))
    if (result === null) return
    if (result.ok) this.store.dispatch({ type: 'previewed', preview: result.value })
    else if (result.error.code !== 'engine-lost')
      this.store.dispatch({ type: 'problem', problem: result.error })
  }

  async start(): Promise<void> {
    const request = this.request()
    if (request === null || runningOf(this.window.jobs.get(), 'bands', 'measure')) return
    this.window.clear('measure')
    this.store.dispatch({ type: 'started' })
    await this.window.startJob(this.kind, () => this.ask(this.calls.start(request)))
  }

  /** Shows what the catalog has under this ID. */
  async open(id: string): Promise<void> {
    const document = await this.ask(this.calls.get(id))
    if (document) this.store.dispatch({ type: 'loaded', document })
  }

  /** A job ended and left this in the catalog. */
  async ended(id: string): Promise<void> {
    await this.open(id)
    await this.loadList()
    // The free space has changed, and what was agreed to is done.
    await this.look()
  }

  /** The engine's own state reports its absence. */
  async loadList(): Promise<void> {
    const list = await this.calls.list()
    if (list.ok) this.store.dispatch({ type: 'listed', list: list.value })
  }
}
