import type { PlanDocument } from '../../../../src/contract/dto/plan'
import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import type { CatalogSession } from '../../state/catalog/catalogSession'
import type { Page } from '../../state/frame'
import { runningOf } from '../../state/jobs'
import type { SourceSession } from '../../state/source/sourceSession'
import { samePaths } from '../../state/source/sourcesState'
import { SessionPart } from '../../state/stepSession'
import type { RunSession } from '../building/runSession'
import type { OptionsSession } from '../choose/optionsSession'
import type { PlanSession } from '../plan/planSession'
import type { HandSession } from '../source/handSession'
import type { SurveySession } from '../survey/surveySession'

/** The sessions of the steps that show a set. */
interface Shown {
  readonly hand: HandSession
  readonly project: { name(): { readonly id: string } | undefined }
  readonly sources: SourceSession
  readonly survey: SurveySession
  readonly options: OptionsSession
  readonly plan: PlanSession
  readonly runs: RunSession
  readonly catalog: CatalogSession
}

/**
 * Opens sets. One that is opened anywhere opens in every step: its plan in Plan, what was built,
 * verified and written of it in Build, its survey in Survey. None of it rejects.
 */
export class SetSession extends SessionPart<Shown> {
  protected readonly step = 'plan'

  /** Opens a set of the catalog and goes to a page of it. */
  async open(planId: string, page: Page): Promise<void> {
    const document = await this.window.ask(this.window.frame.get().step, this.call.plan.get({ planId }))
    if (!document) return
    const exportedTo = await this.#folderOf(planId)
    if (!(await this.show(document, exportedTo))) return
    await this.window.runs.show(document, exportedTo)
    this.window.goTo(page)
  }

  /**
   * Shows the plan of a set and its survey, in place of another archive in hand.
   * @returns false where the person keeps that one, for its project has unsaved changes
   */
  async show(document: PlanDocument, exportedTo: string | null, keepsSources = false): Promise<boolean> {
    const { options, plan, jobs } = this.window
    const surveyed = await this.call.survey.get({ surveyId: document.surveyId })
    const roots = surveyed.ok ? surveyed.value.roots : document.roots
    if (!keepsSources && !(await this.#makeWay(document, roots))) return false
    const shown = plan.store.get()
    if (shown.document?.id !== document.id) plan.store.dispatch({ type: 'loaded', document, exportedTo })
    else if (exportedTo !== null && shown.exportedTo !== exportedTo)
      plan.store.dispatch({ type: 'exported', planId: document.id, directory: exportedTo })
    jobs.dispatch({ type: 'replaced', kinds: ['plan', 'export'] })
    this.#showSurvey(document.surveyId, surveyed.ok ? surveyed.value : null)
    // The options of its survey have the words for what it packs into.
    if (document.packing) void options.open()
    return true
  }

  /**
   * Puts another archive away before a set is shown. One of the same sources stays, and so does one
   * that is being surveyed or planned.
   */
  async #makeWay({ surveyId, project }: PlanDocument, roots: readonly string[]): Promise<boolean> {
    const { hand, sources, survey, project: projects } = this.window
    const isSame =
      survey.store.get().document?.id === surveyId ||
      samePaths(sources.paths(), roots) ||
      (project !== undefined && project.id === projects.name()?.id)
    return isSame || hand.isBusy() || hand.putAway()
  }

  /** Shows the last set of a project that was opened, unless another set is shown by then. */
  async openOfProject(projectId: string, isOpen: () => boolean): Promise<void> {
    const archive = await this.call.archive.get({ archiveId: projectId })
    if (!archive.ok) return
    // Of the set that was added to last: its plans come first, and the last one was made last.
    const [newest] = archive.value.sets.flatMap(({ plans }) =>
      plans.filter(({ directoryExists }) => directoryExists).slice(-1),
    )
    const { id: planId, directory } = newest ?? {}
    if (planId === undefined || directory == null) return
    const [document, before] = [await this.call.plan.get({ planId }), this.window.plan.store.get()]
    if (!document.ok || !isOpen() || before.document !== null) return
    await this.show(document.value, directory, true)
    await this.window.runs.show(document.value, directory)
    // The choices for the next plan are those of the project.
    const { mediumId, packing, protection, copies } = before
    this.window.plan.store.dispatch({ type: 'medium', mediumId })
    this.window.plan.store.dispatch({ type: 'packing', packing })
    this.window.plan.store.dispatch({ type: 'protection', protection })
    this.window.plan.store.dispatch({ type: 'copies', copies })
  }

  /** Where the plan is exported to; null where it is not there any more. */
  async #folderOf(planId: string): Promise<string | null> {
    const directory = this.window.catalog.store.get().plans.find(({ id }) => id === planId)?.directory
    if (directory == null) return null
    const there = await this.call.plan.open({ directory })
    return there.ok && there.value.id === planId ? directory : null
  }

  /** Shows the survey of a plan; none where it was removed: another one has other files. */
  #showSurvey(surveyId: string, surveyed: SurveyDocument | null): void {
    const { survey, jobs } = this.window
    if (survey.store.get().document?.id === surveyId || runningOf(jobs.get(), 'survey')) return
    if (surveyed === null) survey.forget()
    else survey.show(surveyed)
  }
}
