import { MOST_SOURCES, type RomLayout } from '../../../../src/contract/dto/survey'
import type { Source } from '../../../../src/contract/rendererSchema'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { t } from '../../copy'
import { SessionPart } from '../stepSession'
import { createStore } from '../store'
import { initialSources, reduceSources } from './sourcesState'

/** Everything a person can do in the Source step; none of it rejects. */
export class SourceSession extends SessionPart<{
  readonly hand: { take(sources: readonly Source[]): Promise<void> }
}> {
  readonly store = createStore(reduceSources, initialSources)
  protected readonly step = 'source'

  async choose(kind: 'folders' | 'files'): Promise<void> {
    const sources = await this.ask(this.call.app.chooseSources({ kind }))
    if (sources && sources.length > 0) await this.window.hand.take(sources)
  }

  async takeSample(): Promise<void> {
    const sources = await this.ask(this.call.app.sampleSource(undefined))
    if (sources) await this.window.hand.take(sources)
  }

  remove(path: string): void {
    const { list } = this.store.get()
    const removed = list.find((source) => source.path === path)
    if (removed === undefined) return
    this.store.dispatch({ type: 'removed', path })
    this.window.removed(pathForDisplay(removed.name), () => {
      // What was added meanwhile stays.
      const sources = [...list, ...this.store.get().list]
      this.store.dispatch({ type: 'replaced', sources })
    })
  }

  async chooseDats(): Promise<void> {
    const dats = await this.ask(this.call.app.chooseDats(undefined))
    if (dats) this.#setDats([...this.store.get().dats, ...dats])
  }

  removeDat(path: string): void {
    const { dats } = this.store.get()
    this.#setDats(dats.filter((each) => each !== path))
    this.window.removed(pathForDisplay(path), () => this.#setDats([...dats, ...this.store.get().dats]))
  }

  /** Sets how ROM sets are laid out; null: as each DAT asks for. */
  layOut(layout: RomLayout | null): void {
    this.store.dispatch({ type: 'dats', dats: this.store.get().dats, layout })
  }

  /** Real File objects of a drop; the paths come back as sources given. */
  async giveDropped(files: readonly unknown[]): Promise<void> {
    if (this.areTooMany(files)) return
    try {
      await this.window.api.giveDropped(files)
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown)
      this.window.failed({ code: 'refused', message }, 'source')
    }
  }

  /** True when one survey cannot take as many sources; then it also shows a message. */
  areTooMany({ length: count }: readonly unknown[]): boolean {
    const isOver = count > MOST_SOURCES
    if (isOver) {
      const message = t('source.tooMany', { count, most: MOST_SOURCES })
      this.window.failed({ code: 'bad-input', message }, 'source')
      this.window.goTo('source')
    }
    return isOver
  }

  #setDats(dats: readonly string[]): void {
    this.store.dispatch({ type: 'dats', dats })
  }

  paths(): string[] {
    return this.store.get().list.map((source) => source.path)
  }
}
