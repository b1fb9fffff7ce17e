import type { Source } from '../../../../src/contract/rendererSchema'
import { t } from '../../copy'
import { runningOf } from '../../state/jobs'
import type { SourceSession } from '../../state/source/sourceSession'
import type { GivenDats } from '../../state/source/sourcesState'
import { SessionPart } from '../../state/stepSession'
import { createStore } from '../../state/store'
import { initialRoms, isDatName, type RomsForm, reduceRoms, romsRequestOf } from './romsState'

/** Rows of a document that is saved with indents; larger ones are for programs. */
const MOST_INDENTED = 20_000
/** Characters that are saved at once; a few of them may take several bytes. */
const MOST_SAVED = 60 * 1024 * 1024

/** Everything a person can do on the page of ROM sets; none of it rejects. */
export class RomsSession extends SessionPart<{
  readonly sources: SourceSession
  readonly hand: { take(sources: readonly Source[], byDats: GivenDats): Promise<void> }
}> {
  readonly store = createStore(reduceRoms, initialRoms)
  protected readonly step = 'roms'
  /** Everything that was given to be compared, by its path. */
  readonly #given = new Map<string, Source>()

  set(form: Partial<RomsForm>): void {
    this.store.dispatch({ type: 'form', form })
  }

  async choose(kind: 'folders' | 'files'): Promise<void> {
    const sources = await this.ask(this.call.app.chooseSources({ kind }))
    if (sources) this.#add(sources)
  }

  async chooseDats(): Promise<void> {
    const dats = await this.ask(this.call.app.chooseDats(undefined))
    if (dats) this.set({ dats: [...this.#form().dats, ...dats] })
  }

  /** Takes the folders and DATs of the Source step. */
  takeSources(): void {
    const { list, dats, layout } = this.window.sources.store.get()
    this.#add(list, dats)
    if (layout !== null) this.set({ layout })
  }

  /**
   * Takes what is dropped while this page is shown: DATs by their names, all else to be compared.
   * False where another page is shown.
   */
  takesDropped(sources: readonly Source[]): boolean {
    if (this.window.frame.get().step !== this.step) return false
    if (runningOf(this.window.jobs.get(), 'roms')) return true
    const isDat = ({ kind, name }: Source): boolean => kind === 'file' && isDatName(name)
    const dats = sources.filter(isDat).map(({ path }) => path)
    this.#add(
      sources.filter((each) => !isDat(each)),
      dats,
    )
    return true
  }

  /** Compares the files with the DATs. */
  async start(): Promise<void> {
    const form = this.#form()
    const request = romsRequestOf(form)
    if (request === null || runningOf(this.window.jobs.get(), 'roms')) return
    this.window.clear(this.step)
    this.store.dispatch({ type: 'asked', form })
    const hasStarted = await this.window.startJob('roms', () => this.ask(this.call.roms.compare(request)))
    if (!hasStarted) this.store.dispatch({ type: 'ended' })
  }

  /** A comparison ended well and left this. */
  async ended(romsId: string): Promise<void> {
    const document = await this.ask(this.call.roms.get({ romsId }))
    if (document) this.store.dispatch({ type: 'compared', document })
    else this.store.dispatch({ type: 'ended' })
  }

  /** Takes what was compared as a source of an archive, with its DATs. */
  async archive(): Promise<void> {
    const { paths, dats, layout } = this.#form()
    const sources = paths.flatMap((path) => this.#given.get(path) ?? [])
    await this.window.hand.take(sources, { dats, layout })
  }

  /** Saves the whole comparison as the command line prints it. */
  async exportJson(): Promise<void> {
    const { document } = this.store.get()
    if (document === null) return
    const rows = document.sets.length + document.files.length
    const text = JSON.stringify(document, null, rows > MOST_INDENTED ? 0 : 2)
    if (text.length <= MOST_SAVED) await this.window.saveText(`rom-sets-${document.id}.json`, text)
    else this.window.failed({ code: 'cannot-fit', message: t('roms.exportJson.tooLarge') }, this.step)
  }

  #add(sources: readonly Source[], dats: readonly string[] = []): void {
    for (const source of sources) this.#given.set(source.path, source)
    const form = this.#form()
    this.set({
      paths: [...form.paths, ...sources.map(({ path }) => path)],
      dats: [...form.dats, ...dats],
    })
  }

  #form(): RomsForm {
    return this.store.get().form
  }
}
