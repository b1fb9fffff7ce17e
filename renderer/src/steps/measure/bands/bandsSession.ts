import { createStore } from '../../../state/store'
import type { MeasureSession } from '../measureSession'
import { TimedSession } from '../timedSession'
import { type BandsState, type BandsTypes, initialBands, reduceBands, sweepRequestOf } from './bandsState'

/** Everything a person can do about band sizes; none of it rejects. */
export class BandsSession extends TimedSession<BandsTypes, { readonly measure: MeasureSession }> {
  readonly store = createStore(reduceBands, initialBands)
  protected readonly kind = 'bands'
  protected readonly calls = {
    ...this.call.bands,
    get: (sweepId: string) => this.call.bands.get({ sweepId }),
    list: () => this.call.bands.list(undefined),
  }

  protected override request() {
    return sweepRequestOf(this.store.get().form)
  }

  /** Shows the disk or the band sizes; a folder that was chosen for one is there for the other. */
  show(view: BandsState['view']): void {
    this.store.dispatch({ type: 'view', view })
    const { place } = this.window.measure.store.get().form
    if (view === 'bands' && this.store.get().form.place === null && place?.mayWrite) this.set({ place })
  }
}
