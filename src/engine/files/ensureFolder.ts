import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { attemptAtOnce, fsPath } from './fileSystem'

/**
 * Makes a folder and the folders above it where they are missing. Node's own recursive form never
 * returns where the system answers "not found" for a folder that cannot be made, as below /proc.
 * @param mode of the folders that are made
 * @returns the folders that were missing, those above first
 * @throws AppError that names the folder and why it cannot be made
 */
export function ensureFolder(folder: string, mode = 0o777): string[] {
  return attemptAtOnce('make the folder', folder, () => {
    const made = makes(folder, mode)
    if (made !== 'orphan') return made === 'made' ? [folder] : []
    const parent = dirname(folder)
    const above = parent === folder ? [] : ensureFolder(parent, mode)
    mkdirSync(fsPath(folder), { mode })
    return [...above, folder]
  })
}

/** Makes one folder, or finds it made; an orphan lacks the folder above. */
function makes(folder: string, mode: number): 'made' | 'there' | 'orphan' {
  try {
    mkdirSync(fsPath(folder), { mode })
    return 'made'
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    if (code === 'ENOENT') return 'orphan'
    // Some systems answer so for a folder on a disk that is read-only.
    const isThere = statSync(fsPath(folder), { throwIfNoEntry: false })?.isDirectory() ?? false
    if (isThere) return 'there'
    throw thrown
  }
}
