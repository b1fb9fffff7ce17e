import { lstat, readdir } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pathForDisplay, pathFromBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import { fileFailure, fsPath, joinPath } from '../files/fileSystem'
import { withToolDirectory } from '../files/scratch'
import { flushFile, flushFolder } from '../files/write'
import { throwIfAborted } from '../jobs/throwIfAborted'
import { findProgram } from './findProgram'
import { runTool } from './runTool'

/** More files than this are flushed quicker by flushing their whole file system once. */
const MANY_FILES = 512
const AT_ONCE = 8

/**
 * Brings a file, or everything below a folder, to the device. Links are not followed.
 * @throws AppError `no-space`, `io`, `cancelled`
 */
export async function flushTree(path: string, signal?: AbortSignal): Promise<void> {
  const files: string[] = []
  const folders: string[] = []
  try {
    const facts = await lstat(fsPath(path))
    if (facts.isFile()) files.push(path)
    if (facts.isDirectory()) folders.push(path)
    for (const folder of folders) {
      throwIfAborted(signal)
      for (const entry of await readdir(fsPath(folder), { withFileTypes: true, encoding: 'buffer' })) {
        const at = joinPath(folder, pathFromBytes(entry.name))
        if (entry.isDirectory()) folders.push(at)
        else if (entry.isFile()) files.push(at)
      }
    }
  } catch (thrown) {
    throw fileFailure(thrown, 'read', path)
  }
  if (files.length > MANY_FILES && (await flushFileSystem(path, signal))) return
  const left = files.values()
  const work = async (): Promise<void> => {
    for (const file of left) {
      throwIfAborted(signal)
      await flushFile(file)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const folder of folders.toReversed()) await flushFolder(folder)
}

/**
 * False where there is no GNU `sync`, which flushes a whole file system at once.
 * @throws AppError `no-space`, `io`: what could not be written is reported once, so file by file
 *   would not find it again
 */
async function flushFileSystem(folder: string, signal?: AbortSignal): Promise<boolean> {
  const program = process.platform === 'linux' ? await findProgram('sync') : null
  if (program === null) return false
  const { exitCode, errorLines } = await withToolDirectory(folder, (cwd) =>
    runTool(program, ['-f', '.'], { cwd, ...(signal ? { signal } : {}) }),
  )
  if (exitCode === 0) return true
  const failure = errorLines.find((line) => line.includes('error syncing'))
  if (failure === undefined) return false
  const isFull = /No space left|quota exceeded/i.test(failure)
  const cause = isFull
    ? said`no space left on the device`
    : said`the system could not flush everything to the device`
  throw new AppError(isFull ? 'no-space' : 'io', `cannot write ${pathForDisplay(folder)}: ${cause}`, {
    path: folder,
  })
}
