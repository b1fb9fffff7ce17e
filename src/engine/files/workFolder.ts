import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { said } from '../../primitives/said'
import { attemptAtOnce, cannot, fsPath } from './fileSystem'

/** The variables by which Node and other programs find the folder for temporary files. */
const VARIABLES = ['TMPDIR', 'TEMP', 'TMP'] as const

/** Their values before the first change; undefined until then. */
let before: readonly (string | undefined)[] | undefined

/**
 * Puts the temporary files of this process, and of the programs that it starts, into a folder.
 * @param folder null for the system's folder
 * @throws AppError as `requireWorkFolder`; then nothing is changed
 */
export function useWorkFolder(folder: string | null): void {
  if (folder !== null) requireWorkFolder(folder)
  before ??= VARIABLES.map((name) => process.env[name])
  for (const [at, name] of VARIABLES.entries()) {
    const value = folder ?? before[at]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

/**
 * @throws AppError naming a folder that is not there, is none or cannot be written to, or whose
 *   path is relative or cannot be handed to programs
 */
export function requireWorkFolder(folder: string): void {
  if (!isAbsolute(folder)) throw cannot('usage', 'work in', folder, said`it is not an absolute path`)
  if (/[\ud800-\udfff]/u.test(folder))
    throw cannot('name-unsupported', 'work in', folder, said`its name is not Unicode`)
  const stats = attemptAtOnce('work in', folder, () => statSync(fsPath(folder)))
  if (!stats.isDirectory()) throw cannot('not-a-folder', 'work in', folder, said`it is not a folder`)
  attemptAtOnce('work in', folder, () => accessSync(fsPath(folder), constants.W_OK | constants.X_OK))
}
