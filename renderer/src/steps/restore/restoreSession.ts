import type { AskedRestore } from '../../../../src/contract/dto/askedRestore'
import {
  type ChoiceMarks,
  choiceOf,
  type RestoreDocument,
  type RestoreRequest,
} from '../../../../src/contract/dto/restore'
import type { WireError } from '../../../../src/primitives/appError'
import { wipe } from '../../../../src/primitives/secretBytes'
import { runningOf } from '../../state/jobs'
import { SessionPart } from '../../state/stepSession'
import { createStore } from '../../state/store'
import { type AskedDiscs, nextDisc } from './queueState'
import { canRestore, initialRestore, type RestoreState, reduceRestore, stateKey } from './restoreState'
import { PAGE_ROWS } from './setLines'
import { toggled } from './setMarks'

/** Milliseconds without a key after which what is typed is searched for. */
const TYPING_MS = 200
/** Rows that a search shows; more are counted. */
const MOST_FOUND = 2000

/** Everything a person can do to choose files of a set and get them back; none of it rejects. */
export class RestoreSession extends SessionPart<{
  readonly drill: { close(): void; setOpened(): void }
}> {
  readonly store = createStore(reduceRestore, initialRestore)
  protected readonly step = 'restore'
  readonly #asked = new Set<string>()
  #typing: ReturnType<typeof setTimeout> | undefined
  #opening = 0
  #search = 0
  #need = 0

  /**
   * Leads to the page, with the set in the folders of plans where any are given. Without them, a
   * set that is open stays open.
   * @param paths of files that are chosen at once
   */
  open(directories: readonly string[] = [], paths: readonly string[] = []): void {
    this.window.goTo('restore')
    this.window.drill.close()
    if (directories.length === 0) return
    const { volumes, status } = this.store.get()
    const isSame =
      volumes.length === directories.length && directories.every((each) => volumes.includes(each))
    if (!isSame || status === 'failed' || paths.length > 0)
      void this.#choose([...directories], new Map(paths.map((path) => [path, true])))
  }

  /** Asks for discs, images or a plan's folder, which are added to those that are given. */
  async add(kind: 'images' | 'folders'): Promise<boolean> {
    const added = await this.ask(this.call.app.chooseVolumes({ kind }))
    if (!added || added.length === 0) return false
    const { volumes, marks, status, resuming } = this.store.get()
    // Discs of an earlier day need not be there any more: any other of the set opens it.
    if (resuming && status === 'failed') return this.#reopen(added)
    const all = [...new Set([...volumes, ...added])]
    return volumes.length === 0 ? this.#choose(all, marks) : this.#reopen(all)
  }

  /** Asks for discs, images or a plan's folder, which take the place of those that are given. */
  async replace(kind: 'images' | 'folders'): Promise<void> {
    const given = await this.ask(this.call.app.chooseVolumes({ kind }))
    if (given && given.length > 0) await this.#reopen(given)
  }

  /** Adds discs that are needed, and goes on with the restore. */
  async addAndGoOn(kind: 'images' | 'folders'): Promise<void> {
    if (await this.add(kind)) await this.restore()
  }

  async remove(volume: string): Promise<void> {
    const volumes = this.store.get().volumes.filter((each) => each !== volume)
    if (volumes.length === 0) this.leave()
    else await this.#reopen(volumes)
  }

  /** Goes back to the question which set it is. */
  leave(): void {
    const { set } = this.store.get()
    this.#opening += 1
    if (set) void this.call.restore.close({ id: set.id })
    this.window.drill.close()
    this.store.dispatch({ type: 'left' })
    this.window.clear(this.step)
  }

  /** Opens the set again: with its password, or after the engine has ended. */
  async again(password: Uint8Array | null = null): Promise<void> {
    const { volumes } = this.store.get()
    if (volumes.length > 0) await this.#reopen([...volumes], password)
    wipe(password)
  }

  /** Shows the archive as it was in a generation; null for the newest. */
  async showAsOf(generation: number | null): Promise<void> {
    this.type('')
    this.store.dispatch({ type: 'asOf', generation })
    await this.again()
  }

  fold(path: string, isOpen: boolean): void {
    this.store.dispatch({ type: 'fold', path, isOpen })
  }

  pick(path: string): void {
    this.store.dispatch({ type: 'picked', path })
  }

  /** Loads a page of a folder, once. */
  async load(folder: string, offset: number): Promise<void> {
    const { set } = this.store.get()
    if (!set) return
    const key = `${set.id} ${offset} ${folder}`
    if (this.#asked.has(key)) return
    this.#asked.add(key)
    const page = await this.ask(this.call.restore.folder({ id: set.id, folder, offset, limit: PAGE_ROWS }))
    if (page) this.store.dispatch({ type: 'page', state: stateKey(set), folder, offset, page })
    else this.#asked.delete(key)
  }

  toggle(path: string): void {
    const { folders, marks } = this.store.get()
    this.#mark(toggled(marks, path, (folder) => folders.get(folder)?.total))
  }

  /** Chooses all that was found. */
  chooseFound(): void {
    const { found, marks } = this.store.get()
    const next = new Map(marks)
    for (const { path } of found?.rows ?? []) next.set(path, true)
    this.#mark(next)
  }

  type(pattern: string): void {
    clearTimeout(this.#typing)
    this.#search += 1
    this.store.dispatch({ type: 'typed', pattern })
    if (pattern.trim() !== '') this.#typing = setTimeout(() => void this.#find(), TYPING_MS)
  }

  async chooseTarget(): Promise<void> {
    const to = await this.ask(this.call.app.chooseDirectory({ purpose: 'restore' }))
    if (to) this.store.dispatch({ type: 'set', form: { to } })
  }

  /** Restores what is chosen, after asking for the folder where there is none yet. */
  async restore(): Promise<void> {
    if (!canRestore(this.store.get())) return
    if (this.store.get().to === null) await this.chooseTarget()
    const request = requestOf(this.store.get())
    if (request === null) return
    this.window.clear(this.step)
    await this.window.startJob('restore', () => this.ask(this.call.restore.start(request)))
  }

  /**
   * Asks for the discs of the choice one after another; those that were given at first are read
   * before.
   */
  async askForDiscs(): Promise<void> {
    if (this.store.get().to === null) await this.chooseTarget()
    const { set, to } = this.store.get()
    if (set === null || to === null) return
    this.store.dispatch({ type: 'restored', document: null })
    const asked = await this.#queue({ given: [], without: [], near: null })
    if (asked === null || !canRestore(this.store.get())) return
    const reading = set.volumes.filter(({ atHand }) => atHand).map(({ label }) => label)
    this.store.dispatch({ type: 'asked', asked: { ...asked, reading } })
    await this.restore()
  }

  /** Asks for a disc, an image or a folder, and restores from it if it is one that is needed. */
  async giveDisc(kind: 'images' | 'folders'): Promise<void> {
    await this.#give((await this.ask(this.call.app.chooseVolumes({ kind }))) ?? [])
  }

  /**
   * Takes what is dropped while a disc is asked for, as if it were chosen; nothing while one is
   * read. False for what is for the sources.
   */
  takesDropped(sources: readonly { readonly path: string }[]): boolean {
    const { asked } = this.store.get()
    if (this.window.frame.get().step !== 'restore' || asked === null || nextDisc(asked) === null) return false
    if (!runningOf(this.window.jobs.get(), 'restore')) void this.#give(sources.map(({ path }) => path))
    return true
  }

  /** Goes on without the copy that is asked for: its files come from others, if there are any. */
  async skipDisc(): Promise<void> {
    const { asked } = this.store.get()
    const next = asked && nextDisc(asked)
    if (!asked || !next) return
    await this.#queue({ ...asked, without: [...asked.without, { label: next.label, copy: next.copy }] })
  }

  async stopAsking(): Promise<void> {
    const { to, waiting } = this.store.get()
    this.store.dispatch({ type: 'asked', asked: null })
    const kept = waiting.find((asked) => asked.to === to)
    if (kept) await this.forget(kept)
  }

  /** Goes on with a restore of an earlier day: with the discs whose files its target lacks. */
  async resume(asked: AskedRestore): Promise<void> {
    this.window.goTo('restore')
    this.window.clear(this.step)
    this.window.drill.close()
    this.store.dispatch({ type: 'resuming', asked })
    await this.#reopen(asked.volumes)
  }

  async forget({ id }: AskedRestore): Promise<void> {
    await this.ask(this.call.asked.forget({ id }))
    await this.refresh()
  }

  /** Loads the restores that wait for more discs; the engine's own state reports its absence. */
  async refresh(): Promise<void> {
    const waiting = await this.call.asked.list(undefined)
    if (waiting.ok) this.store.dispatch({ type: 'waiting', waiting: waiting.value })
  }

  /** Takes a failure that a password mends as a question. Answers whether it was one. */
  locked(error: WireError): boolean {
    if (error.code !== 'wrong-password') return false
    this.store.dispatch({ type: 'locked', isWrong: false })
    return true
  }

  /** Takes over the document of a restore that has ended, however it ended. */
  async ended(restoreId: string): Promise<void> {
    const document: RestoreDocument | null = await this.ask(this.call.restore.get({ restoreId }))
    if (!document) return
    this.store.dispatch({ type: 'restored', document })
    await this.#read(document)
  }

  /** A restore has ended without a document: the disc that it read is still asked for. */
  notRestored(): void {
    const { asked } = this.store.get()
    if (asked) this.store.dispatch({ type: 'asked', asked: { ...asked, reading: [] } })
  }

  /** Goes on to the next disc after one was read. */
  async #read({ damaged, missing, outcome }: RestoreDocument): Promise<void> {
    const { asked, set } = this.store.get()
    if (!asked || !set || outcome === 'cancelled') return this.notRestored()
    // Another copy has what these lack; what is restored stays.
    const again = asked.queue.volumes.filter(
      ({ label, others }) =>
        asked.reading.includes(label) &&
        others.length > 0 &&
        [...damaged, ...missing].some((file) => file.label === label),
    )
    const read = asked.reading.filter((label) => !again.some((other) => other.label === label))
    const fetched = asked.queue.volumes.find(({ label, place }) => read.includes(label) && place !== null)
    await this.#queue({
      given: [...asked.given, ...read],
      without: [...asked.without, ...again.map(({ label, copy }) => ({ label, copy }))],
      near: fetched?.place ?? asked.near,
    })
  }

  /** Restores from those of these discs that are needed; without any, says which one was given. */
  async #give(paths: readonly string[]): Promise<void> {
    const { set } = this.store.get()
    if (set === null || paths.length === 0) return
    this.window.clear(this.step)
    const needed: string[] = []
    const reading: string[] = []
    let wrong: AskedDiscs['wrong'] = null
    for (const path of paths) {
      const found = await this.ask(this.call.restore.identify({ id: set.id, path }))
      if (found === null) continue
      const labels = found.flatMap(({ label, isOfSet }) => (isOfSet && label !== null ? [label] : []))
      const wanted = this.#wantedOf(labels).filter((label) => !reading.includes(label))
      if (wanted.length > 0) needed.push(path)
      else wrong ??= { label: found[0]?.label ?? '', isOfSet: found[0]?.isOfSet ?? false }
      reading.push(...wanted)
    }
    const { asked, volumes } = this.store.get()
    if (asked === null || runningOf(this.window.jobs.get(), 'restore')) return
    if (needed.length === 0) {
      if (wrong) this.store.dispatch({ type: 'asked', asked: { ...asked, wrong } })
      return
    }
    // Discs of an older state do not know the newest: what was opened first does.
    const request = requestOf(
      this.store.get(),
      set.generation === undefined ? needed : [...volumes, ...needed],
    )
    if (request === null) return
    this.store.dispatch({ type: 'asked', asked: { ...asked, wrong: null, reading } })
    await this.window.startJob('restore', () => this.ask(this.call.restore.start(request)))
  }

  /** Those of these discs that are asked for. */
  #wantedOf(labels: readonly string[]): string[] {
    const wanted = this.store.get().asked?.queue.volumes ?? []
    return wanted.flatMap(({ label }) => (labels.includes(label) ? [label] : []))
  }

  /** Asks which discs are needed besides those that were given; null where that is not known. */
  async #queue(
    { given, without, near }: Pick<AskedDiscs, 'given' | 'without' | 'near'>,
    resumes = false,
  ): Promise<AskedDiscs | null> {
    const { set, volumes, asOf, marks, to, force, trust } = this.store.get()
    if (!set) return null
    const queue = await this.ask(
      this.call.restore.queue({
        volumes: [...volumes],
        opened: set.id,
        chosen: choiceOf(marks),
        given: [...given],
        without: [...without],
        near,
        resumes,
        force,
        trust,
        ...(to === null ? {} : { to }),
        ...(asOf === null ? {} : { asOf: String(asOf) }),
      }),
    )
    const asked = queue && {
      queue,
      // A disc that is asked for again was not read.
      given: given.filter((label) => !queue.volumes.some((volume) => volume.label === label)),
      without,
      near,
      reading: [],
      wrong: null,
    }
    if (asked) this.store.dispatch({ type: 'asked', asked })
    await this.refresh()
    return asked
  }

  async #choose(volumes: readonly string[], marks: ChoiceMarks): Promise<boolean> {
    this.window.clear(this.step)
    this.store.dispatch({ type: 'chosen', volumes, marks })
    return this.#reopen(volumes)
  }

  /** Opens these volumes, and keeps what was chosen of their set; false where they do not open. */
  async #reopen(volumes: readonly string[], password: Uint8Array | null = null): Promise<boolean> {
    this.#opening += 1
    const request = this.#opening
    const { set, asOf } = this.store.get()
    const known = set?.id
    this.store.dispatch({ type: 'opening', volumes })
    const opened = await this.call.restore.open({
      volumes: [...volumes],
      ...(password && { password }),
      ...(known !== undefined && { opened: known }),
      ...(asOf !== null && { asOf: String(asOf) }),
    })
    if (request !== this.#opening) return false
    if (!opened.ok) {
      const { error } = opened
      if (error.code === 'wrong-password') this.store.dispatch({ type: 'locked', isWrong: password !== null })
      else this.store.dispatch({ type: 'failed', error })
      return false
    }
    this.store.dispatch({ type: 'opened', set: opened.value })
    this.window.drill.setOpened()
    await Promise.all([this.load('', 0), this.#ask()])
    const { resuming } = this.store.get()
    if (resuming) await this.#queue(resuming, true)
    return true
  }

  #mark(marks: ChoiceMarks): void {
    this.store.dispatch({ type: 'marked', marks })
    void this.#ask()
  }

  /** Asks what the marks take; an answer that later marks have overtaken is dropped. */
  async #ask(): Promise<void> {
    const { set, marks } = this.store.get()
    this.#need += 1
    const request = this.#need
    if (!set) return
    const needs = await this.ask(this.call.restore.needs({ id: set.id, chosen: choiceOf(marks) }))
    if (request === this.#need && needs) this.store.dispatch({ type: 'needs', needs })
  }

  async #find(): Promise<void> {
    const { set, pattern } = this.store.get()
    if (!set) return
    const request = this.#search
    const rows = await this.ask(this.call.restore.search({ id: set.id, pattern, limit: MOST_FOUND }))
    if (request === this.#search && rows) this.store.dispatch({ type: 'found', found: { ...rows, pattern } })
  }
}

/** Everything is chosen where nothing is left out: the set as a whole is restored then. */
function requestOf(
  { set, asOf, marks, to, force, trust, ...state }: RestoreState,
  volumes = state.volumes,
): RequestOf | null {
  if (set === null || to === null) return null
  const isAll = marks.size === 1 && marks.get('') === true
  return {
    volumes: [...volumes],
    to,
    force,
    trust,
    opened: set.id,
    ...(asOf === null ? {} : { asOf: String(asOf) }),
    ...(isAll ? {} : { chosen: choiceOf(marks) }),
  }
}

type RequestOf = Pick<RestoreRequest, 'volumes' | 'to' | 'force' | 'trust' | 'opened' | 'asOf' | 'chosen'>
