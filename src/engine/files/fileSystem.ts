/**
 * The room `files` reads and writes files for all other rooms of the engine.
 * How: paths are bytes; what is made is noted, written next to its place, flushed and renamed, so
 * that a killed process leaves the old file or the new one (`place`, `scratch`, `write`).
 * Not here: what the files mean.
 */

export { attempt, attemptAtOnce, cannot, fileFailure } from '../../primitives/fileFailure'

import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, toNamespacedPath } from 'node:path'
import { isDriveTop, ownPath } from '../../primitives/ownPath'
import { pathFromBytes, pathToBytes } from '../../primitives/pathText'

/**
 * A path in lossless text form as Node's file functions take it: the very bytes of the name. On
 * Windows in the form that may be of any length, which Node gives to strings alone.
 */
export function fsPath(path: string): Buffer {
  // A relative one is the target of a link, or starts at the current folder.
  const isLimited = process.platform === 'win32' && isAbsolute(path) && !isDriveTop(path)
  return textBytes(isLimited ? toNamespacedPath(path) : path)
}

/** Joins with `/`, which every system accepts; names are not looked at. */
export function joinPath(folder: string, ...names: readonly string[]): string {
  const start = folder.endsWith('/') ? folder.replace(/(?<=.)\/+$/, '') : folder
  return [start, ...names].filter((part) => part !== '').join('/')
}

/** The bytes of text that may hold escaped name bytes; plain text takes the fast way. */
export function textBytes(text: string): Buffer {
  return text.isWellFormed() ? Buffer.from(text, 'utf8') : Buffer.from(pathToBytes(text))
}

/**
 * The names in a folder, in the system's order; none when there is no such folder.
 * @throws the system's other errors
 */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(fsPath(folder), { encoding: 'buffer' }).map(pathFromBytes)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw thrown
  }
}

/**
 * The entry at a path, links not followed; null where there is none.
 * @throws the system's other errors
 */
export function lstatAt(path: string): BigIntStats | null {
  try {
    return lstatSync(fsPath(path), { bigint: true })
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw thrown
  }
}

/**
 * True when a folder is at a path, or a link to one; a path that cannot be looked at counts as
 * none.
 */
export function isFolder(path: string): boolean {
  try {
    return statSync(fsPath(path)).isDirectory()
  } catch {
    return false
  }
}

/**
 * The absolute path without links in it; null where nothing is, and for what cannot be looked at.
 */
export function realPathAt(path: string): string | null {
  try {
    return ownPath(pathFromBytes(realpathSync.native(fsPath(path), { encoding: 'buffer' })))
  } catch {
    return null
  }
}
