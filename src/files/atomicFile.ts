import { type FileHandle, lstat, open, readFile, realpath, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../primitives/clock'
import { attempt, cannot } from '../primitives/fileFailure'
import { pathFromBytes } from '../primitives/pathText'
import { said } from '../primitives/said'
import { ensureFolder } from './ensureFolder'
import { nativePath } from './nativePath'

let serial = 0

/**
 * A path that no other process and no other call uses. Not derived from the file's name, which may
 * already be as long as the file system allows.
 */
function unusedName(folder: string): string {
  serial += 1
  return path.join(folder, `.stowage-${process.pid}-${serial}.partial`)
}

/**
 * Replaces a file so that its place holds either the old content or the whole new one, also after a
 * crash: next to it first, flushed, then renamed. Makes the folder where it is missing. What was
 * there is replaced.
 */
export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
  const folder = path.dirname(file)
  ensureFolder(folder)
  const beside = unusedName(folder)
  try {
    const handle = await open(nativePath(beside), 'wx')
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(nativePath(beside), nativePath(file))
    await flushNames(folder)
  } catch (error) {
    await rm(nativePath(beside), { force: true })
    throw error
  }
}

/** A change takes milliseconds: whoever has the lock unchanged for so long was killed. */
const STALE_MS = 5000
const LOOK_MS = 10

/**
 * Changes a text file that other processes may change in the same moment: each change is made to
 * what the one before has left, and the place always holds a whole version. The new version is
 * written to `<file>.lock`, which only one process can make, and then renamed. A symbolic link
 * stays one, and the permissions of the file stay.
 * @param edit takes the text that is there, null where none is; may be called again
 * @returns the text that is there afterwards
 * @throws AppError as the file system refuses it; what `edit` throws passes, and nothing changes
 */
export async function changeFile(file: string, edit: (text: string | null) => string): Promise<string> {
  const place = await realpath(nativePath(file), 'buffer').then(pathFromBytes, () => file)
  await attempt('write', file, async () => ensureFolder(path.dirname(place)))
  for (;;) {
    const changed = await attempt('write', file, () => changeOnce(place, edit))
    if (changed !== null) return changed
  }
}

/** One try; null when the lock was taken away from a process that had stopped for long. */
async function changeOnce(place: string, edit: (text: string | null) => string): Promise<string | null> {
  const lock = `${place}.lock`
  const handle = await takeLock(lock)
  let isDone = false
  try {
    const before = await readText(place)
    const after = edit(before)
    if (after === before) return after
    const there = await lstat(nativePath(place)).catch(() => null)
    if (there) await handle.chmod(there.mode & 0o777)
    await handle.writeFile(after)
    await handle.sync()
    if (!(await isOwn(handle, lock))) return null
    await handle.close()
    await rename(nativePath(lock), nativePath(place))
    isDone = true
    await flushNames(path.dirname(place))
    return after
  } finally {
    if (!isDone) {
      // Closed already where the rename failed.
      const own = await isOwn(handle, lock).catch(() => true)
      await handle.close().catch(() => {})
      if (own) await rm(nativePath(lock), { force: true })
    }
  }
}

/** Makes the lock, and waits while another process has it. */
async function takeLock(lock: string): Promise<FileHandle> {
  let seen: string | null = null
  let sinceMs = 0
  for (;;) {
    try {
      return await open(nativePath(lock), 'wx')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const there = await identityOf(lock)
    const nowMs = systemClock.monotonicMs()
    if (there !== seen) [seen, sinceMs] = [there, nowMs]
    else if (there !== null && nowMs - sinceMs > STALE_MS) await removeStale(lock, there)
    await delay(LOOK_MS)
  }
}

/** Removes the lock of a process that was killed, and puts back one that was made meanwhile. */
async function removeStale(lock: string, stale: string): Promise<void> {
  const aside = unusedName(path.dirname(lock))
  const isMoved = await rename(nativePath(lock), nativePath(aside)).then(
    () => true,
    () => false,
  )
  if (!isMoved) return
  if ((await identityOf(aside)) === stale) await rm(nativePath(aside), { force: true })
  else await rename(nativePath(aside), nativePath(lock))
}

async function identityOf(file: string): Promise<string | null> {
  const facts = await lstat(nativePath(file), { bigint: true }).catch(() => null)
  return facts && `${facts.dev}:${facts.ino}:${facts.mtimeNs}`
}

async function isOwn(handle: FileHandle, lock: string): Promise<boolean> {
  const [own, there] = await Promise.all([
    handle.stat({ bigint: true }),
    lstat(nativePath(lock), { bigint: true }).catch(() => null),
  ])
  return own.dev === there?.dev && own.ino === there.ino
}

/**
 * The text of a file; null where there is none.
 * @throws AppError `bad-input` for bytes that are not UTF-8, and as the file system refuses it
 */
export async function readText(file: string): Promise<string | null> {
  const bytes = await attempt('read', file, async () => {
    try {
      return await readFile(nativePath(file))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  })
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw cannot('bad-input', 'read', file, said`it is not UTF-8 text`, error)
  }
}

/**
 * After a loss of power the new name is there too. Some systems cannot flush a folder, and need
 * not.
 */
async function flushNames(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(nativePath(folder), 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}
