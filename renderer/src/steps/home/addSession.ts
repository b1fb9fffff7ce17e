import type { ArchiveDocument } from '../../../../src/contract/dto/archive'
import type { JobEnd } from '../../../../src/contract/dto/job'
import { spoken, t } from '../../copy'
import { runningOf } from '../../state/jobs'
import { SessionPart } from '../../state/stepSession'
import { createStore } from '../../state/store'
import type { PlanSession } from '../plan/planSession'
import type { ProjectSession } from '../source/project/projectSession'
import type { SurveySession } from '../survey/surveySession'
import { lastPlanOf, type NothingNew } from './lookedAt'

/** The archives that were looked at since the window was opened. */
interface AddState {
  /** Those that had nothing new, by their ID. */
  readonly nothingNew: ReadonlyMap<string, NothingNew>
}

function reduceAdd({ nothingNew }: AddState, noted: { archiveId: string } & NothingNew): AddState {
  return { nothingNew: new Map(nothingNew).set(noted.archiveId, noted) }
}

/**
 * Adds what is new to an archive, from one press: opens it, surveys its sources again and plans
 * what is new with its answers. None of it rejects.
 */
export class AddSession extends SessionPart<{
  readonly project: ProjectSession
  readonly survey: SurveySession
  readonly plan: PlanSession
  readonly catalog: {
    readonly store: { get(): { readonly archives: { readonly archives: readonly ArchiveDocument[] } } }
  }
}> {
  readonly store = createStore(reduceAdd, { nothingNew: new Map() })
  protected readonly step = 'home'
  /** The archive that is added to, and the step that is under way. */
  #adding: { readonly archiveId: string; readonly at: 'survey' | 'plan' } | null = null

  /** Begins; where a source is not there, the Source step asks for it. */
  async add(archiveId: string): Promise<void> {
    this.#adding = null
    this.window.clear('home')
    if (!(await this.window.project.openArchive(archiveId))) return
    if ((this.window.project.store.get().open?.missing.length ?? 0) > 0) return
    this.#adding = { archiveId, at: 'survey' }
    await this.window.survey.start()
    // Refused, for too many sources say: no survey will end of it.
    if (runningOf(this.window.jobs.get(), 'survey') === null) this.#adding = null
  }

  /** Plans what a survey has found, where that was begun by `add`. */
  async surveyed({ outcome }: JobEnd): Promise<void> {
    if (this.#adding?.at !== 'survey') return
    const { archiveId } = this.#adding
    const isOpen = this.window.project.store.get().open?.id === archiveId
    this.#adding = outcome === 'done' && isOpen ? { archiveId, at: 'plan' } : null
    if (this.#adding === null) return
    this.window.plan.store.dispatch({ type: 'anew', anew: false })
    if (await this.window.plan.start()) this.window.goTo('plan')
    else this.#adding = null
  }

  /**
   * Takes the end of a plan.
   * @returns the sentence that nothing is new, where that is how it ended; null else
   */
  planned({ error }: JobEnd): string | null {
    const adding = this.#adding
    if (adding?.at !== 'plan') return null
    this.#adding = null
    if (error?.code !== 'nothing-to-do') return null
    this.#noteNothingNew(adding.archiveId)
    this.window.goTo('home')
    const name = this.window.project.store.get().open?.name ?? ''
    return t('home.add.nothing', { name, because: spoken(error.message) })
  }

  #noteNothingNew(archiveId: string): void {
    const archive = this.window.catalog.store.get().archives.archives.find(({ id }) => id === archiveId)
    const last = lastPlanOf(archive ?? null)
    const wallMs = this.window.survey.store.get().document?.createdWallMs
    if (last !== null && wallMs !== undefined) this.store.dispatch({ archiveId, planId: last.id, wallMs })
  }
}
