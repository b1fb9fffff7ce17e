import type { RestoreDocument, RestoreRequest, Unrestored } from '../../../contract/dto/restore'
import { skippedWords } from '../../../domain/sets/skippedFile'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatCount } from '../../../primitives/quantity'
import { said } from '../../../primitives/said'
import type { FactsBack } from '../../files/factsBack'
import type { JobContext } from '../../jobs/jobContext'
import { OF_ALL } from '../unpack/unpack'
import type { Skipped } from '../volume/lists/skippedList'
import { type BegunDocument, begunDocument } from './begunDocument'
import { RestoreProgress } from './restoreProgress'
import type { Wanted } from './wantedFiles'

/**
 * How work with one file ended; `waiting` is not yet an end, and null one that was noted already.
 */
export type FileEnd = 'written' | 'restored' | 'kept' | 'waiting' | null

/**
 * The record of a restore so far: its counts, the problems it met, and the progress that follows
 * from both.
 */
export class RestoreRecord {
  readonly document: BegunDocument
  readonly meter: RestoreProgress
  /** Further names of files that are restored as files of their own. */
  linksCopied = 0
  readonly #context: JobContext
  readonly #startedMs: number
  #skippedFiles: Unrestored[] = []
  readonly #needed = new Map<number, BegunDocument['volumesNeeded'][number]>()
  /** Files with their rows that it counts: a file may be tried more than once. */
  readonly #noted = new Set<string>()
  #have: ReadonlySet<number> = new Set()
  #skipped: ReadonlyMap<number, Skipped> = new Map()
  /** Rights of programs that are put back only where the person trusts the set. */
  #untrusted: RestoreDocument['notPutBack'] = []
  /** Wanted files that are on none of the given volumes. */
  readonly #left = new Set<string>()
  #leftBytes = 0

  constructor(request: RestoreRequest, context: JobContext) {
    this.#context = context
    this.meter = new RestoreProgress(context)
    this.#startedMs = context.clock.monotonicMs()
    this.document = begunDocument(request, { id: context.newId('r'), startedWallMs: context.clock.wallMs() })
  }

  /**
   * Notes what is to be restored, from which volumes.
   * @param have the numbers of the volumes at hand
   * @param skipped what was left out of these
   * @param rights that were taken from files of the set, of which those of wanted ones count
   */
  begin(
    { files }: Pick<Wanted, 'files'>,
    have: ReadonlySet<number>,
    skipped: ReadonlyMap<number, Skipped>,
    rights: RestoreDocument['notPutBack'],
  ): void {
    const paths = new Set(files.map(({ path }) => path))
    this.#untrusted = rights.filter(({ path }) => paths.has(path))
    this.#have = have
    this.#skipped = skipped
    this.document.files = files.length
    this.document.bytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /**
   * Counts one file's work, whose failure does not end the restore. What is only written counts
   * when it has its name.
   * @param share of all the work with the file
   */
  async counting(
    { path, label, bytes }: { readonly path: string; readonly label: string; readonly bytes: number },
    work: (onBytes: (done: number) => void) => Promise<FileEnd>,
    share = 1,
  ): Promise<void> {
    const before = this.meter.bytesDone
    try {
      const end = await work((done) => {
        this.meter.bytesDone += done * share
        this.progress(path)
      })
      if (end === 'waiting') {
        this.meter.bytesDone = before
        return
      }
      if (end === 'restored' || end === 'kept') this.count(end, bytes)
    } catch (thrown) {
      this.failed(path, label, thrown)
    }
    this.meter.bytesDone = before + bytes * share
    this.meter.filesDone += 1
    this.progress(path)
  }

  count(end: 'restored' | 'kept', bytes: number): void {
    this.document[end] += 1
    if (end === 'restored') this.document.restoredBytes += bytes
    this.meter.committedBytes += bytes
    this.progress(null)
  }

  /** Notes what hinders one file. @throws AppError what hinders all, which ends the restore */
  failed(path: string, label: string, thrown: unknown): void {
    const error = AppError.from(thrown)
    if (OF_ALL.has(error.code)) throw error
    const { code, message } = error
    const list = code === 'exists' ? this.document.differing : this.document.damaged
    list.push({ path, label, error: { code, message, path } } satisfies Unrestored)
  }

  /**
   * Notes content that is on none of the given volumes: left out of one of them or missing from it,
   * or on another one that is needed.
   * @param row of the file or part
   */
  absent(
    path: string,
    row: { readonly path: string; readonly volume: number; readonly label: string; readonly bytes: number },
  ): void {
    const { volume: index, label, bytes } = row
    const cause = this.#skipped.get(index)?.get(row.path)
    if (cause !== undefined) {
      const message = said`cannot restore ${pathForDisplay(path)}: it was ${skippedWords(cause)} (${label})`
      this.#skippedFiles.push({ path, label, error: { code: 'not-found', message, path } })
      return
    }
    if (this.isAtHand(index)) {
      const message = said`cannot restore ${pathForDisplay(path)}: it is missing on ${label}`
      this.document.missing.push({ path, label, error: { code: 'verification-failed', message, path } })
      return
    }
    const key = `${index} ${row.path} ${path}`
    if (this.#noted.has(key)) return
    this.#noted.add(key)
    const needed = this.#needed.get(index) ?? { index, label, files: 0, bytes: 0 }
    needed.files += 1
    needed.bytes += bytes
    this.#needed.set(index, needed)
  }

  /** Files of which something on a volume at hand is damaged or missing. */
  failedPaths(): Set<string> {
    const { damaged, missing } = this.document
    const unread = damaged.filter(({ error: { code } }) => code === 'verification-failed' || code === 'io')
    return new Set([...unread, ...missing].map(({ path }) => path))
  }

  /** Takes files that failed back: they are tried once more. */
  again(files: Wanted['files']): void {
    const paths = new Set(files.map(({ path }) => path))
    const { document } = this
    document.damaged = document.damaged.filter(({ path }) => !paths.has(path))
    document.missing = document.missing.filter(({ path }) => !paths.has(path))
    this.#skippedFiles = this.#skippedFiles.filter(({ path }) => !paths.has(path))
    this.meter.again(files.filter(({ path }) => !this.#left.has(path)))
    for (const { path, bytes } of files) if (this.#left.delete(path)) this.#leftBytes -= bytes
  }

  /** Counts those of the files tried once more that did not fail again. */
  repaired(files: Wanted['files']): void {
    const still = new Set([...this.failedPaths(), ...this.document.differing.map(({ path }) => path)])
    const repaired = files.map(({ path }) => path).filter((path) => !still.has(path))
    this.document.repaired = repaired.length
    if (repaired.length > 0) this.document.repairedFiles = repaired
  }

  isAtHand(volume: number): boolean {
    return this.#have.has(volume)
  }

  /** Takes a file out of the progress: nothing of it is at hand. */
  leaveOut({ path, bytes }: { readonly path: string; readonly bytes: number }): void {
    if (!this.#left.has(path)) this.#leftBytes += bytes
    this.#left.add(path)
  }

  note(text: string): void {
    if (!this.document.notes.includes(text)) this.document.notes.push(text)
  }

  progress(current: string | null): void {
    const { files, bytes } = this.document
    this.meter.tell(current, { files: files - this.#left.size, bytes: bytes - this.#leftBytes })
  }

  /**
   * Completes the document.
   * @param thrown what ended the restore, null if nothing did
   * @returns that, or else the first thing that hindered a file
   */
  end(thrown: AppError | null, facts: FactsBack): AppError | null {
    const { document } = this
    const { damaged, missing, differing, damagedLists } = document
    const [worst] = [...damaged, ...missing, ...differing, ...damagedLists]
    const failure = thrown ?? (worst === undefined ? null : AppError.fromWire(worst.error))
    if (this.#skippedFiles.length > 0) document.skipped = this.#skippedFiles
    document.volumesNeeded = [...this.#needed.values()].toSorted((a, b) => a.index - b.index)
    document.ownersLeft = facts.ownersLeft
    for (const line of facts.unheld) this.note(line)
    if (this.linksCopied > 0)
      this.note(
        said`hard links are restored as copies (${formatCount(this.linksCopied)}): the target has no hard links`,
      )
    document.notPutBack = [...facts.refused, ...this.#untrusted]
    document.untrusted = this.#untrusted.length
    document.elapsedMs = this.#context.clock.monotonicMs() - this.#startedMs
    if (failure) document.outcome = failure.code === 'cancelled' ? 'cancelled' : 'failed'
    else if (document.volumesNeeded.length > 0) document.outcome = 'incomplete'
    return failure
  }
}
