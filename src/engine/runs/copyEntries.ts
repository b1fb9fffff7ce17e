import { constants, createReadStream, lstatSync, mkdirSync, symlinkSync } from 'node:fs'
import { chmod, copyFile, lstat, utimes } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { fileFailure, fsPath, joinPath } from '../exporters/fileSystem'
import { writeNewFile } from '../files/newFile'
import { pausing } from '../jobs/slowly'
import { throwIfAborted } from '../tools/runTool'
import { ShortCopies, wrongLength } from './shortCopies'

/** Something of a source that is copied to `path` below the target. */
export type CopiedEntry = { readonly path: string; readonly source: string } & (
  | { readonly kind: 'folder' }
  | { readonly kind: 'symlink'; readonly target: string }
  | { readonly kind: 'file'; readonly bytes: number }
  | { readonly kind: 'part'; readonly offset: number; readonly bytes: number }
)

/** Longer files are copied piece by piece, so that a cancel need not wait for the end. */
const AT_ONCE_BYTES = 64 * 1024 * 1024
const PIECE_BYTES = 1024 * 1024

/**
 * Copies entries with mode and times into a folder that exists; nothing is flushed. File systems that can clone share the blocks.
 * @throws AppError `changed`, `no-space`, `cancelled`, …
 */
export async function copyEntries(
  entries: readonly CopiedEntry[],
  to: string,
  options: { readonly signal: AbortSignal; readonly onBytes: (done: number) => void },
): Promise<void> {
  const { signal } = options
  const pause = pausing(() => throwIfAborted(signal))
  const short = new ShortCopies()
  const made = new Set<string>()
  let done = 0
  for (const entry of entries) {
    await pause()
    const path = joinPath(to, entry.path)
    try {
      makeOnce(path.slice(0, path.lastIndexOf('/')), made)
      if (entry.kind === 'file' && short.takes(entry.bytes)) short.copy(entry.source, path, entry.bytes)
      else await copyEntry(entry, path, signal)
    } catch (thrown) {
      throw copyFailure(thrown, entry, path)
    }
    if (entry.kind === 'file' || entry.kind === 'part') options.onBytes((done += entry.bytes))
  }
  // Last, because every file that comes into a folder changes its time.
  for (const entry of entries.toReversed()) {
    if (entry.kind === 'folder') await copyTimes(entry.source, joinPath(to, entry.path))
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
      return
    case 'file':
      await copyWhole(entry.source, path, entry.bytes, signal)
      await chmod(fsPath(path), (await lstat(fsPath(entry.source))).mode & 0o777)
      break
    case 'part':
      await copyRange(
        entry.source,
        path,
        { start: entry.offset, end: entry.offset + entry.bytes - 1 },
        signal,
      )
  }
  await copyTimes(entry.source, path)
  const { size } = lstatSync(fsPath(path))
  if (size !== entry.bytes) throw wrongLength(entry.source, size, entry.bytes)
}

async function copyWhole(from: string, to: string, bytes: number, signal: AbortSignal): Promise<void> {
  const isShort = bytes <= AT_ONCE_BYTES
  const clone = isShort ? constants.COPYFILE_FICLONE : constants.COPYFILE_FICLONE_FORCE
  try {
    await copyFile(fsPath(from), fsPath(to), clone | constants.COPYFILE_EXCL)
  } catch (thrown) {
    if (isShort || (thrown as NodeJS.ErrnoException).code === 'EEXIST') throw thrown
    await copyRange(from, to, {}, signal)
  }
}

async function copyRange(
  from: string,
  to: string,
  range: { readonly start?: number; readonly end?: number },
  signal: AbortSignal,
): Promise<void> {
  const content = createReadStream(fsPath(from), { ...range, signal, highWaterMark: PIECE_BYTES })
  await writeNewFile(to, content, { flush: false, signal })
}

function copyFailure(thrown: unknown, entry: CopiedEntry, path: string): AppError {
  if (thrown instanceof Error && thrown.name === 'AbortError') return new AppError('cancelled', 'cancelled')
  const number = (thrown as NodeJS.ErrnoException).code
  const isSource = number === 'EACCES' || number === 'ENOENT'
  return isSource ? fileFailure(thrown, 'read', entry.source) : fileFailure(thrown, 'write', path)
}

async function copyTimes(from: string, to: string): Promise<void> {
  const { atime, mtime } = await lstat(fsPath(from))
  await utimes(fsPath(to), atime, mtime)
}
