import type { DraftDocument } from '../../../../src/contract/dto/plan'
import { pricesOf } from '../../../../src/contract/dto/settings'
import type { WireError } from '../../../../src/primitives/appError'
import type { KeptSession } from '../../state/source/keptSession'
import { StepSession } from '../../state/stepSession'
import { createStore } from '../../state/store'
import type { SurveySession } from '../survey/surveySession'
import type { PlanSession } from './planSession'
import { LABEL_PREFIX } from './planState'

/** The discs that the listed sources would take as they are. */
interface DraftState {
  readonly document: DraftDocument | null
  /** Why there is none. */
  readonly problem: WireError | null
}

/** A draft of discs before there is a survey; it shows its failures, and none of it rejects. */
export class DraftSession extends StepSession<{
  readonly kept: KeptSession
  readonly plan: PlanSession
  readonly survey: SurveySession
}> {
  readonly store = createStore<DraftState, DraftState>((_, next) => next, { document: null, problem: null })
  protected readonly step = 'plan'

  /** A name for the discs is being typed. */
  typed(): void {
    this.lookAgain(true)
  }

  /**
   * The walk has ended, or the medium was chosen: an earlier draft stays until the next is there.
   */
  async look(): Promise<void> {
    const walkId = this.window.kept.store.get().document?.id
    const { mediumId, labelPrefix } = this.window.plan.store.get()
    const prices = pricesOf(this.window.frame.get().settings.prices)
    const isAsked = walkId !== undefined && mediumId !== ''
    const answer = await this.latest(
      isAsked
        ? () =>
            this.call.plan.draft({
              walkId,
              mediumId,
              ...(labelPrefix !== null && LABEL_PREFIX.test(labelPrefix) && { labelPrefix }),
              ...(prices.length > 0 && { prices }),
            })
        : null,
    )
    if (answer === null) return
    this.store.dispatch(
      answer.ok ? { document: answer.value, problem: null } : { document: null, problem: answer.error },
    )
  }

  /** Surveys the sources, and plans them as soon as that has ended. */
  async survey(): Promise<void> {
    await this.window.survey.start()
    if (this.window.plan.waitForSurvey()) this.window.goTo('plan')
  }
}
