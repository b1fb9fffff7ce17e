import { lstat, realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { AppError } from '../../primitives/appError'
import { isBelow } from '../../primitives/isBelow'
import { ownPath } from '../../primitives/ownPath'
import { pathFromBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { fileFailure, fsPath } from '../files/fileSystem'

/**
 * The roots that a survey really walks: absolute, each existing, in the person's order, without
 * those that lie inside another (they are read with it, and nothing is counted twice). A root that
 * is itself a symbolic link is followed, since the person named it; links below it are not.
 * @throws AppError `not-found`, `permission-denied`, `special-file` or `refused`, naming the path
 */
export async function surveyRoots(paths: readonly string[]): Promise<string[]> {
  const roots: string[] = []
  for (const given of paths) {
    if (!isAbsolute(given))
      throw new AppError('bad-input', said`not an absolute path: ${given}`, { path: given })
    const failure = (thrown: unknown): never => {
      throw fileFailure(thrown, 'read', given)
    }
    const real = await realpath(fsPath(given), 'buffer').catch(failure)
    const path = ownPath(pathFromBytes(real))
    const stats = await lstat(real).catch(failure)
    if (!stats.isDirectory() && !stats.isFile()) {
      throw new AppError('special-file', said`cannot survey ${path}: neither a folder nor a file`, { path })
    }
    roots.push(path)
  }
  return roots.filter(
    (root, index) =>
      !roots.some((other, at) => at !== index && (isBelow(root, other) || (root === other && at < index))),
  )
}
