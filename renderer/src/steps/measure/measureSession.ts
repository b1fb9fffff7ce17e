import { createStore } from '../../state/store'
import type { SurveySession } from '../survey/surveySession'
import { initialMeasure, type MeasureTypes, reduceMeasure, requestOf } from './measureState'
import { TimedSession } from './timedSession'

/** Everything a person can do about the speed of a disk; none of it rejects. */
export class MeasureSession extends TimedSession<MeasureTypes, { readonly survey: SurveySession }> {
  readonly store = createStore(reduceMeasure, initialMeasure)
  protected readonly kind = 'measure'
  protected readonly calls = {
    ...this.call.measure,
    get: (measurementId: string) => this.call.measure.get({ measurementId }),
    list: () => this.call.measure.list(undefined),
  }

  protected override request() {
    const survey = this.window.survey.store.get().document
    return requestOf(this.store.get().form, survey?.id ?? null)
  }

  /** Sets everything as the shown measurement had it. */
  again(): void {
    const { document } = this.store.get()
    if (!document) return
    const { id, directory, readOnly, spec, container, containers } = document
    const last = containers?.at(-1)
    this.set({
      place: { path: directory, mayWrite: !readOnly },
      spec: 'again',
      again: { id, name: spec.name },
      budget: '',
      cache: 'spec',
      depth: '',
      codec: null,
      readOnly,
      inside: last ? 'all' : (container?.kind ?? 'disk'),
      encryption: (last ?? container)?.encryption ?? null,
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
      this.ask(this.calls.get(measurementId)),
      this.ask(this.call.measure.compare({ a: measurementId, b: shown.id })),
    ])
    if (document && comparison && this.store.get().document?.id === shown.id)
      this.store.dispatch({ type: 'compared', other: { document, comparison } })
  }
}
