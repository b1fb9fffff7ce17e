import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { nativePath } from './nativePath'

/**
 * Makes a folder and the folders above it where they are missing, for this user alone. Node's own
 * recursive form never returns where the system answers "not found" for a folder that cannot be
 * made, as below /proc.
 * @throws the system's error when it cannot be made, or something else than a folder is in its
 *   place
 */
export function ensureFolder(folder: string): void {
  if (makes(folder)) return
  const parent = path.dirname(folder)
  if (parent !== folder) ensureFolder(parent)
  mkdirSync(nativePath(folder), { mode: 0o700 })
}

/** Makes one folder, or finds it made; false when the one above is missing. */
function makes(folder: string): boolean {
  try {
    mkdirSync(nativePath(folder), { mode: 0o700 })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return false
    if (code === 'EEXIST' && isFolder(folder)) return true
    throw error
  }
}

function isFolder(folder: string): boolean {
  return statSync(nativePath(folder), { throwIfNoEntry: false })?.isDirectory() ?? false
}
