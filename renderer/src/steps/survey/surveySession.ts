import type { Skipped, SurveyDocument, SurveyRequest } from '../../../../src/contract/dto/survey'
import { parseSize } from '../../../../src/primitives/bytes'
import { runningOf } from '../../state/jobs'
import type { KeptSession } from '../../state/source/keptSession'
import type { SourceSession } from '../../state/source/sourceSession'
import { SessionPart } from '../../state/stepSession'
import { createStore } from '../../state/store'
import { type ContentsView, datPaths, initialSurvey, reduceSurvey } from './surveyState'

/** Folders that the window lists by what is on verified volumes. */
const MOST_FOLDERS = 5000

/** Everything a person can do about surveys; none of it rejects. */
export class SurveySession extends SessionPart<{
  readonly sources: SourceSession
  readonly kept: KeptSession
  readonly project: { name(): SurveyRequest['project']; hasFile(): boolean }
}> {
  readonly store = createStore(reduceSurvey, initialSurvey)
  protected readonly step = 'survey'
  /** The survey whose files are being compared with verified volumes. */
  #comparing: string | null = null

  /** @param full also files that have not changed since an earlier survey */
  async start(full = false): Promise<void> {
    const paths = this.window.sources.paths()
    if (paths.length === 0 || this.#isRunning()) return
    this.window.clear('source', 'survey')
    if (this.window.sources.areTooMany(paths)) return
    const { sha256, samples, threads, 'max-memory': maxMemory } = this.window.frame.get().settings
    const rules = this.window.kept.rules()
    const project = this.window.project.name()
    const { dats, layout } = this.window.sources.store.get()
    const request = {
      paths,
      ...(rules && { rules }),
      ...(project && { project }),
      sha256: sha256 && samples !== 'quick',
      samples,
      full,
      maxMemoryBytes: parseSize(maxMemory),
      ...(threads !== 'auto' && { threads }),
      ...(dats.length > 0 && { dats: [...dats], ...(layout && { layout }) }),
    }
    const asks = () => this.window.ask('source', this.call.survey.start(request))
    if (!(await this.window.startJob('survey', asks))) return
    this.store.dispatch({ type: 'started', samples })
    this.window.goTo('survey')
  }

  /** Asks for the groups of duplicates of a survey, unless they are known. */
  async loadDuplicates(surveyId: string): Promise<void> {
    if (this.store.get().duplicates?.surveyId === surveyId) return
    const groups = await this.ask(this.call.survey.duplicates({ surveyId, limit: 1000 }))
    if (groups) this.store.dispatch({ type: 'duplicates', surveyId, groups })
  }

  /** Notes that the person knows of the files whose content alone changed. */
  async acknowledge(surveyId: string): Promise<void> {
    const document = await this.ask(this.call.survey.acknowledge({ surveyId }))
    if (document !== null && this.store.get().document?.id === surveyId)
      this.store.dispatch({ type: 'read', document })
  }

  /** Asks what a plan of a survey reads for SHA-256. Without an answer nothing is shown of it. */
  async loadMissingSha256(surveyId: string): Promise<void> {
    const missing = await this.call.survey.missingSha256({ surveyId })
    if (missing.ok) this.store.dispatch({ type: 'missingSha256', surveyId, missing: missing.value })
  }

  /**
   * Asks how much of a survey's source is on verified volumes; ends that for an earlier survey.
   * Without an answer nothing is shown of it.
   */
  async loadStored(surveyId: string): Promise<void> {
    if (this.#comparing === surveyId) return
    if (this.#comparing !== null) void this.call.survey.stopKept({ surveyId: this.#comparing })
    this.#comparing = surveyId
    const stored = await this.call.survey.kept({ surveyId, limit: MOST_FOLDERS })
    if (this.#comparing !== surveyId) return
    this.#comparing = null
    if (stored.ok) this.store.dispatch({ type: 'stored', stored: stored.value })
  }

  /** Volumes were built, written, verified or checked: it is asked again. */
  forgetStored(): void {
    this.store.dispatch({ type: 'stored', stored: null })
  }

  /**
   * A page of what a survey could not read; null when it could not be loaded; the failure is
   * reported then.
   */
  async skips(surveyId: string, offset: number, limit: number): Promise<readonly Skipped[] | null> {
    return this.ask(this.call.survey.skips({ surveyId, offset, limit }))
  }

  /** Divides the contents by types, or by folders and years, also when the page is opened again. */
  divideBy(contents: ContentsView): void {
    this.store.dispatch({ type: 'contents', contents })
  }

  /** Unfolds the second layer of the page, or folds it. */
  analyse(isAnalysed: boolean): void {
    this.store.dispatch({ type: 'analysed', isAnalysed })
  }

  /** Shows a survey of the catalog. Its DATs are those of its archive, unless a file names them. */
  show(document: SurveyDocument): void {
    if (!this.window.project.hasFile())
      this.window.sources.store.dispatch({
        type: 'dats',
        dats: datPaths(document),
        layout: document.dat?.layout ?? null,
      })
    this.store.dispatch({ type: 'loaded', document })
    this.window.jobs.dispatch({ type: 'replaced', kinds: ['survey'] })
  }

  /** Shows none: the survey of the set in hand was removed from the catalog. */
  forget(): void {
    this.store.dispatch({ type: 'forgotten' })
  }

  /** The running survey has read everything; true when its figures are shown. */
  async read(surveyId: string): Promise<boolean> {
    const read = await this.call.survey.get({ surveyId })
    // It may have ended meanwhile, with a document of its own.
    if (!read.ok || !this.#isRunning()) return false
    this.store.dispatch({ type: 'read', document: read.value })
    return true
  }

  /** A survey ended and left this document. */
  async ended(surveyId: string): Promise<void> {
    const document = await this.ask(this.call.survey.get({ surveyId }))
    if (document) this.store.dispatch({ type: 'loaded', document })
  }

  #isRunning(): boolean {
    return runningOf(this.window.jobs.get(), 'survey') !== null
  }
}
