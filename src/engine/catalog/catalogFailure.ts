import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError, type AppErrorCode } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { fileFailure } from '../files/fileSystem'

/** With less than this free SQLite cannot even make its index of the log. */
const LEAST_FREE_BYTES = 64 * 1024

/**
 * The index of the log could not be given its first bytes, or more (os_unix.c, where both follow
 * `ftruncate` and its like).
 */
const LACKS_ROOM: ReadonlySet<string> = new Set(['SQLITE_IOERR_SHMOPEN', 'SQLITE_IOERR_SHMSIZE'])

/**
 * Why SQLite could not do something with the catalog, as one plain line; anything else than its
 * errors passes unchanged.
 */
export function catalogFailure(thrown: unknown, doing: 'open' | 'use', file: string): unknown {
  if (thrown instanceof AppError || !(thrown instanceof Error) || !('code' in thrown)) return thrown
  const code = String(thrown.code)
  if (!code.startsWith('SQLITE_')) return fileFailure(thrown, `${doing} the catalog`, file)
  const [known, cause] = causeOf(code, file) ?? []
  if (known === undefined) return thrown
  const message = said`cannot ${doing} the catalog ${pathForDisplay(file)}: ${cause}`
  return new AppError(known, message, { path: file, cause: thrown })
}

function causeOf(code: string, file: string): [AppErrorCode, string] | null {
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) {
    return ['catalog-broken', 'it is damaged or not a database']
  }
  const isOfDisk = code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CANTOPEN')
  if (code === 'SQLITE_FULL' || LACKS_ROOM.has(code) || (isOfDisk && isFull(file))) {
    return ['no-space', 'no space left on the device']
  }
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN')) {
    return ['permission-denied', 'permission denied']
  }
  if (isOfDisk) return ['io', `the disk cannot be read or written (${code})`]
  if (code.startsWith('SQLITE_BUSY')) return ['io', 'another Stowage has been writing to it for ten seconds']
  return null
}

function isFull(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file))
    return bavail * bsize < LEAST_FREE_BYTES
  } catch {
    return false
  }
}
