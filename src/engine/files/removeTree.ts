import { lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pathFromBytes } from '../../primitives/pathText'
import { pausing } from '../jobs/slowly'
import { fsPath, joinPath } from './fileSystem'

/**
 * Removes what is at a path with all that is in it, or nothing where nothing is; links are not
 * followed. Each name is removed on the thread that asks, with pauses: handed to another thread, it
 * costs ten times as much.
 * @throws the system's errors, when a second try as Node does it has failed too
 */
export async function removeTree(path: string): Promise<void> {
  try {
    if (!lstatSync(fsPath(path)).isDirectory()) return unlinkSync(fsPath(path))
    const pause = pausing(() => undefined)
    const folders = [path]
    for (const folder of folders) {
      for (const entry of readdirSync(fsPath(folder), { withFileTypes: true, encoding: 'buffer' })) {
        await pause()
        const at = joinPath(folder, pathFromBytes(entry.name))
        if (entry.isDirectory()) folders.push(at)
        else unlinkSync(fsPath(at))
      }
    }
    for (const folder of folders.toReversed()) rmdirSync(fsPath(folder))
  } catch {
    // Nothing is there, something is in use, or something came or went meanwhile.
    await rm(fsPath(path), { recursive: true, force: true, maxRetries: 3 })
  }
}
