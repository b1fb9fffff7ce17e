import type { PlanEntry } from '../../../contract/dto/plan'
import { type SkipCause, skipCause } from '../../../domain/sets/skippedFile'
import { storedEntries } from '../../../domain/sets/storedEntries'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { type ContentSource, ownSource } from '../../discImages/imageEntries'
import { lstatAt } from '../../files/fileSystem'
import { sha256Of } from '../../files/read'
import { checkSources, contentChanged, readFailure } from '../../files/sourceCheck'
import type { ChangedSources } from '../mastering/writeImage'
import type { VolumeWork } from '../runs/runRecord'
import { type ContentEntry, hasContent } from '../volume/lists/withoutSkipped'
import type { PlannedVolume } from '../volume/planned/plannedVolume'

/**
 * The sources of one volume while it is made: which of them have lost their planned content, where
 * else that content is, and what is left out since it is nowhere.
 */
export class VolumeSources {
  readonly #label: string
  readonly #entries: readonly PlanEntry[]
  readonly #contents: readonly ContentEntry[]
  readonly #bySource: ReadonlyMap<string, readonly ContentEntry[]>
  readonly #signal: AbortSignal
  readonly #lost = new Map<string, AppError>()
  /** Sources that only seem to have changed: what the volume has of them is there. */
  readonly #right = new Set<string>()

  constructor({ label, entries }: Pick<PlannedVolume, 'label' | 'entries'>, signal: AbortSignal) {
    this.#label = label
    this.#entries = storedEntries(entries)
    this.#contents = this.#entries.filter(hasContent)
    this.#bySource = Map.groupBy(this.#contents, ({ source }) => source)
    this.#signal = signal
  }

  /**
   * Looks at all sources. One that was only touched is read and stays; folders, links and empty
   * files need no source.
   * @returns failures of the files that can no longer be on the volume, which were not known yet
   * @throws AppError `cancelled`
   */
  async look(): Promise<AppError[]> {
    const { failures } = await checkSources(this.#entries, this.#signal)
    return this.#afterwards(async () => {
      for (const failure of failures) {
        const { path = '' } = failure
        if (this.#lost.has(path) || this.#right.has(path)) continue
        if ((await this.#wrongWith(path)) === null) this.#right.add(path)
        else this.#lost.set(path, failure)
      }
    })
  }

  /** Reads every other source and compares it too, for output that cannot be begun again. */
  async read(): Promise<AppError[]> {
    return this.#afterwards(async () => {
      for (const source of this.#bySource.keys()) {
        if (this.#lost.has(source) || this.#right.has(source)) continue
        const failure = await this.#wrongWith(source)
        if (failure) this.#lost.set(source, failure)
      }
    })
  }

  /**
   * Takes what went wrong while the volume was made.
   * @returns failures of files as `look`; null where it was no source, or one that is not used
   */
  async noteFailures(wrong: readonly AppError[]): Promise<AppError[] | null> {
    const known = this.#lost.size
    const failures = await this.#afterwards(async () => {
      for (const failure of wrong) {
        const { path = '' } = failure
        if (!this.#bySource.has(path)) continue
        this.#right.delete(path)
        if (!this.#lost.has(path)) this.#lost.set(path, failure)
      }
    })
    return this.#lost.size > known ? failures : null
  }

  /** The failure where the volume would be left without any content. */
  get nothingLeft(): AppError | null {
    const { skipped } = this.changes
    if (this.#contents.length === 0 || this.#contents.some(({ path }) => !skipped.has(path))) return null
    return [...this.#lost.values()][0] ?? null
  }

  get changes(): ChangedSources {
    const found = this.#sourcesFound()
    const otherSources = new Map<string, ContentSource>()
    const skipped = new Map<string, SkipCause>()
    for (const entry of this.#contents) {
      const lost = this.#lost.get(entry.source)
      if (lost === undefined) continue
      const other = found.get(entry.sha256)
      if (other) otherSources.set(entry.sha256, other)
      else skipped.set(entry.path, skipCause(lost.code))
    }
    return { otherSources, skipped }
  }

  /** The files left out and the notes, for the volume's record. */
  get outcome(): Pick<VolumeWork, 'skipped' | 'notes'> {
    const skipped = [...this.changes.skipped].map(([path, cause]) => ({ path, cause }))
    const notes = this.#notes()
    return { ...(skipped.length > 0 && { skipped }), ...(notes.length > 0 && { notes }) }
  }

  /** Changes that a person should know of although the volume has all the content. */
  #notes(): string[] {
    const { skipped } = this.changes
    const planned = [...this.#right].map(
      (source) =>
        said`${pathForDisplay(source)} has changed, but not the content that ${this.#label} has of it`,
    )
    const elsewhere = this.#contents
      .filter(({ source, path }) => this.#lost.has(source) && !skipped.has(path))
      .map(
        ({ source }) => said`${pathForDisplay(source)} is no longer as planned; another file had its content`,
      )
    return [...new Set([...planned, ...elsewhere])]
  }

  /** A source that still has it, for each content, by its digest. */
  #sourcesFound(): Map<string, ContentSource> {
    const found = new Map<string, ContentSource>()
    for (const entry of this.#contents)
      if (!this.#lost.has(entry.source) && !found.has(entry.sha256)) found.set(entry.sha256, ownSource(entry))
    return found
  }

  /** @returns the failures that `work` adds, of contents that are nowhere else */
  async #afterwards(work: () => Promise<void>): Promise<AppError[]> {
    const before = new Set(this.changes.skipped.keys())
    await work()
    const { skipped } = this.changes
    const failures = new Set<AppError>()
    for (const { path, source } of this.#contents) {
      const failure = this.#lost.get(source)
      if (failure && skipped.has(path) && !before.has(path)) failures.add(failure)
    }
    return [...failures]
  }

  /** Reads what the volume has of a source, and compares size and content with the plan. */
  async #wrongWith(source: string): Promise<AppError | null> {
    try {
      for (const entry of this.#bySource.get(source) ?? []) {
        const bytes = entry.kind === 'part' ? entry.wholeBytes : entry.bytes
        const facts = lstatAt(source)
        if (!facts?.isFile() || facts.size !== BigInt(bytes)) return contentChanged(source)
        const range = { file: source, offset: ownSource(entry).offset, bytes: entry.bytes }
        if ((await sha256Of(range, this.#signal)) !== entry.sha256) return contentChanged(source)
      }
      return null
    } catch (thrown) {
      const failure = thrown instanceof AppError ? thrown : readFailure(thrown, source)
      if (failure.code === 'cancelled') throw failure
      return failure
    }
  }
}
