import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { chmod, link, lstat, mkdir, readlink, rename, rm, symlink, truncate } from 'node:fs/promises'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../../primitives/pathText'
import { feedRange } from '../../files/feedRange'
import { fileFailure, fsPath, joinPath } from '../../files/fileSystem'
import { flushFolder, folderOf } from '../../files/flush'
import { addToFile, writeNewFile } from '../../files/newFile'
import { NO_LINKS } from '../../files/replacePlace'
import { setFileTimes } from '../../native/fileTimes'
import { flushTree } from '../../tools/flushTree'
import { unfinishedPath } from '../export/rejoinScript'
import type { ContentPlace } from '../verify/verifyImage'
import { rangeOf } from './rangeOf'

/** What restoring puts back besides the content. */
export interface RestoredFacts {
  readonly mode: number | null
  readonly mtimeNs: bigint | null
  readonly holes: boolean
}

/** A file as it has to be, and where its content is read from. */
export interface RestoredFile extends RestoredFacts {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
  readonly from: ContentPlace
}

/** One part of a split file; `from` is null where its volume is not at hand. */
export interface RestoredPart {
  readonly path: string
  readonly label: string
  readonly volume: number
  readonly offset: number
  readonly bytes: number
  readonly sha256: string
  readonly from: ContentPlace | null
}

/** So much is written before it is flushed and takes its place. */
const BATCH_FILES = 2000
const BATCH_BYTES = 2 ** 30

/**
 * The folder that is restored into. Every file is written into a folder of the restore's own there, checked by digest as it is
 * written, flushed in batches and only then renamed into its place, so that no half a file ever has its name.
 */
export class RestoreTarget {
  readonly #root: string
  readonly #scratch: string
  readonly #force: boolean
  readonly #signal: AbortSignal
  readonly #plain = new Set<string>([''])
  readonly #touched = new Set<string>()
  readonly #batch: { readonly from: string; readonly to: string }[] = []
  #batchBytes = 0
  #number = 0

  /** @param scratch an empty folder on the file system of `root`, which whoever made it removes */
  constructor(root: string, scratch: string, options: { force: boolean; signal: AbortSignal }) {
    this.#root = root
    this.#scratch = scratch
    this.#force = options.force
    this.#signal = options.signal
  }

  /** @throws AppError `exists` where something else has the name, `permission-denied`, … */
  async folder(path: string): Promise<void> {
    await this.#makeFolders(path)
  }

  /**
   * Restores one file; its name appears with the batch (see `settle`).
   * @returns `kept` if the right content is there already
   * @throws AppError `exists` for another file in its place, `verification-failed` for damaged content, `io`, `no-space`, `cancelled`, …
   */
  async file(file: RestoredFile, onBytes: (bytes: number) => void): Promise<'restored' | 'kept'> {
    const to = joinPath(this.#root, file.path)
    await this.#makeFolders(parentOf(file.path))
    if (await this.#isThere(file, to, onBytes)) {
      await putBack(to, file)
      return 'kept'
    }
    const from = joinPath(this.#scratch, String((this.#number += 1)))
    const hash = createHash('sha256')
    const signal = this.#signal
    async function* content(): AsyncGenerator<Buffer> {
      for await (const piece of rangeOf(file.from, signal)) {
        hash.update(piece)
        onBytes(piece.length)
        yield piece
      }
    }
    try {
      await writeNewFile(from, content(), { flush: false, holes: file.holes, signal, mode: 0o600 })
      if (hash.digest('hex') !== file.sha256) throw damaged(file.path)
      await putBack(from, file)
    } catch (thrown) {
      await rm(fsPath(from), { force: true })
      throw thrown
    }
    await this.#add(from, to, file.bytes)
    return 'restored'
  }

  /**
   * Joins a split file as far as its parts are at hand. What is joined so far waits next to its place, also for another call, and
   * gets the name when all of it is there and its digest is right.
   * @returns the parts that are still needed; none when the file is in its place
   * @throws as `file`
   */
  async join(
    file: Omit<RestoredFile, 'from'>,
    parts: readonly RestoredPart[],
    onBytes: (bytes: number) => void,
  ): Promise<'restored' | 'kept' | readonly RestoredPart[]> {
    const to = joinPath(this.#root, file.path)
    await this.#makeFolders(parentOf(file.path))
    if (await this.#isThere(file, to, onBytes)) {
      await putBack(to, file)
      return 'kept'
    }
    const joining = joinPath(this.#root, unfinishedPath(file.path))
    const there = await statsOf(joining)
    if (there && !there.isFile()) throw inTheWay(joining)
    let length = there?.size ?? 0
    const done = parts.filter(({ offset, bytes }) => offset + bytes <= length)
    length = done.reduce((sum, { bytes }) => sum + bytes, 0)
    onBytes(length)
    for (const [at, part] of parts.entries()) {
      if (at < done.length) continue
      if (part.from === null) return parts.slice(at).filter(({ from }) => from === null)
      await this.#append(joining, length, part, part.from, onBytes)
      length += part.bytes
    }
    const hash = createHash('sha256')
    await feedRange(hash, { path: joining, offset: 0, bytes: file.bytes }, this.#signal)
    if (hash.digest('hex') !== file.sha256) {
      await rm(fsPath(joining), { force: true })
      throw damaged(file.path)
    }
    await putBack(joining, file)
    await rename(fsPath(joining), fsPath(to)).catch((thrown: unknown) => {
      throw fileFailure(thrown, 'write', to)
    })
    this.#touched.add(folderOf(to))
    return 'restored'
  }

  async #append(
    joining: string,
    length: number,
    { path, sha256 }: RestoredPart,
    from: ContentPlace,
    onBytes: (bytes: number) => void,
  ): Promise<void> {
    const hash = createHash('sha256')
    const signal = this.#signal
    async function* content(): AsyncGenerator<Buffer> {
      for await (const piece of rangeOf(from, signal)) {
        hash.update(piece)
        onBytes(piece.length)
        yield piece
      }
      if (hash.digest('hex') !== sha256) throw damaged(path)
    }
    try {
      await addToFile(joining, length, content(), signal)
    } catch (thrown) {
      await truncate(fsPath(joining), length).catch(() => undefined)
      throw thrown
    }
  }

  /**
   * Makes a further name of a file that was restored.
   * @returns null where that is not possible: the content has to be restored by itself
   * @throws AppError `no-space`, `exists`, …
   */
  async link(path: string, first: string): Promise<'restored' | 'kept' | null> {
    const to = joinPath(this.#root, path)
    const source = joinPath(this.#root, first)
    await this.#makeFolders(parentOf(path))
    const there = await statsOf(to)
    const origin = await statsOf(source)
    if (!origin?.isFile()) return null
    if (there) return there.ino === origin.ino && there.dev === origin.dev ? 'kept' : null
    try {
      await link(fsPath(source), fsPath(to))
    } catch (thrown) {
      if (NO_LINKS.has((thrown as NodeJS.ErrnoException).code ?? '')) return null
      throw fileFailure(thrown, 'write', to)
    }
    this.#touched.add(folderOf(to))
    return 'restored'
  }

  /** @throws AppError `exists` for something else in its place, … */
  async symlink(path: string, target: string, mtimeNs: bigint | null): Promise<void> {
    const to = joinPath(this.#root, path)
    await this.#makeFolders(parentOf(path))
    const there = await statsOf(to)
    if (there?.isSymbolicLink()) {
      const points = pathFromBytes(await readlink(fsPath(to), { encoding: 'buffer' }))
      if (points === target) return putTimes(to, mtimeNs)
    }
    if (there && (there.isDirectory() || !this.#force)) throw inTheWay(to)
    try {
      const from = joinPath(this.#scratch, String((this.#number += 1)))
      await symlink(fsPath(target), fsPath(from))
      await rename(fsPath(from), fsPath(to))
    } catch (thrown) {
      throw fileFailure(thrown, 'write', to)
    }
    putTimes(to, mtimeNs)
    this.#touched.add(folderOf(to))
  }

  /** Flushes what was written since the last call and gives it its names. @throws AppError `no-space`, `io`, `cancelled` */
  async settle(): Promise<void> {
    if (this.#batch.length === 0) return
    await flushTree(this.#scratch, this.#signal)
    for (const { from, to } of this.#batch.splice(0)) {
      try {
        await rename(fsPath(from), fsPath(to))
      } catch (thrown) {
        throw fileFailure(thrown, 'write', to)
      }
      this.#touched.add(folderOf(to))
    }
    this.#batchBytes = 0
  }

  /**
   * Puts the times and permissions of folders back, which every file that came into them has changed, and flushes their names.
   * @param folders those above before those in them
   */
  async finish(
    folders: readonly (Omit<RestoredFacts, 'holes'> & { readonly path: string })[],
  ): Promise<void> {
    await this.settle()
    for (const folder of this.#touched) await flushFolder(folder)
    for (const folder of folders.toReversed()) await putBack(joinPath(this.#root, folder.path), folder)
  }

  /** Whether the right content has the name already. @throws AppError `exists` if it is another and must stay */
  async #isThere(
    file: Omit<RestoredFile, 'from'>,
    to: string,
    onBytes: (bytes: number) => void,
  ): Promise<boolean> {
    const there = await statsOf(to)
    if (!there) return false
    if (there.isDirectory()) throw inTheWay(to)
    if (there.isFile() && there.size === file.bytes) {
      const hash = createHash('sha256')
      await feedRange(hash, { path: to, offset: 0, bytes: file.bytes }, this.#signal)
      if (hash.digest('hex') === file.sha256) {
        onBytes(file.bytes)
        return true
      }
    }
    if (!this.#force) throw inTheWay(to)
    return false
  }

  async #add(from: string, to: string, bytes: number): Promise<void> {
    this.#batch.push({ from, to })
    this.#batchBytes += bytes
    if (this.#batch.length >= BATCH_FILES || this.#batchBytes >= BATCH_BYTES) await this.settle()
  }

  /** Makes a folder and those above it. A link in the way could lead out of the target and is refused. */
  async #makeFolders(path: string): Promise<void> {
    if (this.#plain.has(path)) return
    await this.#makeFolders(parentOf(path))
    const at = joinPath(this.#root, path)
    try {
      await mkdir(fsPath(at))
      this.#touched.add(folderOf(at))
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw fileFailure(thrown, 'write', at)
      if (!lstatSync(fsPath(at)).isDirectory()) throw inTheWay(at)
    }
    this.#plain.add(path)
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

async function statsOf(path: string) {
  return lstat(fsPath(path)).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return null
    throw fileFailure(thrown, 'read', path)
  })
}

async function putBack(path: string, { mode, mtimeNs }: Omit<RestoredFacts, 'holes'>): Promise<void> {
  try {
    if (mode !== null) await chmod(fsPath(path), mode)
  } catch (thrown) {
    throw fileFailure(thrown, 'set the permissions of', path)
  }
  putTimes(path, mtimeNs)
}

function putTimes(path: string, mtimeNs: bigint | null): void {
  if (mtimeNs === null) return
  try {
    setFileTimes(path, { atimeNs: mtimeNs, mtimeNs })
  } catch (thrown) {
    throw fileFailure(thrown, 'set the time of', path)
  }
}

function inTheWay(path: string): AppError {
  const message = `cannot restore ${pathForDisplay(path)}: something else is at this path; --force replaces files`
  return new AppError('exists', message, { path })
}

function damaged(path: string): AppError {
  const message = `cannot restore ${pathForDisplay(path)}: its content on the volume is damaged (SHA-256 differs)`
  return new AppError('verification-failed', message, { path })
}
