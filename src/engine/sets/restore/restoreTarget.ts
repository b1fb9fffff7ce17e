import { createHash, hash as hashAtOnce } from 'node:crypto'
import { chmodSync, chownSync, linkSync, renameSync, type Stats } from 'node:fs'
import { readlink, rename, rm, symlink } from 'node:fs/promises'
import type { TargetNames } from '../../../domain/sets/naming/targetNames'
import { pathFromBytes } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { changeMode, type FactsBack, type RestoredFacts } from '../../files/factsBack'
import { attempt, attemptAtOnce, cannot, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { moveToFreePlace, NO_LINKS } from '../../files/place'
import { type ContentPlace, rangeOf, ShortRanges, sha256Of } from '../../files/read'
import { writeNewFile, writeNewFileAtOnce } from '../../files/write'
import { type Pause, pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { flushTree } from '../../tools/flushTree'
import { discardJoined, type Joined, joinParts, type RestoredPart } from './joinParts'
import { seemsRestored } from './seemsRestored'
import { damaged, inTheWay, isUnreadable, statsOf, TargetFolders } from './targetFolders'
import type { TargetTraits } from './targetTraits'

/** A file as it has to be, and where its content is read from. */
export interface RestoredFile extends RestoredFacts {
  /** The label of the volume that it is on. */
  readonly label: string
  readonly bytes: number
  readonly sha256: string
  readonly holes: boolean
  /** A range of a file, or the content itself. */
  readonly from: ContentPlace | Buffer
  /**
   * Where `from` is a file of our own on the same file system that nothing else needs: its digest.
   */
  readonly ours?: string | undefined
}

/** Hears how each file ended that `file` has written. */
interface FileOutcomes {
  restored(file: RestoredFile): void
  /** Takes the error of a file; an error that this throws ends the restore. */
  failed(file: RestoredFile, thrown: unknown): void
}

interface TargetOptions {
  readonly force: boolean
  /** Where each path of the set is in the target. */
  readonly names: TargetNames
  readonly traits: Pick<TargetTraits, 'timeStepNs' | 'largestFileBytes'>
  readonly signal: AbortSignal
  readonly outcomes: FileOutcomes
  readonly facts: FactsBack
}

/** So much is written before it is flushed and takes its place. */
const BATCH_FILES = 2000
const BATCH_BYTES = 2 ** 30

/**
 * The folder that is restored into. Every file is written into a folder of the restore's own there,
 * checked by digest as it is written, flushed in batches and only then renamed into its place, so
 * that no half a file ever has its name.
 */
export class RestoreTarget {
  readonly #root: string
  readonly #scratch: string
  readonly #options: TargetOptions
  readonly #folders: TargetFolders
  /** Paths at which the right content is, as this restore has seen. */
  readonly #proved = new Set<string>()
  readonly #batch: { readonly from: string; readonly to: string; readonly file: RestoredFile }[] = []
  readonly #short: ShortRanges
  readonly #pause: Pause
  #batchBytes = 0
  #number = 0

  /** @param scratch an empty folder on the file system of `root`, which whoever made it removes */
  constructor(root: string, scratch: string, options: TargetOptions) {
    this.#root = root
    this.#scratch = scratch
    this.#options = options
    this.#short = new ShortRanges(options.signal)
    this.#pause = pausing(() => throwIfAborted(options.signal))
    this.#folders = new TargetFolders((path) => this.placeOf(path), this.#pause)
  }

  /** The absolute path at which a path of the set is. */
  placeOf(path: string): string {
    return joinPath(this.#root, this.pathIn(path))
  }

  /** The path in the target at which a path of the set is. */
  pathIn(path: string): string {
    return this.#options.names.pathIn(path)
  }

  /** Closes what is open for reading; to be called in the end, whatever happened. */
  async close(): Promise<void> {
    await this.#short.close()
  }

  /** @throws AppError `exists` where something else has the name, `permission-denied`, … */
  async folder(folder: Pick<RestoredFacts, 'path' | 'mode'>): Promise<void> {
    await this.#pause()
    this.#folders.open(folder)
  }

  /**
   * Writes one file, which gets its name with its batch (see `commit`).
   * @returns `kept` if the right content is there already
   * @throws AppError `exists` for another file in its place, `verification-failed` for damaged
   *   content, `io`, `no-space`, `cancelled`, …
   */
  async file(file: RestoredFile, onBytes: (bytes: number) => void): Promise<'written' | 'kept'> {
    return (await this.keeps(file, onBytes)) ? 'kept' : this.absentFile(file, onBytes)
  }

  /** The same for a file that `keeps` has just said is not there. @throws as `file` */
  async absentFile(file: RestoredFile, onBytes: (bytes: number) => void): Promise<'written'> {
    await this.#pause()
    const to = this.placeOf(file.path)
    const from = joinPath(this.#scratch, String((this.#number += 1)))
    if (file.ours !== undefined && !file.holes && !Buffer.isBuffer(file.from)) {
      this.#take(file, file.from.file, from)
      onBytes(file.bytes)
    } else await this.#write(file, from, onBytes)
    this.#batch.push({ from, to, file })
    this.#batchBytes += file.bytes
    if (this.#batch.length >= BATCH_FILES || this.#batchBytes >= BATCH_BYTES) await this.commit()
    return 'written'
  }

  /**
   * True when the right content is there already; its time and permissions are put back then.
   * @throws as `file`
   */
  async keeps(file: Omit<RestoredFile, 'from'>, onBytes: (bytes: number) => void): Promise<boolean> {
    const to = this.placeOf(file.path)
    await this.#pause()
    if (file.bytes > this.#options.traits.largestFileBytes)
      throw cannot(
        'refused',
        'restore',
        to,
        said`the file system of the target cannot hold a file of this size`,
      )
    this.#folders.makeAbove(file.path)
    if (!(await this.#isThere(file, to, onBytes))) return false
    this.#options.facts.put(to, file)
    this.#proved.add(file.path)
    return true
  }

  /**
   * True when a file of the size and time is there. It is not read: it was restored from a volume
   * that is not at hand now.
   */
  async seemsRestored({
    path,
    bytes,
    mtimeNs,
  }: Pick<RestoredFile, 'path' | 'bytes' | 'mtimeNs'>): Promise<boolean> {
    return seemsRestored(this.placeOf(path), { bytes, mtimeNs }, this.#options.traits.timeStepNs)
  }

  /** True when a file with this content is at a path: restored or kept before, or read now. */
  async hasContent(path: string, content: Pick<RestoredFile, 'bytes' | 'sha256'>): Promise<boolean> {
    if (this.#proved.has(path)) return true
    const at = this.placeOf(path)
    this.#folders.makeAbove(path)
    const there = statsOf(at)
    return there?.isFile() === true && there.size === content.bytes && (await this.#has(at, content))
  }

  /** Takes a file of our own. */
  #take(file: RestoredFile, from: string, to: string): void {
    const { path, bytes, sha256, ours } = file
    const there = statsOf(from)
    if (there?.size !== bytes || ours !== sha256) throw damaged(path)
    attemptAtOnce('write', this.placeOf(path), () => {
      renameSync(fsPath(from), fsPath(to))
      // Programs that unpack as root give files to the owners that they had.
      const [uid, gid] = [process.getuid?.(), process.getgid?.()]
      if (uid !== undefined && gid !== undefined && (there.uid !== uid || there.gid !== gid))
        chownSync(fsPath(to), uid, gid)
      if ((there.mode & 0o7777) !== 0o600) chmodSync(fsPath(to), 0o600)
    })
    this.#putBeforeFlush(to, file)
  }

  async #write(file: RestoredFile, to: string, onBytes: (bytes: number) => void): Promise<void> {
    const { from, holes } = file
    try {
      if (Buffer.isBuffer(from)) this.#writeShort(file, from, to)
      else if (!holes && this.#short.takes(from.bytes))
        this.#writeShort(file, await this.#short.read(from), to)
      else return await this.#writePieces(file, from, to, onBytes)
    } catch (thrown) {
      await rm(fsPath(to), { force: true })
      throw thrown
    }
    onBytes(file.bytes)
  }

  #writeShort(file: RestoredFile, content: Buffer, to: string): void {
    if (hashAtOnce('sha256', content) !== file.sha256) throw damaged(file.path)
    writeNewFileAtOnce(to, content, 0o600)
    this.#putBeforeFlush(to, file)
  }

  async #writePieces(
    file: RestoredFile,
    from: ContentPlace,
    to: string,
    onBytes: (bytes: number) => void,
  ): Promise<void> {
    const digest = createHash('sha256')
    const signal = this.#options.signal
    async function* content(): AsyncGenerator<Buffer> {
      for await (const piece of rangeOf(from, signal)) {
        digest.update(piece)
        onBytes(piece.length)
        yield piece
      }
    }
    await writeNewFile(to, content(), { flush: false, holes: file.holes, signal, mode: 0o600 })
    if (digest.digest('hex') !== file.sha256) throw damaged(file.path)
    this.#putBeforeFlush(to, file)
  }

  /**
   * Once it may not be read it cannot be flushed: such a file gets its permissions with its name.
   */
  #putBeforeFlush(at: string, file: RestoredFile): void {
    if (!isUnreadable(file)) this.#options.facts.put(at, file)
  }

  /**
   * Joins a split file as far as its parts are at hand. What is joined so far waits next to its
   * place, also for another call, and gets the name when all of it is there and its digest is
   * right.
   * @param waiting paths of which one can hold what is joined so far
   * @returns what is joined where parts are still needed
   * @throws as `file`
   */
  async join(
    file: Omit<RestoredFile, 'from'>,
    parts: readonly RestoredPart[],
    waiting: readonly string[],
    onBytes: (bytes: number) => void,
  ): Promise<'restored' | 'kept' | Joined> {
    if (await this.keeps(file, onBytes)) return 'kept'
    const joined = await this.joinedAt(file, parts, waiting, (bytes) => onBytes(bytes / 2))
    if (joined.lacking.length > 0) return joined
    if (!joined.isWhole) {
      const wrong = await discardJoined(joined.path, file.path, parts, this.#options.signal)
      throw joined.unread[0]?.error ?? wrong
    }
    this.#options.facts.put(joined.path, file)
    this.#place(joined.path, this.placeOf(file.path))
    this.#proved.add(file.path)
    return 'restored'
  }

  /**
   * Joins as `join` does, and leaves what is joined where it waited, also where parts of it are
   * damaged.
   * @param waiting paths in the target
   * @throws as `joinParts`
   */
  joinedAt(
    { path, bytes, sha256 }: Pick<RestoredFile, 'path' | 'bytes' | 'sha256'>,
    parts: readonly RestoredPart[],
    waiting: readonly string[],
    onBytes: (bytes: number) => void,
  ): Promise<Joined> {
    const whole = { place: this.placeOf(path), bytes, sha256 }
    const { signal } = this.#options
    const places = waiting.map((name) => joinPath(this.#root, name))
    return joinParts(whole, parts, places, { signal, onBytes })
  }

  /** Gives what is written its name, in which nothing else is replaced without `force`. */
  #place(from: string, to: string): void {
    try {
      if (this.#options.force) renameSync(fsPath(from), fsPath(to))
      else moveToFreePlace(from, to)
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') throw inTheWay(to)
      throw fileFailure(thrown, 'write', to)
    }
    this.#folders.touch(to)
  }

  /**
   * Makes a further name of a file that was restored.
   * @param first a name of a file with this content; another file is not given a further name
   * @returns null where that is not possible: the content has to be restored by itself
   * @throws AppError `no-space`, `exists`, …
   */
  async link(
    path: string,
    first: string,
    content: Pick<RestoredFile, 'bytes' | 'sha256'>,
  ): Promise<'restored' | 'kept' | null> {
    const to = this.placeOf(path)
    const source = this.placeOf(first)
    this.#folders.makeAbove(path)
    if (!(await this.hasContent(first, content))) return null
    const there = statsOf(to)
    const origin = statsOf(source)
    if (!origin) return null
    if (there) return there.ino === origin.ino && there.dev === origin.dev ? 'kept' : null
    try {
      linkSync(fsPath(source), fsPath(to))
    } catch (thrown) {
      if (NO_LINKS.has((thrown as NodeJS.ErrnoException).code ?? '')) return null
      throw fileFailure(thrown, 'write', to)
    }
    this.#folders.touch(to)
    return 'restored'
  }

  /** @throws AppError `exists` for something else in its place, … */
  async symlink(target: string, facts: Omit<RestoredFacts, 'mode'>): Promise<void> {
    const { path } = facts
    const to = this.placeOf(path)
    this.#folders.makeAbove(path)
    const there = statsOf(to)
    if (there?.isSymbolicLink()) {
      const points = pathFromBytes(await readlink(fsPath(to), { encoding: 'buffer' }))
      if (points === target) return this.#options.facts.putOnLink(to, facts)
    }
    if (there && (there.isDirectory() || !this.#options.force)) throw inTheWay(to)
    await attempt('write', to, async () => {
      const from = there ? joinPath(this.#scratch, String((this.#number += 1))) : to
      await symlink(fsPath(target), fsPath(from))
      if (there) await rename(fsPath(from), fsPath(to))
    })
    this.#options.facts.putOnLink(to, facts)
    this.#folders.touch(to)
  }

  /**
   * Flushes what was written since the last call and gives it its names; one that cannot be given
   * does not keep the others.
   * @throws AppError `no-space`, `io`, `cancelled`
   */
  async commit(): Promise<void> {
    if (this.#batch.length === 0) return
    await flushTree(this.#scratch, this.#options.signal)
    this.#batchBytes = 0
    for (const { from, to, file } of this.#batch.splice(0)) {
      await this.#pause()
      try {
        if (isUnreadable(file)) this.#options.facts.put(from, file)
        this.#place(from, to)
      } catch (thrown) {
        await rm(fsPath(from), { force: true })
        this.#options.outcomes.failed(file, thrown)
        continue
      }
      this.#proved.add(file.path)
      this.#options.outcomes.restored(file)
    }
  }

  /**
   * Puts the owners, attributes, permissions and times of folders back, which every file that came
   * into them has changed, and flushes them.
   * @param folders those above before those in them; those whose place something else has are left
   *   out
   */
  async finish(folders: readonly RestoredFacts[]): Promise<void> {
    await this.commit()
    await this.#folders.finish(folders, this.#options.facts)
  }

  /**
   * True when the right content has the name already.
   * @throws AppError `exists` if it is another and must stay
   */
  async #isThere(
    file: Omit<RestoredFile, 'from'>,
    to: string,
    onBytes: (bytes: number) => void,
  ): Promise<boolean> {
    const there = statsOf(to)
    if (!there) return false
    if (there.isDirectory()) throw inTheWay(to)
    if (there.isFile() && there.size === file.bytes && (await this.#holds(to, there, file, onBytes)))
      return true
    if (!this.#options.force) throw inTheWay(to)
    return false
  }

  /** As `#has`, also of a file that its owner may not read, as an earlier restore has left it. */
  async #holds(
    file: string,
    { mode }: Stats,
    content: Pick<RestoredFile, 'bytes' | 'sha256'>,
    onBytes: (bytes: number) => void,
  ): Promise<boolean> {
    if ((mode & 0o400) !== 0) return this.#has(file, content, onBytes)
    changeMode(file, mode | 0o400)
    try {
      return await this.#has(file, content, onBytes)
    } finally {
      changeMode(file, mode)
    }
  }

  async #has(
    file: string,
    { bytes, sha256 }: Pick<RestoredFile, 'bytes' | 'sha256'>,
    onBytes?: (bytes: number) => void,
  ): Promise<boolean> {
    return (await sha256Of({ file, offset: 0, bytes }, this.#options.signal, onBytes)) === sha256
  }
}
