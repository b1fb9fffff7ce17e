import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs'
import { AppError } from '../../primitives/appError'
import { pathFromBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { pausing, slowly } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { cannot, fileFailure, fsPath } from './fileSystem'

/**
 * The expected state of a source: its kind, and its size, time (as entries keep it; where it is
 * known) or target.
 */
export type CheckedSource = { readonly source: string } & (
  | { readonly kind: 'folder' }
  | { readonly kind: 'symlink'; readonly target: string }
  | { readonly kind: 'file'; readonly bytes: number; readonly mtimeNs?: string | undefined }
  | { readonly kind: 'part'; readonly wholeBytes: number; readonly mtimeNs?: string | undefined }
)

/**
 * Times can be set back, which `any-change` notices, and a change of mode or links too: for content
 * that nothing else checks.
 */
export type Notice = 'times' | 'any-change'

/** The state of a source when it was checked, in the order of the entries; null where it failed. */
type SourceStamps = readonly (string | null)[]

/**
 * Looks at the source of every entry: it must still be there, of the same kind, with the size, time
 * or target planned.
 * @param notice how much of a change meanwhile is noticed
 * @returns what each looked like, to be compared after the build, and what is wrong
 * @throws AppError `cancelled`
 */
export async function checkSources(
  entries: readonly CheckedSource[],
  signal: AbortSignal,
  notice: Notice = 'times',
): Promise<{ stamps: SourceStamps; failures: AppError[] }> {
  const stampOf = STAMPS[notice]
  const checked = await inSlices(entries, signal, (entry) => checkSource(entry, stampOf))
  const stamps = checked.map((one) => (one instanceof AppError ? null : one))
  const failures = checked.filter((one) => one instanceof AppError)
  return { stamps, failures }
}

/**
 * Compares the sources with what they looked like before: whoever changed one meanwhile may have
 * spoilt what was written.
 * @throws AppError `cancelled`
 */
export async function changedSince(
  entries: readonly CheckedSource[],
  before: SourceStamps,
  signal: AbortSignal,
  notice: Notice = 'times',
): Promise<AppError[]> {
  const { stamps, failures } = await checkSources(entries, signal, notice)
  const changed = entries.filter((_, at) => stamps[at] !== null && stamps[at] !== before[at])
  return [
    ...failures,
    ...changed.map(({ source }) => changedError(source, 'it changed while it was being read')),
  ]
}

function checkSource(entry: CheckedSource, stampOf: (now: BigIntStats) => string): string | AppError {
  const { source } = entry
  try {
    const now = lstatSync(fsPath(source), { bigint: true })
    if (entry.kind === 'folder') {
      // A folder's times change with what is put next to the planned files; only its being there matters.
      return now.isDirectory() ? '' : changedError(source, 'it is no longer a folder')
    }
    if (entry.kind === 'symlink') {
      if (!now.isSymbolicLink()) return changedError(source, 'it is no longer a symbolic link')
      const target = pathFromBytes(readlinkSync(fsPath(source), { encoding: 'buffer' }))
      return target === entry.target ? stampOf(now) : changedError(source, 'its target changed')
    }
    if (!now.isFile()) return changedError(source, 'it is no longer a file')
    const planned = entry.kind === 'part' ? entry.wholeBytes : entry.bytes
    if (now.size !== BigInt(planned)) {
      return changedError(source, `it has ${now.size} bytes, and had ${planned} when it was planned`)
    }
    if (entry.mtimeNs !== undefined && entryTime(BigInt(entry.mtimeNs)) !== entryTime(now.mtimeNs)) {
      return changedError(source, 'it was modified after it was planned')
    }
    return stampOf(now)
  } catch (thrown) {
    return readFailure(thrown, source)
  }
}

/** The error for a file of the source that could not be opened, read or looked at. */
export function readFailure(thrown: unknown, source: string): AppError {
  if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') return fileFailure(thrown, 'read', source)
  return cannot('vanished', 'use', source, said`it no longer exists`)
}

const STAMPS = {
  times: ({ dev, ino, size, mtimeNs }: BigIntStats): string => `${dev}:${ino}:${size}:${mtimeNs}`,
  'any-change': (now: BigIntStats): string => `${STAMPS.times(now)}:${now.ctimeNs}`,
}

/** `cannot use /a/b: <because>` */
function changedError(path: string, because: string): AppError {
  return cannot('changed', 'use', path, because)
}

/** The source has the planned size and time, but other bytes. */
export function contentChanged(path: string): AppError {
  return changedError(path, 'its content differs from the plan')
}

/**
 * A file's time as entries keep it: nanoseconds in 64 bits, exact from 1677 to 2262, modulo 2^64
 * for the times beyond that file systems also hold. A file that did not change always has the same.
 */
export function entryTime(ns: bigint): bigint {
  return BigInt.asIntN(64, ns)
}

/**
 * Calls `work` for every item in order, letting the engine answer in between. Meant for calls that
 * are much quicker done at once than handed to another thread.
 * @throws AppError `cancelled`, and what `work` throws
 */
export async function inSlices<T, R>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => R,
): Promise<R[]> {
  const results: R[] = []
  const pause = pausing(() => throwIfAborted(signal))
  await pause()
  await slowly(items, pause, (item) => results.push(work(item)))
  return results
}
