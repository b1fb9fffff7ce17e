import { createHash } from 'node:crypto'
import { constants, createReadStream, linkSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs'
import { chmod, copyFile, lstat } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pausing } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { setFileTimes } from '../native/fileTimes'
import { fileFailure, fsPath, joinPath } from './fileSystem'
import { writeNewFile } from './newFile'
import { sha256Of } from './rangeOf'
import { NO_LINKS } from './replacePlace'
import { SmallFileCopier, wrongLength } from './smallFileCopier'
import { contentChanged } from './sourceCheck'

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
  options: { readonly signal: AbortSignal; readonly onBytes: (done: number) => void },
): Promise<void> {
  const { signal } = options
  const pause = pausing(() => throwIfAborted(signal))
  const short = new SmallFileCopier()
  const made = new Set<string>()
  let done = 0
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
      else await copyEntry(entry, path, signal)
    } catch (thrown) {
      throw copyFailure(thrown, entry, path)
    }
    if (entry.kind === 'file' || entry.kind === 'part') options.onBytes((done += entry.bytes))
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

async function copyEntry(entry: CopiedEntry, path: string, signal: AbortSignal): Promise<void> {
  switch (entry.kind) {
    case 'folder':
      mkdirSync(fsPath(path), { recursive: true })
      return
    case 'symlink':
      symlinkSync(fsPath(entry.target), fsPath(path))
      copyTimes(entry.source, path)
      return
    case 'file':
      await copyWhole(entry, path, signal)
      await chmod(fsPath(path), (await lstat(fsPath(entry.source))).mode & 0o777)
      break
    case 'part':
      await copyRange(entry, path, { start: entry.offset, end: entry.offset + entry.bytes - 1 }, signal)
  }
  copyTimes(entry.source, path)
  const { size } = lstatSync(fsPath(path))
  if (size !== entry.bytes) throw wrongLength(entry.source, size, entry.bytes)
}

/** A file or part whose content is copied. */
type Content = Pick<Extract<CopiedEntry, { kind: 'file' | 'part' }>, 'source' | 'bytes' | 'sha256'>

async function copyWhole(content: Content, to: string, signal: AbortSignal): Promise<void> {
  const { source, bytes, sha256 } = content
  const isShort = bytes <= AT_ONCE_BYTES
  const clone = isShort ? constants.COPYFILE_FICLONE : constants.COPYFILE_FICLONE_FORCE
  try {
    await copyFile(fsPath(source), fsPath(to), clone | constants.COPYFILE_EXCL)
  } catch (thrown) {
    if (isShort || (thrown as NodeJS.ErrnoException).code === 'EEXIST') throw thrown
    await copyRange(content, to, {}, signal)
    return
  }
  if (sha256 === undefined) return
  if ((await sha256Of({ file: to, offset: 0, bytes }, signal)) !== sha256) throw contentChanged(source)
}

async function copyRange(
  { source, sha256 }: Content,
  to: string,
  range: { readonly start?: number; readonly end?: number },
  signal: AbortSignal,
): Promise<void> {
  const hash = createHash('sha256')
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const piece of createReadStream(fsPath(source), {
      ...range,
      highWaterMark: PIECE_BYTES,
      signal,
    }) as AsyncIterable<Buffer>) {
      if (sha256 !== undefined) hash.update(piece)
      yield piece
    }
  }
  await writeNewFile(to, hashed(), { flush: false, signal })
  if (sha256 !== undefined && hash.digest('hex') !== sha256) throw contentChanged(source)
}

function copyFailure(thrown: unknown, entry: CopiedEntry, path: string): AppError {
  if (thrown instanceof Error && thrown.name === 'AbortError') return new AppError('cancelled', 'cancelled')
  const number = (thrown as NodeJS.ErrnoException).code
  const isSource = number === 'EACCES' || number === 'ENOENT'
  return isSource ? fileFailure(thrown, 'read', entry.source) : fileFailure(thrown, 'write', path)
}

function copyTimes(from: string, to: string): void {
  setFileTimes(to, lstatSync(fsPath(from), { bigint: true }))
}
