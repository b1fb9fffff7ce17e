import type { OpenedProject, ProjectAction, ProjectName } from '../../../../../src/contract/dto/project'
import type { Result } from '../../../../../src/primitives/result'
import type { KeptSession } from '../../../state/source/keptSession'
import type { SourceSession } from '../../../state/source/sourceSession'
import { SessionPart } from '../../../state/stepSession'
import { createStore } from '../../../state/store'
import type { OptionsSession } from '../../choose/optionsSession'
import { folderRulesOf } from '../../choose/optionsState'
import { usualMedia } from '../../choose/usualMedia'
import type { PlanSession } from '../../plan/planSession'
import { initialProject, reduceProject } from './projectState'
import { changeOf, packingOfForm, type StepValues } from './stepValues'

/**
 * The project that is open: what its file gives to the steps, and what a save would write. None of
 * it rejects.
 */
export class ProjectSession extends SessionPart<{
  readonly hand: { empty(): void }
  readonly sources: SourceSession
  readonly kept: KeptSession
  readonly options: OptionsSession
  readonly plan: PlanSession
  readonly sets: { openOfProject(projectId: string, isOpen: () => boolean): Promise<void> }
}> {
  readonly store = createStore(reduceProject, initialProject)
  protected readonly step = 'source'
  #before: StepValues | null = null
  #isFilling = false
  #isReportDue = false
  #shown: Promise<void> = Promise.resolve()

  /** Follows the steps from now on; returns what ends that. */
  watch(): () => void {
    const { kept, options, plan, sources } = this.window
    this.#before = this.#values()
    const ends = [
      ...[kept.store, options.store, plan.store].map((store) => store.subscribe(() => this.#follow())),
      sources.store.subscribe(() => this.#reportSoon()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  async do(action: ProjectAction): Promise<void> {
    if (action === 'new') await this.#take(() => this.call.project.make(undefined))
    else if (action === 'open') await this.#take(() => this.call.project.open(undefined))
    else await this.#save(action === 'saveAs')
  }

  openRecent(recent: string): Promise<void> {
    return this.#take(() => this.call.project.openRecent({ recent }))
  }

  async loadRecents(): Promise<void> {
    const recents = await this.ask(this.call.project.recents(undefined))
    if (recents) this.store.dispatch({ type: 'recents', recents })
  }

  async forget(recent: string): Promise<void> {
    const recents = await this.ask(this.call.project.forget({ recent }))
    if (recents) this.store.dispatch({ type: 'recents', recents })
  }

  /** Asks where a source is that is not there. */
  async locate(name: string): Promise<void> {
    const found = await this.ask(this.call.project.locate({ name }))
    if (!found) return
    this.store.dispatch({ type: 'noted', open: found.project })
    this.window.sources.store.dispatch({ type: 'added', sources: [found.source] })
  }

  /** Takes a source out of the project that is not there. */
  async removeMissing(name: string): Promise<void> {
    const { open } = this.store.get()
    if (open === null) return
    const missing = open.missing.filter((each) => each.name !== name)
    this.store.dispatch({ type: 'noted', open: { ...open, missing } })
    await this.#report()
  }

  /** The archive or project that new surveys are made for; undefined where none is open. */
  name(): ProjectName | undefined {
    const { open } = this.store.get()
    if (open === null || (open.file === null && !open.isArchive)) return undefined
    return { id: open.id, name: open.name }
  }

  /** True where a file keeps what is in hand. */
  hasFile(): boolean {
    const { open } = this.store.get()
    return open !== null && open.file !== null
  }

  /** Opens an archive of the catalog; true when it is open. */
  async openArchive(archiveId: string): Promise<boolean> {
    await this.#take(() => this.call.project.openArchive({ archiveId }))
    await this.#shown
    return this.store.get().open?.id === archiveId
  }

  /** Closes the open project; false where the person keeps it for its unsaved changes. */
  async close(): Promise<boolean> {
    if (this.store.get().open === null) return true
    await this.#report()
    if ((await this.ask(this.call.project.close(undefined))) !== true) return false
    this.store.dispatch({ type: 'closed' })
    return true
  }

  /** Fills the steps with a project; nothing of another one is left in them. */
  opened({ project, sources, dats, form }: OpenedProject): void {
    const { kept, options, plan, frame } = this.window
    this.#isFilling = true
    if (this.store.get().open?.id !== project.id) this.window.hand.empty()
    this.store.dispatch({ type: 'opened', open: project, form })
    this.window.clear('source')
    const { medium } = form
    options.set({
      mediumIds: medium === null ? [] : [medium],
      encryption: form.encryption,
      goal: form.goal,
      ...folderRulesOf(form.option),
    })
    plan.store.dispatch({ type: 'medium', mediumId: medium ?? frame.get().settings.medium })
    plan.store.dispatch({ type: 'prefix', prefix: form.label })
    plan.store.dispatch({ type: 'packing', packing: packingOfForm(form) })
    plan.store.dispatch({ type: 'protection', protection: form.protection ?? 'fill' })
    plan.store.dispatch({ type: 'copies', copies: form.copies })
    this.window.sources.store.dispatch({ type: 'replaced', sources })
    this.window.sources.store.dispatch({ type: 'dats', dats, layout: form.layout })
    kept.set(form.rules)
    this.#before = this.#values()
    this.#isFilling = false
    this.window.goTo('source')
    void this.loadRecents()
    this.#shown = this.window.sets.openOfProject(project.id, () => this.store.get().open?.id === project.id)
  }

  async #take(asks: () => Promise<Result<OpenedProject | null>>): Promise<void> {
    await this.#report()
    const opened = await this.ask(asks())
    if (opened) this.opened(opened)
    else void this.loadRecents()
  }

  async #save(as: boolean): Promise<void> {
    await this.#report(true)
    const saved = await this.ask(this.call.project.save({ as }))
    if (!saved) return
    this.window.clear('source')
    if (saved.reloaded) this.opened(saved.reloaded)
    else this.store.dispatch({ type: 'noted', open: saved.project })
    void this.loadRecents()
  }

  #follow(): void {
    if (this.#isFilling || this.#before === null) return
    const after = this.#values()
    const usual = usualMedia(this.window.plan.store.get().media, this.window.frame.get().settings.medium)
    const change = changeOf(this.#before, after, usual)
    this.#before = after
    if (Object.keys(change).length === 0) return
    this.store.dispatch({ type: 'form', form: change })
    this.#reportSoon()
  }

  /** Main notes changes that are made at once together. */
  #reportSoon(): void {
    if (this.#isFilling || this.#isReportDue || this.store.get().open === null) return
    this.#isReportDue = true
    queueMicrotask(() => {
      this.#isReportDue = false
      void this.#report()
    })
  }

  /** @param always also where no project is open */
  async #report(always = false): Promise<void> {
    const { open, form } = this.store.get()
    if (open === null && !always) return
    const noted = await this.ask(
      this.call.project.change({
        form,
        sources: this.window.sources.paths(),
        dats: [...this.window.sources.store.get().dats],
        missing: open?.missing.map(({ name }) => name) ?? [],
      }),
    )
    if (noted !== null && this.store.get().open?.id === noted.id)
      this.store.dispatch({ type: 'noted', open: noted })
  }

  #values(): StepValues {
    const { sources, kept, options, plan } = this.window
    const { mediumIds, encryption, goal } = options.store.get().form
    const { layout } = sources.store.get()
    return {
      rules: kept.store.get().rules,
      layout,
      options: { mediumIds, encryption, goal },
      plan: plan.store.get(),
    }
  }
}
