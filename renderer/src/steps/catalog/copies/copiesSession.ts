import { SessionPart } from '../../../state/stepSession'
import { createStore } from '../../../state/store'
import { initialCopies, reduceCopies } from './copiesState'

/** Reasons and files that are shown. */
const SHOWN = 4

/** Everything a person can ask about copies and places; none of it rejects. */
export class CopiesSession extends SessionPart {
  readonly store = createStore(reduceCopies, initialCopies)
  protected readonly step = 'catalog'

  /**
   * Asks if the source of a survey may be deleted. An answer that another has overtaken is dropped.
   */
  async judge(surveyId: string): Promise<void> {
    this.window.clear('catalog')
    this.store.dispatch({ type: 'judging', surveyId })
    const verdict = await this.ask(this.call.copies.safe({ surveyId, limit: SHOWN }))
    if (this.store.get().judging === surveyId) this.store.dispatch({ type: 'judged', verdict })
  }

  /** Closes the verdict, and ends what works it out. */
  async close(): Promise<void> {
    const { judging } = this.store.get()
    this.store.dispatch({ type: 'judging', surveyId: null })
    if (judging !== null) await this.call.copies.stopSafe({ surveyId: judging })
  }

  /** Loads what the catalog knows of copies; the engine's own state reports its absence. */
  async refresh(): Promise<void> {
    const listed = await this.call.copies.list(undefined)
    if (listed.ok) this.store.dispatch({ type: 'copies', copies: listed.value.copies })
  }
}
