import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import type { Page } from '../frame'
import { SessionPart } from '../stepSession'
import { createStore } from '../store'
import { initialCatalog, type Kept, reduceCatalog } from './catalogState'
import type { CheckSession } from './checkSession'
import type { CopiesSession } from './copiesSession'

/** The sessions of the steps that show what the catalog keeps. */
interface Shown {
  readonly hand: { putAway(): Promise<boolean> }
  readonly survey: { show(document: SurveyDocument): void }
  readonly sets: { open(planId: string, page: Page): Promise<void> }
  readonly check: CheckSession
  readonly copies: CopiesSession
  readonly drill: { refresh(): Promise<void> }
  readonly archive: { open(key: string): void }
}

/** Everything a person can do in the Catalog step but restore and verify; none of it rejects. */
export class CatalogSession extends SessionPart<Shown> {
  readonly store = createStore(reduceCatalog, initialCatalog)
  protected readonly step = 'catalog'
  #search = 0

  typePattern(pattern: string): void {
    if (pattern === '') this.#search += 1
    this.store.dispatch({ type: 'typed', pattern })
  }

  /**
   * Searches for what is typed. An answer that a later search has overtaken, or that is not wanted
   * any more, is dropped.
   */
  async find(): Promise<void> {
    const { pattern } = this.store.get()
    if (pattern.trim() === '') return
    this.#search += 1
    const search = this.#search
    this.window.clear('catalog')
    this.store.dispatch({ type: 'searching' })
    const files = await this.ask(this.call.catalog.find({ pattern, limit: 10_000 }))
    if (search !== this.#search) return
    this.store.dispatch(files ? { type: 'found', pattern, files } : { type: 'searchFailed' })
  }

  /** Shows the page of an archive, or of a set of none, that was found. */
  openArchive(key: string): void {
    this.window.archive.open(key)
  }

  /** Asks before a plan or a survey is removed; null takes the question back. */
  askToRemove(kept: Kept | null): void {
    this.store.dispatch({ type: 'removing', kept })
  }

  /** Removes from the catalog what the person was asked about. */
  async remove(): Promise<void> {
    const { removing } = this.store.get()
    if (!removing) return
    this.askToRemove(null)
    this.window.clear('catalog')
    await this.ask(this.call.catalog.remove({ id: removing.id }))
    await this.refresh()
  }

  async openSurvey(surveyId: string): Promise<void> {
    const document = await this.ask(this.call.survey.get({ surveyId }))
    if (!document || !(await this.window.hand.putAway())) return
    this.window.survey.show(document)
    this.window.goTo('survey')
  }

  /** Opens a set in every step, and shows its plan. */
  openPlan(planId: string): Promise<void> {
    return this.window.sets.open(planId, 'plan')
  }

  /** Loads what the catalog keeps; the engine's own state reports its absence. */
  async refresh(): Promise<void> {
    const [surveys, plans, archives] = await Promise.all([
      this.call.survey.list(undefined),
      this.call.plan.list(undefined),
      this.call.archive.list(undefined),
      this.window.check.refresh(),
      this.window.copies.refresh(),
      this.window.drill.refresh(),
    ])
    if (surveys.ok) this.store.dispatch({ type: 'surveys', surveys: surveys.value })
    if (archives.ok) this.store.dispatch({ type: 'archives', archives: archives.value })
    if (plans.ok) this.store.dispatch({ type: 'plans', plans: plans.value })
    const failed = [surveys, plans, archives].find((result) => !result.ok)
    if (!failed || failed.ok || failed.error.code === 'engine-lost') return
    this.store.dispatch({ type: 'unlisted' })
    for (const page of ['catalog', 'home'] as const) this.window.failed(failed.error, page)
  }
}
