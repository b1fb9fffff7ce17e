import type { Source } from '../../../../src/contract/rendererSchema'
import { t } from '../../copy'
import { runningOf } from '../../state/jobs'
import type { KeptSession } from '../../state/source/keptSession'
import type { SourceSession } from '../../state/source/sourceSession'
import type { GivenDats } from '../../state/source/sourcesState'
import { SessionPart } from '../../state/stepSession'
import { createStore } from '../../state/store'
import type { RunSession } from '../building/runSession'
import type { OptionsSession } from '../choose/optionsSession'
import type { PlanSession } from '../plan/planSession'
import type { SurveySession } from '../survey/surveySession'
import { isOfOtherSource, isOfShown } from '../survey/surveyState'
import type { ProjectSession } from './project/projectSession'

/** Sources that were given while an archive is in hand: the person is asked what they belong to. */
interface HandState {
  readonly asked: readonly Source[] | null
  /** DATs that were given with them. */
  readonly byDats: GivenDats
}

const NO_DATS: GivenDats = { dats: [], layout: null }

type HandAction = { type: 'asked'; sources: readonly Source[] | null; byDats?: GivenDats }

/** Jobs whose results are shown as those of the archive in hand. */
const OF_HAND = ['survey', 'plan', 'export', 'option'] as const
const RUNS = ['build', 'verify', 'write'] as const

/**
 * The archive in hand: its sources, the answers about it and all that was computed of them. Another
 * one begins empty, so that nothing of one archive ends up in the next. None of it rejects.
 */
export class HandSession extends SessionPart<{
  readonly sources: SourceSession
  readonly kept: KeptSession
  readonly survey: SurveySession
  readonly options: OptionsSession
  readonly plan: PlanSession
  readonly runs: RunSession
  readonly project: ProjectSession
}> {
  readonly store = createStore<HandState, HandAction>(
    (_, { sources, byDats = NO_DATS }) => ({ asked: sources, byDats }),
    { asked: null, byDats: NO_DATS },
  )
  protected readonly step = 'source'

  /** Begins a new archive, unless a person keeps what is in hand. */
  async begin(): Promise<void> {
    if (await this.putAway()) this.window.goTo('source')
  }

  /**
   * Takes sources that a person gave. Where an archive with other sources is in hand they are added
   * on its own page only; elsewhere the person is asked.
   * @param byDats those by which their survey groups files, with those in hand
   */
  async take(sources: readonly Source[], byDats: GivenDats = NO_DATS): Promise<void> {
    const { list } = this.window.sources.store.get()
    const isNew = sources.some(({ path }) => list.every((each) => each.path !== path))
    if (list.length > 0 && isNew && this.window.frame.get().step !== 'source') {
      this.store.dispatch({ type: 'asked', sources, byDats })
      return
    }
    // What is shown without sources is a set or a survey that was opened: it takes none.
    const isOpened = this.window.survey.store.get().document ?? this.window.plan.store.get().document
    const isOther = list.length === 0 && isOpened !== null && this.window.project.store.get().open === null
    if (isOther && !(await this.putAway())) return
    this.#add(sources, byDats)
  }

  /** Answers what was asked about the sources that were given. */
  async answer(answer: 'new' | 'add' | 'none'): Promise<void> {
    const { asked, byDats } = this.store.get()
    this.store.dispatch({ type: 'asked', sources: null })
    if (asked === null || answer === 'none') return
    if (answer === 'new' && !(await this.putAway())) return
    this.#add(asked, byDats)
  }

  /**
   * Puts the archive in hand away: the next one begins empty, without an open project.
   * @returns false where a person keeps an unsaved project, or work on the archive runs
   */
  async putAway(): Promise<boolean> {
    if (this.isBusy()) {
      this.window.failed({ code: 'usage', message: t('hand.busy') }, null)
      return false
    }
    if (!(await this.window.project.close())) return false
    this.empty()
    return true
  }

  /** True while a job runs whose result will be shown as one of the archive in hand. */
  isBusy(): boolean {
    return runningOf(this.window.jobs.get(), ...OF_HAND) !== null
  }

  /** True when a plan is of the sources, rules and survey in hand: only such a one is built. */
  isPlanOf(plan: { readonly surveyId: string }): boolean {
    const survey = this.window.survey.store.get()
    const { rules } = this.window.kept.store.get()
    return isOfShown(plan, survey, isOfOtherSource(survey, this.window.sources.store.get(), rules))
  }

  /** Forgets the archive in hand in every step; a set that is being built stays in its own. */
  empty(): void {
    const { sources, kept, survey, options, plan, runs, jobs } = this.window
    this.window.keepDone()
    this.window.clear('source', 'survey', 'choose', 'plan')
    sources.store.dispatch({ type: 'replaced', sources: [] })
    sources.store.dispatch({ type: 'dats', ...NO_DATS })
    kept.takeDefault()
    survey.forget()
    options.empty()
    plan.empty()
    jobs.dispatch({ type: 'replaced', kinds: OF_HAND })
    if (runningOf(jobs.get(), ...RUNS) !== null) return
    this.window.clear('build')
    runs.store.dispatch({ type: 'closed' })
    jobs.dispatch({ type: 'replaced', kinds: RUNS })
  }

  #add(sources: readonly Source[], { dats, layout }: GivenDats): void {
    const { store } = this.window.sources
    store.dispatch({ type: 'added', sources })
    if (dats.length > 0) store.dispatch({ type: 'dats', dats: [...store.get().dats, ...dats], layout })
    if (!runningOf(this.window.jobs.get(), 'survey')) this.window.goTo('source')
  }
}
