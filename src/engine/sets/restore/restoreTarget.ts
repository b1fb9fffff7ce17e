import { createHash, hash as hashAtOnce } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  type Stats,
} from 'node:fs'
import { lstat, readlink, rename, rm, symlink } from 'node:fs/promises'
import type { TargetNames } from '../../../domain/sets/naming/targetNames'
import { AppError } from '../../../primitives/appError'
import { pathFromBytes } from '../../../primitives/pathText'
import { changeMode, type FactsBack, type RestoredFacts } from '../../files/factsBack'
import { attempt, attemptAtOnce, cannot, fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { flushFolder, folderOf } from '../../files/flush'
import { writeIntoFile, writeNewFile, writeNewFileAtOnce } from '../../files/newFile'
import { type ContentPlace, rangeOf, sha256Of } from '../../files/rangeOf'
import { moveToFreePlace, NO_LINKS } from '../../files/replacePlace'
import { ShortRanges } from '../../files/shortRanges'
import { type Pause, pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import { flushTree } from '../../tools/flushTree'
import type { TargetTraits } from './targetTraits'

/** A file as it has to be, and where its content is read from. */
export interface RestoredFile extends RestoredFacts {
  /** Of the volume that it is on. */
  readonly label: string
  readonly bytes: number
  readonly sha256: string
  readonly holes: boolean
  /** A range of a file, or the content itself. */
  readonly from: ContentPlace | Buffer
  /** Where `from` is a file of our own on the same file system that nothing else needs: its digest. */
  readonly ours?: string | undefined
}

/** Hears how each file ended that `file` has written. */
export interface Settlement {
  restored(file: RestoredFile): void
  /** What it throws ends the restore. */
  failed(file: RestoredFile, thrown: unknown): void
}

/** One part of a split file; `from` is null where its volume is not at hand. */
export interface RestoredPart {
  readonly path: string
  readonly label: string
  readonly volume: number
  readonly offset: number
  readonly bytes: number
  readonly sha256: string
  readonly holes: boolean
  readonly from: ContentPlace | null
}

/** The parts joined so far of a split file. */
export interface Joined {
  readonly path: string
  /** Parts that are on no volume at hand. */
  readonly lacking: readonly RestoredPart[]
  /** Parts that are on a volume at hand and cannot be read to their end; what was read of them is in its place. */
  readonly unread: readonly { readonly part: RestoredPart; readonly error: AppError }[]
  /** Whether all of it is there, with the right digest. */
  readonly isWhole: boolean
}

interface TargetOptions {
  readonly force: boolean
  /** Where each path of the set is in the target. */
  readonly names: TargetNames
  readonly traits: Pick<TargetTraits, 'timeStepNs' | 'largestFileBytes'>
  readonly signal: AbortSignal
  readonly settlement: Settlement
  readonly facts: FactsBack
}

/** So much is written before it is flushed and takes its place. */
const BATCH_FILES = 2000
const BATCH_BYTES = 2 ** 30

/** So much of a part that a killed restore has begun is compared with the volume. */
const BEGINNING_BYTES = 65_536

/**
 * The folder that is restored into. Every file is written into a folder of the restore's own there, checked by digest as it is
 * written, flushed in batches and only then renamed into its place, so that no half a file ever has its name.
 */
export class RestoreTarget {
  readonly #root: string
  readonly #scratch: string
  readonly #options: TargetOptions
  readonly #plain = new Set<string>([''])
  readonly #touched = new Set<string>()
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
  async folder({ path, mode }: Pick<RestoredFacts, 'path' | 'mode'>): Promise<void> {
    await this.#pause()
    this.#makeFolders(path)
    // An earlier restore has put its permissions back already; `finish` does so again.
    if (mode !== null) openForOwner(this.placeOf(path))
  }

  /**
   * Writes one file, which gets its name with its batch (see `settle`).
   * @returns `kept` if the right content is there already
   * @throws AppError `exists` for another file in its place, `verification-failed` for damaged content, `io`, `no-space`, `cancelled`, …
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
    if (this.#batch.length >= BATCH_FILES || this.#batchBytes >= BATCH_BYTES) await this.settle()
    return 'written'
  }

  /**
   * Whether the right content is there already; its time and permissions are put back then.
   * @throws as `file`
   */
  async keeps(file: Omit<RestoredFile, 'from'>, onBytes: (bytes: number) => void): Promise<boolean> {
    const to = this.placeOf(file.path)
    await this.#pause()
    if (file.bytes > this.#options.traits.largestFileBytes)
      throw cannot('refused', 'restore', to, 'the file system of the target cannot hold a file of this size')
    this.#makeFolders(parentOf(file.path))
    if (!(await this.#isThere(file, to, onBytes))) return false
    this.#options.facts.put(to, file)
    this.#proved.add(file.path)
    return true
  }

  /** Whether a file of the size and time is there, which is not read: it was restored from a volume that is not at hand now. */
  async seemsRestored({
    path,
    bytes,
    mtimeNs,
  }: Pick<RestoredFile, 'path' | 'bytes' | 'mtimeNs'>): Promise<boolean> {
    const there = await lstat(fsPath(this.placeOf(path)), { bigint: true }).catch(() => null)
    if (there?.isFile() !== true || Number(there.size) !== bytes || mtimeNs === null) return false
    const difference = there.mtimeNs - mtimeNs
    const step = this.#options.traits.timeStepNs
    return -step < difference && difference < step
  }

  /** Whether a file with this content is at a path: restored or kept before, or looked at now. */
  async hasContent(path: string, content: Pick<RestoredFile, 'bytes' | 'sha256'>): Promise<boolean> {
    if (this.#proved.has(path)) return true
    const at = this.placeOf(path)
    this.#makeFolders(parentOf(path))
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

  /** Once it may not be read it cannot be flushed: such a file gets its permissions with its name. */
  #putBeforeFlush(at: string, file: RestoredFile): void {
    if (!isUnreadable(file)) this.#options.facts.put(at, file)
  }

  /**
   * Joins a split file as far as its parts are at hand. What is joined so far waits next to its place, also for another call, and
   * gets the name when all of it is there and its digest is right.
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
      const wrong = await this.#discarded(joined.path, file.path, parts)
      throw joined.unread[0]?.error ?? wrong
    }
    this.#options.facts.put(joined.path, file)
    this.#place(joined.path, this.placeOf(file.path))
    this.#proved.add(file.path)
    return 'restored'
  }

  /**
   * Joins as `join` does, and leaves what is joined where it waited, also where parts of it are damaged.
   * @param onBytes bytes that were joined or proved since the last call: every byte is both
   */
  async joinedAt(
    file: Pick<RestoredFile, 'path' | 'bytes' | 'sha256'>,
    parts: readonly RestoredPart[],
    waiting: readonly string[],
    onBytes: (bytes: number) => void,
  ): Promise<Joined> {
    const { joining, done } = await this.#joiningPlace(file, parts, waiting)
    onBytes(bytesOf([...done]))
    const lacking: RestoredPart[] = []
    const unread: { part: RestoredPart; error: AppError }[] = []
    for (const part of parts) {
      if (done.has(part)) continue
      const error = part.from === null ? null : await this.#writePart(joining, part, part.from, onBytes)
      if (part.from === null) lacking.push(part)
      else if (error !== null) unread.push({ part, error })
    }
    const isWhole = lacking.length === 0 && unread.length === 0 && (await this.#has(joining, file, onBytes))
    return { path: joining, lacking, unread, isWhole }
  }

  /**
   * Removes what was joined with a damaged part, unless parts of it came from volumes that are not at hand: those wait for a copy of
   * the damaged one.
   * @returns the failure, naming the first damaged part
   */
  async #discarded(joining: string, path: string, parts: readonly RestoredPart[]): Promise<AppError> {
    const right = (await this.#partsIn(joining, statsOf(joining)?.size ?? 0, parts)) ?? new Set()
    if (parts.every(({ from }) => from !== null)) await rm(fsPath(joining), { force: true })
    return damaged(parts.find((part) => !right.has(part))?.path ?? path)
  }

  /** Where a file is joined, and which of its parts are there. Something else that has the name stays as it is. */
  async #joiningPlace(
    { path, bytes }: Pick<RestoredFile, 'path' | 'bytes'>,
    parts: readonly RestoredPart[],
    waiting: readonly string[],
  ): Promise<{ joining: string; done: ReadonlySet<RestoredPart> }> {
    let free: string | null = null
    for (const name of waiting) {
      const joining = joinPath(this.#root, name)
      const there = statsOf(joining)
      if (!there) free ??= joining
      else if (there.isFile() && there.size <= bytes) {
        const done = await this.#partsIn(joining, there.size, parts)
        if (done !== null) return { joining, done }
      }
    }
    if (free === null) {
      const [first] = waiting
      throw inTheWay(first === undefined ? this.placeOf(path) : joinPath(this.#root, first))
    }
    return { joining: free, done: new Set() }
  }

  /** The parts that a file holds, each in its place; null for a file that holds nothing of them. */
  async #partsIn(
    file: string,
    size: number,
    parts: readonly RestoredPart[],
  ): Promise<ReadonlySet<RestoredPart> | null> {
    const { signal } = this.#options
    const done = new Set<RestoredPart>()
    for (const part of parts) {
      const { offset, bytes, sha256 } = part
      if (offset + bytes <= size && (await sha256Of({ file, offset, bytes }, signal)) === sha256)
        done.add(part)
    }
    // Where no part is at hand nothing is written to it, whatever it is.
    if (done.size > 0 || size === 0 || parts.every(({ from }) => from === null)) return done
    for (const { offset, from } of parts) {
      if (from === null || offset >= size) continue
      const bytes = Math.min(from.bytes, size - offset, BEGINNING_BYTES)
      const begins = await sha256Of({ file, offset, bytes }, signal)
      if (begins === (await sha256Of({ ...from, bytes }, signal))) return done
    }
    return null
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
    this.#touched.add(folderOf(to))
  }

  /**
   * Writes a part to its place in the whole, which is proved by its digest in the end.
   * @returns the failure of reading it, after what could be read was written
   * @throws AppError where it cannot be written, or `cancelled`
   */
  async #writePart(
    joining: string,
    { offset, holes }: RestoredPart,
    from: ContentPlace,
    onBytes: (bytes: number) => void,
  ): Promise<AppError | null> {
    const signal = this.#options.signal
    let failure: AppError | null = null
    async function* content(): AsyncGenerator<Buffer> {
      try {
        for await (const piece of rangeOf(from, signal)) {
          onBytes(piece.length)
          yield piece
        }
      } catch (thrown) {
        failure = AppError.from(thrown)
        if (failure.code === 'cancelled' || failure.code === 'internal') throw failure
      }
    }
    await writeIntoFile(joining, offset, content(), { holes, signal })
    return failure
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
    this.#makeFolders(parentOf(path))
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
    this.#touched.add(folderOf(to))
    return 'restored'
  }

  /** @throws AppError `exists` for something else in its place, … */
  async symlink(target: string, facts: Omit<RestoredFacts, 'mode'>): Promise<void> {
    const { path } = facts
    const to = this.placeOf(path)
    this.#makeFolders(parentOf(path))
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
    this.#touched.add(folderOf(to))
  }

  /**
   * Flushes what was written since the last call and gives it its names; one that cannot be given does not keep the others.
   * @throws AppError `no-space`, `io`, `cancelled`
   */
  async settle(): Promise<void> {
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
        this.#options.settlement.failed(file, thrown)
        continue
      }
      this.#proved.add(file.path)
      this.#options.settlement.restored(file)
    }
  }

  /**
   * Puts the owners, attributes, permissions and times of folders back, which every file that came into them has changed, and flushes
   * them.
   * @param folders those above before those in them; those whose place something else has are left out
   */
  async finish(folders: readonly RestoredFacts[]): Promise<void> {
    await this.settle()
    for (const folder of folders.toReversed()) {
      if (!this.#plain.has(folder.path)) continue
      await this.#pause()
      const at = this.placeOf(folder.path)
      // Once it may not be read it cannot be flushed.
      if (isUnreadable(folder) && this.#touched.delete(at)) await flushFolder(at)
      this.#options.facts.put(at, folder)
      if (!isUnreadable(folder)) this.#touched.add(at)
    }
    for (const folder of this.#touched) await flushFolder(folder)
  }

  /** Whether the right content has the name already. @throws AppError `exists` if it is another and must stay */
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

  /** Makes a folder and those above it. A link in the way could lead out of the target and is refused. */
  #makeFolders(path: string): void {
    if (this.#plain.has(path)) return
    this.#makeFolders(parentOf(path))
    const at = this.placeOf(path)
    try {
      mkdirSync(fsPath(at))
      this.#touched.add(folderOf(at))
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw fileFailure(thrown, 'write', at)
      if (!lstatSync(fsPath(at)).isDirectory()) throw inTheWay(at)
    }
    this.#plain.add(path)
  }
}

/** Lets the owner of a folder put files into it; what cannot be put into another's is named file by file. */
function openForOwner(folder: string): void {
  try {
    accessSync(fsPath(folder), constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    try {
      changeMode(folder, lstatSync(fsPath(folder)).mode | 0o700)
    } catch {
      // It is another user's.
    }
  }
}

/** Whether its owner may not read it. */
function isUnreadable({ mode }: Pick<RestoredFacts, 'mode'>): boolean {
  return mode !== null && (mode & 0o400) === 0
}

function bytesOf(parts: readonly RestoredPart[]): number {
  return parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function statsOf(path: string): Stats | null {
  return attemptAtOnce('read', path, () => lstatSync(fsPath(path), { throwIfNoEntry: false }) ?? null)
}

function inTheWay(path: string): AppError {
  return cannot('exists', 'restore', path, 'something else is at this path; --force replaces files')
}

function damaged(path: string): AppError {
  return cannot(
    'verification-failed',
    'restore',
    path,
    'its content on the volume is damaged (SHA-256 differs)',
  )
}
