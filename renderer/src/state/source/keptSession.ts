import type { JobEnd } from '../../../../src/contract/dto/job'
import { asDefaultRules, defaultRules } from '../../../../src/contract/dto/settings'
import {
  areSameRules,
  MOST_SOURCES,
  NO_RULES,
  type Rules,
  type SourceFolder,
  type SourceRow,
} from '../../../../src/contract/dto/survey'
import { pathForDisplay } from '../../../../src/primitives/pathText'
import { SessionPart } from '../stepSession'
import { createStore } from '../store'
import {
  initialKept,
  isOut,
  type KeptView,
  leftOutAbove,
  type MapColours,
  reduceKept,
  rowOf,
} from './keptState'
import { foldersAbove, leaveOut, movedUp, type Place, placeOf, takeBack } from './leaveOut'
import type { SourceSession } from './sourceSession'

/** Milliseconds without a change after which the sources are walked. */
const PAUSE_MS = 150
/** Ends that came before the answer that names their job. */
const REMEMBERED_ENDS = 20

/**
 * Actions about the rules and the walk of the sources, before anything is read; none of them
 * rejects.
 */
export class KeptSession extends SessionPart<{ readonly sources: SourceSession }> {
  readonly store = createStore(reduceKept, initialKept)
  protected readonly step = 'source'
  #timer: ReturnType<typeof setTimeout> | undefined
  #request = 0
  #jobId: string | null = null
  #defaults = NO_RULES
  /** Walks draw a sample for a look; only a walk that did can be looked at. */
  #looks = true
  readonly #ends = new Map<string, JobEnd>()
  /** A path that a person takes back: the next walk shows if another rule leaves it out too. */
  #takenBack: { readonly path: string; readonly isLast: boolean } | null = null

  /**
   * Walks the sources whenever they change or are to be looked at from now on, and follows the
   * default rules of the settings until a person changes rules; returns what ends that.
   */
  watch(): () => void {
    const { frame, sources } = this.window
    const ends = [sources.store.subscribe(() => this.look()), frame.subscribe(() => this.#followSettings())]
    return () => {
      for (const end of ends) end()
      clearTimeout(this.#timer)
    }
  }

  /** Walks the sources with the rules at hand when changes rest. An earlier walk is cancelled. */
  look(): void {
    clearTimeout(this.#timer)
    this.#request += 1
    this.#cancel()
    const { length: count } = this.window.sources.paths()
    if (count === 0 || count > MOST_SOURCES) {
      this.store.dispatch({ type: 'cleared' })
      return
    }
    this.store.dispatch({ type: 'walking' })
    this.#timer = setTimeout(() => void this.#walk(), PAUSE_MS)
  }

  /** The rules of the next survey; undefined where they are the usual ones. */
  rules(): Rules | undefined {
    const { rules } = this.store.get()
    return areSameRules(rules) ? undefined : rules
  }

  /** Changes rules; the sources are walked again. */
  set(changes: Partial<Rules>): void {
    this.store.dispatch({ type: 'rules', rules: { ...this.store.get().rules, ...changes } })
    this.look()
  }

  /** Makes the rules at hand the default of every new survey. */
  async makeDefault(): Promise<void> {
    await this.window.saveSettings(asDefaultRules(this.store.get().rules))
  }

  /** Takes the default rules in place of those at hand. */
  takeDefault(): void {
    this.set(this.#defaults)
  }

  addPattern(pattern: string): void {
    const { patterns } = this.store.get().rules
    this.set({ patterns: [...patterns.filter((each) => each !== pattern), pattern] })
  }

  removePattern(index: number): void {
    const { patterns } = this.store.get().rules
    const removed = patterns[index]
    if (removed === undefined) return
    this.set({ patterns: patterns.filter((_, at) => at !== index) })
    this.window.removed(pathForDisplay(removed), () => {
      const { patterns: now } = this.store.get().rules
      this.set({ patterns: [...now.slice(0, index), removed, ...now.slice(index)] })
    })
  }

  moveUp(index: number): void {
    this.set({ patterns: movedUp(this.store.get().rules.patterns, index) })
  }

  /** Leaves a file or folder out, or takes it back; where that cannot be, `ineffective` is set. */
  toggle(row: SourceRow): void {
    const state = this.store.get()
    const place = placeOf(row.path, row.isFolder, state.document?.roots ?? [])
    if (place === null) return
    const above = leftOutAbove(state, row.path)
    if (above !== null)
      this.store.dispatch({ type: 'ineffective', ineffective: { path: row.path, folder: above } })
    else if (isOut(state, row)) this.takeBack(row.path, row.isFolder)
    else this.leaveOut(place)
  }

  /** Leaves a file or folder out by a rule of its own. */
  leaveOut(place: Place): void {
    this.set(leaveOut(this.store.get().rules, place))
  }

  /** Keeps a file or folder again. */
  takeBack(path: string, isFolder: boolean, isLast = false): void {
    const { document, rules } = this.store.get()
    const place = placeOf(path, isFolder, document?.roots ?? [])
    if (place === null) return
    this.#takenBack = { path, isLast }
    this.set(takeBack(rules, place))
  }

  /** Opens or closes a folder of the tree. */
  setOpen(path: string, isOpen: boolean): void {
    this.store.dispatch({ type: 'open', path, isOpen })
    if (isOpen) void this.#load(path)
  }

  /** Shows a folder in the map; null for the sources. */
  async goInto(path: string | null): Promise<void> {
    if (path !== null) await this.#load(path)
    if (this.store.get().folders.has(path)) this.store.dispatch({ type: 'at', path })
  }

  /** Asks for the content of folders that the map shows within their tiles. */
  async lookInto(paths: readonly string[]): Promise<void> {
    await Promise.all(paths.map((path) => this.#load(path)))
  }

  /** Shows the sources as a tree or as a map, also when the page is opened again. */
  showAs(view: KeptView): void {
    this.store.dispatch({ type: 'view', view })
  }

  /** Sets the meaning of a colour in the map. */
  colourBy(colours: MapColours): void {
    this.store.dispatch({ type: 'colours', colours })
  }

  pick(path: string | null): void {
    this.store.dispatch({ type: 'picked', path })
  }

  show(path: string): Promise<void> {
    return this.window.showFolder(path, 'source')
  }

  /** A walk has ended. */
  async ended(end: JobEnd): Promise<void> {
    this.#ends.set(end.jobId, end)
    for (const [oldest] of this.#ends) {
      if (this.#ends.size <= REMEMBERED_ENDS) break
      this.#ends.delete(oldest)
    }
    if (end.jobId !== this.#jobId) return
    this.#jobId = null
    if (end.outcome === 'done' && end.resultId !== null) await this.#found(end.resultId)
    else if (end.error && end.outcome !== 'cancelled')
      this.store.dispatch({ type: 'failed', error: end.error })
    else this.store.dispatch({ type: 'stopped' })
  }

  #followSettings(): void {
    const { settings } = this.window.frame.get()
    if (settings.look !== this.#looks) {
      this.#looks = settings.look
      if (settings.look) this.look()
    }
    const were = this.#defaults
    const defaults = defaultRules(settings)
    if (areSameRules(were, defaults)) return
    this.#defaults = defaults
    if (areSameRules(this.store.get().rules, were)) this.set(defaults)
  }

  async #walk(): Promise<void> {
    const request = this.#request
    const { rules } = this.store.get()
    const started = await this.call.survey.walk({
      paths: this.window.sources.paths(),
      rules,
      everyPath: false,
      look: this.window.frame.get().settings.look,
    })
    if (request !== this.#request) {
      if (started.ok) void this.call.job.cancel(started.value)
      return
    }
    if (!started.ok) {
      this.store.dispatch({ type: 'failed', error: started.error })
      return
    }
    const { jobId } = started.value
    this.#jobId = jobId
    this.window.jobs.dispatch({ type: 'started', jobId, kind: 'walk' })
    const end = this.#ends.get(jobId)
    if (end) await this.ended(end)
  }

  #cancel(): void {
    const jobId = this.#jobId
    this.#jobId = null
    if (jobId !== null) void this.call.job.cancel({ jobId })
  }

  /** Shows a walk once the folders that are open are there, so that nothing closes in between. */
  async #found(walkId: string): Promise<void> {
    const request = this.#request
    const walked = await this.call.survey.walked({ walkId })
    if (request !== this.#request) return
    if (!walked.ok) {
      this.store.dispatch({ type: 'failed', error: walked.error })
      return
    }
    const document = walked.value
    const { roots } = document
    const before = this.store.get()
    const open = new Set(before.open)
    if (roots.length === 1 && before.document?.roots[0] !== roots[0]) open.add(roots[0] as string)
    const wanted = new Set<string | null>([null, ...open])
    // The map shows what is in the folders of its own one.
    for (const { path } of before.folders.get(before.at)?.rows ?? [])
      if (before.folders.has(path)) wanted.add(path)
    if (before.at !== null)
      for (const each of [before.at, ...foldersAbove(before.at, roots)]) wanted.add(each)
    const found = await Promise.all(
      [...wanted].map(async (path) => [path, await this.call.survey.folder({ walkId, path })] as const),
    )
    if (request !== this.#request) return
    const folders = new Map<string | null, SourceFolder>()
    for (const [path, folder] of found) if (folder.ok) folders.set(path, folder.value)
    this.store.dispatch({
      type: 'walked',
      document,
      folders,
      open: new Set([...open].filter((path) => folders.has(path))),
    })
    this.#lookBack()
  }

  /** A path that was taken back must be kept now: a further rule may have left it out as well. */
  #lookBack(): void {
    const back = this.#takenBack
    this.#takenBack = null
    const state = this.store.get()
    const row = back && rowOf(state.folders, back.path)
    if (!row || row.rule === null) return
    if (back.isLast)
      this.store.dispatch({ type: 'ineffective', ineffective: { path: row.path, folder: null } })
    else this.takeBack(row.path, row.isFolder, true)
  }

  async #load(path: string): Promise<void> {
    const { document, folders } = this.store.get()
    if (document === null || folders.has(path)) return
    const folder = await this.ask(this.call.survey.folder({ walkId: document.id, path }))
    if (folder) this.store.dispatch({ type: 'folder', walkId: document.id, path, folder })
    else this.store.dispatch({ type: 'open', path, isOpen: false })
  }
}
