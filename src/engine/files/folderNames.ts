import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { pathFromBytes } from '../../primitives/pathText'
import { fsPath } from './fileSystem'

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
    return pathFromBytes(realpathSync.native(fsPath(path), { encoding: 'buffer' }))
  } catch {
    return null
  }
}
