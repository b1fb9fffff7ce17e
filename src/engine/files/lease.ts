import { closeSync, lstatSync, openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { AppError, type AppErrorCode } from '../../primitives/appError'
import { said } from '../../primitives/said'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { cannot, fileFailure, fsPath, joinPath } from './fileSystem'
import { withToolDirectory } from './scratch'
import { ensureFolder } from './write'

/** Something that only one process, and one job of it, has at a time. */
export interface Lease {
  release(): void
}

/** An empty file that stays: were it removed, two processes could each lock a file of this name. */
const LOCK = '.lock'
/**
 * Two that begin in the same moment hold up each other for some milliseconds: neither would have it
 * without waiting.
 */
const WAIT_MS = 250
/** Whoever waits for the other to end looks so often. */
const LOOK_MS = 500

/**
 * Does work that only one process, and one job of it, may do in a folder at a time. The lock is one
 * of SQLite's on an empty file: the system takes it from a process that ends, however it ends, so
 * there are no stale ones. On a file system without locks the work is done all the same.
 * @param folder made if it is missing
 * @param refused what is thrown when somebody else has it
 * @param waiting waits for the other to end instead, until it aborts
 * @throws AppError of `refused`, `cancelled`, and those of `work`
 */
export async function withLease<T>(
  folder: string,
  refused: () => AppError,
  work: () => Promise<T>,
  waiting?: AbortSignal,
): Promise<T> {
  const lease = await (waiting ? awaitedLease(folder, waiting) : takeLease(folder, refused))
  try {
    return await work()
  } finally {
    lease.release()
  }
}

async function awaitedLease(folder: string, signal: AbortSignal): Promise<Lease> {
  const taken = new AppError('refused', said`somebody else has it`)
  for (let waitMs = WAIT_MS; ; waitMs = 0) {
    throwIfAborted(signal)
    try {
      return await takeLease(folder, () => taken, LOCK, waitMs)
    } catch (thrown) {
      if (thrown !== taken) throw thrown
    }
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Takes what `withLease` holds while it works; the system takes it back from a process that ends.
 * @param name of the empty file that is locked
 */
export async function takeLease(
  folder: string,
  refused: () => AppError,
  name = LOCK,
  waitMs = WAIT_MS,
): Promise<Lease> {
  ensureFolder(folder)
  const lock = await locked(folder, name, refused, waitMs)
  return { release: () => lock?.close() }
}

async function locked(
  folder: string,
  name: string,
  refused: () => AppError,
  waitMs: number,
): Promise<Database.Database | null> {
  const path = joinPath(folder, name)
  requireEmptyFile(path, folder)
  return withToolDirectory(folder, async (place) => {
    let lock: Database.Database | null = null
    try {
      lock = new Database(joinPath(place, name), { timeout: waitMs })
      // Nothing is ever written to it, so it needs no journal on what may be a full disk.
      lock.pragma('journal_mode = MEMORY')
      lock.exec('BEGIN EXCLUSIVE')
      return lock
    } catch (thrown) {
      lock?.close()
      const code = String((thrown as { code?: unknown }).code)
      if (code.startsWith('SQLITE_BUSY')) throw refused()
      if (code.startsWith('SQLITE_IOERR')) return null
      const [known, cause]: [AppErrorCode, string] =
        code === 'SQLITE_FULL'
          ? ['no-space', 'no space left on the device']
          : ['permission-denied', 'permission denied']
      throw cannot(known, 'write to', folder, cause, thrown)
    }
  })
}

/**
 * A folder may come from anyone: nothing but such a file is opened as a database. It is made here,
 * as SQLite names no cause.
 */
function requireEmptyFile(path: string, folder: string): void {
  let isOurs: boolean
  try {
    const facts = lstatSync(fsPath(path))
    isOurs = facts.isFile() && facts.size === 0
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw fileFailure(thrown, 'read', path)
    return makeEmptyFile(path, folder)
  }
  if (!isOurs) throw cannot('refused', 'use', path, said`it is not an empty file`)
}

function makeEmptyFile(path: string, folder: string): void {
  try {
    closeSync(openSync(fsPath(path), 'wx'))
  } catch (thrown) {
    // Another process was quicker.
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return
    throw fileFailure(thrown, 'write to', folder)
  }
}
