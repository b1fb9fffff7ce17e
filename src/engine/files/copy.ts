import { createHash, hash } from 'node:crypto'
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  createReadStream,
  fchmodSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  symlinkSync,
} from 'node:fs'
import { chmod, copyFile, lstat } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { pausing } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { setFileTimes } from '../native/fileTimes'
import { cannot, fileFailure, fsPath, joinPath } from './fileSystem'
import { NO_LINKS } from './place'
import { type ContentPlace, openedAtOnce, rangeOf, readAtOnce, sha256Of } from './read'
import { contentChanged } from './sourceCheck'
import { ensureFolder, folderOf, writeNewFile, writeNewFileAtOnce } from './write'

/**
 * Something of a source that is copied to `path` below the target; its content is checked where the
 * digest is known.
 */
export type CopiedEntry = { readonly path: string; readonly source: string } & (
  | { readonly kind: 'folder' }
  | { readonly kind: 'symlink'; readonly target: string }
  | {
      readonly kind: 'file'
      readonly bytes: number
      readonly sha256?: string | undefined
      /**
       * The path of another entry with the same content, of which it becomes a further name where
       * the file system can.
       */
      readonly sameAs?: string | undefined
    }
  | {
      readonly kind: 'part'
      readonly offset: number
      readonly bytes: number
      readonly sha256?: string | undefined
    }
)

/** Longer files are copied piece by piece, so that a cancel need not wait for the end. */
const AT_ONCE_BYTES = 64 * 1024 * 1024
/** Read and hashed at once. */
const PIECE_BYTES = 256 * 1024

/**
 * Copies entries with mode and times into a folder that exists; nothing is flushed. File systems
 * that can clone share the blocks.
 * @throws AppError `changed`, `no-space`, `cancelled`, …
 */
export async function copyEntries(
  entries: readonly CopiedEntry[],
  to: string,
  options: {
    readonly signal: AbortSignal
    /** Takes the bytes and the files that are there. */
    readonly onBytes: (done: number, files: number) => void
  },
): Promise<void> {
  const { signal } = options
  const pause = pausing(() => throwIfAborted(signal))
  const short = new SmallFileCopier()
  const made = new Set<string>()
  let done = 0
  let files = 0
  const firstNamesFirst = entries.toSorted((one, other) => Number(isSame(one)) - Number(isSame(other)))
  for (const entry of firstNamesFirst) {
    await pause()
    const path = joinPath(to, entry.path)
    try {
      makeOnce(path.slice(0, path.lastIndexOf('/')), made)
      if (isSame(entry) && linked(joinPath(to, entry.sameAs), path)) {
        // It is there.
      } else if (entry.kind === 'file' && short.takes(entry.bytes))
        short.copy(entry.source, path, entry.bytes, entry.sha256)
      else await copyEntry(entry, path, signal, (part) => options.onBytes(done + part, files))
    } catch (thrown) {
      throw copyFailure(thrown, entry, path)
    }
    if (entry.kind !== 'file' && entry.kind !== 'part') continue
    done += entry.bytes
    files += 1
    options.onBytes(done, files)
  }
  // Last, because every file that comes into a folder changes its time.
  for (const entry of entries.toReversed()) {
    if (entry.kind === 'folder') copyTimes(entry.source, joinPath(to, entry.path))
  }
}

function isSame(entry: CopiedEntry): entry is CopiedEntry & { readonly sameAs: string } {
  return entry.kind === 'file' && entry.sameAs !== undefined
}

/** True when a file got a further name: not every file system has such, or as many as wanted. */
function linked(first: string, path: string): boolean {
  try {
    linkSync(fsPath(first), fsPath(path))
    return true
  } catch (thrown) {
    if (NO_LINKS.has((thrown as NodeJS.ErrnoException).code ?? '')) return false
    throw thrown
  }
}

function makeOnce(folder: string, made: Set<string>): void {
  if (made.has(folder)) return
  mkdirSync(fsPath(folder), { recursive: true })
  made.add(folder)
}

async function copyEntry(
  entry: CopiedEntry,
  path: string,
  signal: AbortSignal,
  onPart: (bytes: number) => void,
): Promise<void> {
  switch (entry.kind) {
    case 'folder':
      mkdirSync(fsPath(path), { recursive: true })
      return
    case 'symlink':
      symlinkSync(fsPath(entry.target), fsPath(path))
      copyTimes(entry.source, path)
      return
    case 'file':
      await copyWhole(entry, path, signal, onPart)
      await chmod(fsPath(path), (await lstat(fsPath(entry.source))).mode & 0o777)
      break
    case 'part':
      await copyRange(
        entry,
        path,
        { start: entry.offset, end: entry.offset + entry.bytes - 1 },
        { signal, onPart },
      )
  }
  copyTimes(entry.source, path)
  const { size } = lstatSync(fsPath(path))
  if (size !== entry.bytes) throw wrongLength(entry.source, size, entry.bytes)
}

/** A file or part whose content is copied. */
type Content = Pick<Extract<CopiedEntry, { kind: 'file' | 'part' }>, 'source' | 'bytes' | 'sha256'>

/** @param onPart the bytes of it that are copied, or of a clone compared */
async function copyWhole(
  content: Content,
  to: string,
  signal: AbortSignal,
  onPart: (bytes: number) => void,
): Promise<void> {
  const { source, bytes, sha256 } = content
  const isShort = bytes <= AT_ONCE_BYTES
  const clone = isShort ? constants.COPYFILE_FICLONE : constants.COPYFILE_FICLONE_FORCE
  try {
    await copyFile(fsPath(source), fsPath(to), clone | constants.COPYFILE_EXCL)
  } catch (thrown) {
    if (isShort || (thrown as NodeJS.ErrnoException).code === 'EEXIST') throw thrown
    await copyRange(content, to, {}, { signal, onPart })
    return
  }
  if (sha256 === undefined) return
  let part = 0
  const onBytes = (more: number): void => onPart((part += more))
  if ((await sha256Of({ file: to, offset: 0, bytes }, signal, onBytes)) !== sha256)
    throw contentChanged(source)
}

async function copyRange(
  { source, sha256 }: Content,
  to: string,
  range: { readonly start?: number; readonly end?: number },
  { signal, onPart }: { readonly signal: AbortSignal; readonly onPart: (bytes: number) => void },
): Promise<void> {
  let part = 0
  const digest = createHash('sha256')
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const piece of createReadStream(fsPath(source), {
      ...range,
      highWaterMark: PIECE_BYTES,
      signal,
    }) as AsyncIterable<Buffer>) {
      if (sha256 !== undefined) digest.update(piece)
      yield piece
      onPart((part += piece.length))
    }
  }
  await writeNewFile(to, hashed(), { flush: false, signal })
  if (sha256 !== undefined && digest.digest('hex') !== sha256) throw contentChanged(source)
}

function copyFailure(thrown: unknown, entry: CopiedEntry, path: string): AppError {
  if (thrown instanceof Error && thrown.name === 'AbortError')
    return new AppError('cancelled', said`cancelled`)
  const number = (thrown as NodeJS.ErrnoException).code
  const isSource = number === 'EACCES' || number === 'ENOENT'
  return isSource ? fileFailure(thrown, 'read', entry.source) : fileFailure(thrown, 'write', path)
}

function copyTimes(from: string, to: string): void {
  setFileTimes(to, lstatSync(fsPath(from), { bigint: true }))
}

/**
 * Writes a range of a file to a new file, with the folders above it; nothing is flushed.
 * @param onBytes bytes that were copied since the last call
 * @throws as `rangeOf` and `writeNewFile`
 */
export async function copyOut(
  from: ContentPlace,
  to: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<void> {
  ensureFolder(folderOf(to))
  async function* followed(): AsyncGenerator<Buffer, void, void> {
    for await (const piece of rangeOf(from, signal)) {
      yield piece
      onBytes(piece.length)
    }
  }
  await writeNewFile(to, followed(), { flush: false, signal })
}

/**
 * The bytes that are read and written in less than the engine may be silent; handing as much to
 * another thread costs more than doing it.
 */
const SHORT_BYTES = 1024 * 1024

/**
 * Attributes, streams and forks come along with the system's own copies there. On Linux they do
 * not, and take five times as long.
 */
const SYSTEM_KEEPS_MORE = process.platform === 'darwin' || process.platform === 'win32'

/**
 * Copies of short files with mode and times, each made at once on the thread that asks: the ten
 * calls that one takes cost a few microseconds each, and ten times as much where each is handed to
 * another thread.
 */
export class SmallFileCopier {
  // One byte more than expected reveals a file that has grown.
  readonly #buffer = Buffer.allocUnsafeSlow(SHORT_BYTES + 1)
  /** Devices whose files cannot share their blocks with what is written; each was asked once. */
  readonly #cannotClone = new Set<bigint>()

  takes(bytes: number): boolean {
    return bytes <= SHORT_BYTES
  }

  /**
   * @param sha256 of the content, where it is known
   * @throws AppError `changed` when it gives another length or content, and the system's errors
   */
  copy(source: string, path: string, bytes: number, sha256?: string): void {
    const from = openedAtOnce(source)
    try {
      const stats = fstatSync(from, { bigint: true })
      if (!stats.isFile() || stats.size !== BigInt(bytes)) throw wrongLength(source, stats.size, bytes)
      // Of an empty file nothing can be shared, but attributes may come along.
      if ((bytes > 0 || SYSTEM_KEEPS_MORE) && this.#bySystem(source, path, stats)) {
        if (sha256 !== undefined) this.#checkCopy(source, path, bytes, sha256)
        return
      }
      const content = this.#contentOf(from, source, bytes)
      if (sha256 !== undefined && hash('sha256', content) !== sha256) throw contentChanged(source)
      write(path, content, stats)
    } finally {
      closeSync(from)
    }
  }

  #contentOf(file: number, source: string, bytes: number): Buffer {
    const length = readAtOnce(file, this.#buffer.subarray(0, bytes + 1))
    if (length !== bytes) throw wrongLength(source, length, bytes)
    return this.#buffer.subarray(0, bytes)
  }

  /** The copy is what counts: the source may have changed between two looks. */
  #checkCopy(source: string, path: string, bytes: number, sha256: string): void {
    const copy = openedAtOnce(path)
    try {
      if (hash('sha256', this.#contentOf(copy, source, bytes)) !== sha256) throw contentChanged(source)
    } finally {
      closeSync(copy)
    }
  }

  #bySystem(source: string, path: string, stats: BigIntStats): boolean {
    const { dev, mode } = stats
    if (this.#cannotClone.has(dev)) return false
    const clone = SYSTEM_KEEPS_MORE ? constants.COPYFILE_FICLONE : constants.COPYFILE_FICLONE_FORCE
    try {
      copyFileSync(fsPath(source), fsPath(path), constants.COPYFILE_EXCL | clone)
    } catch (thrown) {
      if (SYSTEM_KEEPS_MORE || (thrown as NodeJS.ErrnoException).code === 'EEXIST') throw thrown
      this.#cannotClone.add(dev)
      return false
    }
    setFileTimes(path, stats)
    chmodSync(fsPath(path), Number(mode) & 0o777)
    return true
  }
}

function write(path: string, content: Buffer, stats: BigIntStats): void {
  writeNewFileAtOnce(path, content, 0o600, (file) => {
    setFileTimes(path, stats)
    fchmodSync(file, Number(stats.mode) & 0o777)
  })
}

function wrongLength(source: string, found: number | bigint, bytes: number): AppError {
  return cannot('changed', 'copy', source, said`read ${found} bytes instead of ${bytes}`)
}
